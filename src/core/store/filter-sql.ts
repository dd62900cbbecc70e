/** A filter as a condition on the table of messages. */
import { type ListFilter, statusRange } from '../model/filter.ts';
import { LOUD_REASONS, type Mark } from '../model/vocabulary.ts';
import { DENSE_STATES, RARE_STATE } from './migrations.ts';

const DROPPED = `${RARE_STATE} AND state = 'rejected' AND reason NOT IN (${LOUD_REASONS.map((reason) => `'${reason}'`).join(', ')})`;
const MARKED: Readonly<Record<Mark, string>> = {
  dropped: DROPPED,
  silent: DROPPED,
  noted: 'notes IS NOT NULL',
  repeated: 'repeats > 0',
  replayed: 'replays > 0',
};
const TRIED = 'EXISTS (SELECT 1 FROM attempts t WHERE t.message_id = messages.id AND';
const IN_BODY =
  "EXISTS (SELECT 1 FROM message_bodies b WHERE b.id = messages.id AND CAST(b.wire AS TEXT) LIKE @text ESCAPE '\\')";

export interface Where {
  readonly sql: string;
  /** Values of the `@names` in it. */
  readonly values: Readonly<Record<string, string | number>>;
  /** True when the filter must read each row's body or attempts. */
  readonly readsMore: boolean;
}

/** The conditions of a filter as they are gathered. */
class Conditions {
  readonly #parts: string[] = [];
  readonly #values: Record<string, string | number> = {};

  add(sql: string, values: Readonly<Record<string, string | number>> = {}): void {
    this.#parts.push(sql);
    Object.assign(this.#values, values);
  }

  /** True for any item of `list`. Each item is a parameter of its own. */
  addOneOf(column: string, list: readonly string[] | undefined): void {
    if (list === undefined || list.length === 0) return;
    const named = Object.fromEntries(list.map((item, i) => [`${column}${i}`, item]));
    const names = Object.keys(named).map((name) => `@${name}`);
    this.add(`${column} IN (${names.join(', ')})`, named);
  }

  where(readsMore: boolean): Where {
    return { sql: this.#parts.join(' AND ') || 'TRUE', values: this.#values, readsMore };
  }
}

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, (c) => `\\${c}`)}%`;
const like = (names: readonly string[], parameter: string): string =>
  names.map((name) => `${name} LIKE @${parameter} ESCAPE '\\'`).join(' OR ');

export function whereOf(filter: ListFilter): Where {
  const { states = [], types, sourceId, is = [], note, reason, hook, code, user, text } = filter;
  const all = new Conditions();
  // Repeated so that SQLite sees that the index of rare states covers them.
  if (states.length > 0 && states.every((state) => !DENSE_STATES.includes(state))) all.add(RARE_STATE);
  all.addOneOf('state', states);
  all.addOneOf('type', types);
  if (sourceId !== undefined) all.add('source_id = @sourceId', { sourceId });
  for (const mark of is) all.add(MARKED[mark]);
  if (note) all.add('instr(notes, @note) > 0', { note: `"code":${JSON.stringify(note)}` });
  if (reason) all.add('reason = @reason', { reason });
  if (hook?.cell !== undefined) all.add('substr(cells, @slot, 1) = @cell', { slot: hook.slot, cell: hook.cell });
  else if (hook !== undefined) all.add(`${TRIED} t.slot = @slot AND t.replay_id IS NULL)`, { slot: hook.slot });
  if (code !== undefined) {
    const [from, to] = statusRange(code);
    all.add(`${TRIED} t.status BETWEEN @from AND @to)`, { from, to });
  }
  if (user) all.add(`(${like(['user_id', 'anonymous_id'], 'user')})`, { user: contains(user) });
  if (text) {
    const inRow = like(['name', 'user_id', 'anonymous_id', 'message_id'], 'text');
    all.add(`(${inRow} OR ${IN_BODY})`, { text: contains(text) });
  }
  const readsAttempts = code !== undefined || (hook !== undefined && hook.cell === undefined);
  return all.where(Boolean(text) || readsAttempts);
}
