/** A filter as a condition on the table of messages. */
import { readsOf, statusRange, termsOf } from '../model/filter.ts';
import { mayBeEscaped } from '../model/filter-escapes.ts';
import { likeOf, literalPattern } from '../model/filter-pattern.ts';
import type { ListFilter, Term } from '../model/filter-terms.ts';
import { LOUD_REASONS, type Mark } from '../model/vocabulary.ts';
import { fieldParameter } from './filter-function.ts';
import { DENSE_STATES, RARE_STATE, SLOW, SLOW_MS } from './migrations.ts';

const DROPPED = `${RARE_STATE} AND state = 'rejected' AND reason NOT IN (${LOUD_REASONS.map((reason) => `'${reason}'`).join(', ')})`;
const MARKED: Readonly<Record<Mark, string>> = {
  dropped: DROPPED,
  silent: DROPPED,
  noted: 'notes IS NOT NULL',
  repeated: 'repeats > 0',
  replayed: 'replays > 0',
};

export interface Where {
  readonly sql: string;
  /** Values of the `@names` in it. */
  readonly values: Readonly<Record<string, string | number>>;
  /** What it must read of each row: the row alone, its body or attempts too, fields of its body, or all its texts. */
  readonly reads: 'row' | 'more' | 'fields' | 'texts';
}

/** A value becomes a parameter; its place in SQL is returned. */
type Bind = (value: string | number) => string;

const anyOf = (conditions: readonly string[]): string => conditions.map((one) => `(${one})`).join(' OR ') || 'FALSE';
const tried = (condition: string): string =>
  `EXISTS (SELECT 1 FROM attempts t WHERE t.message_id = messages.id AND (${condition}))`;
/** The few open attempts are read once and not for each message. */
const triedAt = (slot: string): string =>
  `${tried(`t.slot = ${slot} AND t.replay_id IS NULL`)}
   OR messages.id IN (SELECT message_id FROM open_attempts WHERE slot = ${slot} AND replay_id IS NULL)`;
const inBody = (condition: string): string =>
  `EXISTS (SELECT 1 FROM message_bodies b WHERE b.id = messages.id AND ${condition})`;
const like = (columns: readonly string[], pattern: string): string =>
  columns.map((column) => `${column} LIKE ${pattern} ESCAPE '\\'`).join(' OR ');

function isIn(column: string, values: readonly (string | number)[], bind: Bind): string {
  return `${column} IN (${values.map(bind).join(', ')})`;
}

function conditionOf(term: Term, bind: Bind): string {
  switch (term.key) {
    case 'text':
      return anyOf(term.values.map((text) => textCondition(text, bind)));
    case 'type':
      return isIn('type', term.values, bind);
    case 'status':
      return statesCondition(term.values, bind);
    case 'source':
      return isIn('source_id', term.values, bind);
    case 'user':
      return userCondition(term.values, bind);
    case 'event':
      return anyOf(term.values.map((pattern) => like(['name'], bind(likeOf(pattern)))));
    case 'hook':
      return anyOf(term.values.map((one) => hookCondition(one, bind)));
    case 'code':
      return tried(anyOf(term.values.map((code) => `t.status BETWEEN ${statusRange(code).map(bind).join(' AND ')}`)));
    case 'took':
      return anyOf(term.values.map((ms) => tookCondition(ms, bind)));
    case 'is':
      return anyOf(term.values.map((mark) => MARKED[mark]));
    case 'note':
      return anyOf(term.values.map((note) => `instr(notes, ${bind(`"code":${JSON.stringify(note)}`)}) > 0`));
    case 'reason':
      return isIn('reason', term.values, bind);
    case 'after':
      return anyOf(term.values.map((at) => `received_at >= ${bind(at)}`));
    case 'before':
      return anyOf(term.values.map((at) => `received_at < ${bind(at)}`));
    case 'field':
      return inBody(`matches_field(${bind(fieldParameter(term))}, b.wire)`);
  }
}

/** Cheap texts first. The bytes of a request are read once, however many calls it has. */
function textCondition(text: string, bind: Bind): string {
  const pattern = bind(likeOf(`*${literalPattern(text)}*`));
  const part = bind(text);
  return [
    like(['name', 'user_id', 'anonymous_id', 'message_id'], pattern),
    inBody(`(${like(['CAST(b.wire AS TEXT)'], pattern)}${mayBeEscaped(text) ? ` OR ${escapedIn(part)}` : ''})`),
    tried(`EXISTS (SELECT 1 FROM attempt_results r WHERE r.id = t.id AND holds_text(${part}, r.response_body))`),
    `EXISTS (SELECT 1 FROM requests q WHERE q.id = messages.request_id AND holds_text(${part}, ${RECEIVED}))`,
  ].join(' OR ');
}
/** Only a body with a backslash reads differently when its escapes are undone. */
const escapedIn = (part: string): string => `instr(b.wire, X'5C') > 0 AND holds_text(${part}, b.wire)`;
const RECEIVED = `received_call(messages.position, q.id, q.path, q.encoding, q.code, CASE WHEN is_open(q.id) THEN NULL ELSE q.body END)`;

/** Repeats that it is slow, so that SQLite sees that the index of slow attempts covers it. */
const tookCondition = (ms: number, bind: Bind): string =>
  tried(`${ms >= SLOW_MS ? `t.${SLOW} AND ` : ''}t.duration_ms >= ${bind(ms)} AND t.status IS NOT NULL`);

/** Repeats that the states are rare, so that SQLite sees that the index of rare states covers them. */
function statesCondition(states: readonly string[], bind: Bind): string {
  const condition = isIn('state', states, bind);
  return states.some((state) => DENSE_STATES.includes(state)) ? condition : `${RARE_STATE} AND ${condition}`;
}

function userCondition(values: Extract<Term, { key: 'user' }>['values'], bind: Bind): string {
  const whole = values.flatMap((value) => (typeof value === 'object' ? value.id : []));
  const parts = values.flatMap((value) => (typeof value === 'string' ? value : []));
  return anyOf([
    ...(whole.length === 0 ? [] : ['user_id', 'anonymous_id'].map((column) => isIn(column, whole, bind))),
    ...parts.map((part) => like(['user_id', 'anonymous_id'], bind(likeOf(`*${part}*`)))),
  ]);
}

function hookCondition({ slot, cell }: Extract<Term, { key: 'hook' }>['values'][number], bind: Bind): string {
  if (cell === undefined) return triedAt(bind(slot));
  return `substr(cells, ${bind(slot)}, 1) = ${bind(cell)}`;
}

function mostOf(terms: readonly Term[]): Where['reads'] {
  if (terms.some((term) => readsOf(term) === 'texts')) return 'texts';
  if (terms.some(({ key }) => key === 'field')) return 'fields';
  return terms.some((term) => readsOf(term) !== 'row') ? 'more' : 'row';
}

export function whereOf(filter: ListFilter): Where {
  const values: Record<string, string | number> = {};
  const bind = (value: string | number): string => {
    const name = `p${Object.keys(values).length}`;
    values[name] = value;
    return `@${name}`;
  };
  const terms = termsOf(filter);
  const conditions = terms.map((term) => {
    const condition = conditionOf(term, bind);
    // A condition on NULL is neither true nor false.
    return term.not === true ? `(${condition}) IS NOT TRUE` : `(${condition})`;
  });
  return {
    sql: conditions.join(' AND ') || 'TRUE',
    values,
    reads: mostOf(terms),
  };
}
