/** Lists of messages. */
import type { MessageRecord } from '../model/stored.ts';
import { type Damage, isDamage, untold } from './damage.ts';
import type { Db } from './db.ts';
import { FilterFunctions } from './filter-function.ts';
import { type Where, whereOf } from './filter-sql.ts';
import type {
  CountPage,
  IdPage,
  ListStore,
  ReceivedCalls,
  Scan,
  StateCount,
  ValuePage,
  ValueScan,
} from './ports/lists.ts';
import { columns, type Query, Reads } from './statements.ts';
import { ValueCounts } from './value-counts.ts';
import { walk } from './walk.ts';

const COLUMNS = columns([
  'id',
  'messageId',
  'sourceId',
  'requestId',
  'position',
  'origin',
  'type',
  'name',
  'userId',
  'anonymousId',
  'state',
  'reason',
  'reasonDetail',
  'receivedAt',
  'size',
  'round',
  'nextDueAt',
  'firstAttemptAt',
  'windowEndsAt',
  'finishedAt',
  'cells',
  'repeats',
  'replays',
  'notes',
]);

interface Row extends Omit<MessageRecord, 'notes'> {
  readonly notes: string | null;
}

interface Id {
  readonly id: number;
}

/** Rows from an id on, as {@link walk} reads them. */
interface From {
  readonly id: number;
  readonly limit: number;
}

/** How many rows one step of a scan looks at, by what it reads of each. */
const STEP_ROWS: Readonly<Record<Where['reads'], number>> = {
  row: 20_000,
  more: 2_000,
  fields: 500,
  texts: 64,
};

type Range = { readonly top: number; readonly bottom: number };

/**
 * Steps of `rows` from `before` down to `after`. `look` gets each range, including `bottom` and excluding `top`. It
 * returns the id at which it has enough, or undefined to continue.
 */
function scanned(
  { before, after, keepGoing }: Scan,
  rows: number,
  look: (range: Range) => number | undefined,
): { scannedTo: number; more: boolean } {
  for (let top = before; ; ) {
    const bottom = Math.max(after + 1, top - rows);
    const enoughAt = look({ top, bottom });
    top = enoughAt ?? bottom;
    if (enoughAt === undefined && top > after + 1 && keepGoing()) continue;
    return { scannedTo: top, more: top > after + 1 };
  }
}

export class SqliteLists extends Reads implements ListStore {
  readonly #damage: Damage;

  readonly #functions: FilterFunctions;
  readonly #values: ValueCounts;

  constructor(db: Db, receivedCalls: ReceivedCalls, damage: Damage = untold()) {
    super(db);
    this.#functions = new FilterFunctions(db, receivedCalls);
    this.#values = new ValueCounts(db);
    this.#damage = damage;
  }

  readonly #from = this.query<From, Row>(`SELECT ${COLUMNS} FROM messages WHERE id >= @id ORDER BY id LIMIT @limit`);

  window(firstId: number, count: number): MessageRecord[] {
    const rows = this.#damage.around(() => this.#from.all({ id: firstId, limit: count }), null);
    return (rows ?? this.#readable(firstId, count)).map((row) => this.#record(row));
  }

  /** At most `count` rows, leaving out damaged ones. */
  #readable(firstId: number, count: number): Row[] {
    const found: Row[] = [];
    const some = (id: number, limit: number): Row[] => this.#from.all({ id, limit: Math.min(limit, count) });
    for (const rows of walk(some, () => {}, firstId - 1)) {
      found.push(...rows);
      if (found.length >= count) break;
    }
    return found.slice(0, count);
  }

  #record(row: Row): MessageRecord {
    return { ...row, notes: this.#damage.parsed(row.notes, [], 'the notes of a message') };
  }

  readonly #message = this.query<Id, Row>(`SELECT ${COLUMNS} FROM messages WHERE id = @id`);

  message(id: number): MessageRecord | undefined {
    const row = this.#damage.around(() => this.#message.get({ id }), undefined);
    return row && this.#record(row);
  }

  messages(ids: Iterable<number>): MessageRecord[] {
    const found: MessageRecord[] = [];
    for (const id of ids) {
      const row = this.message(id);
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  ids(scan: Scan & { readonly limit: number }): IdPage {
    const { sql, values, reads } = whereOf(scan.filter);
    const range = this.column<Range & { limit: number }, number>(
      `SELECT id FROM messages WHERE id < @top AND id >= @bottom AND ${sql} ORDER BY id DESC LIMIT @limit`,
    );
    let one: Query<Id, number> | null = null;
    // One row at a time is read by its id: as a range, the read would touch the page beside it.
    const read = ({ top, bottom }: Range, limit: number): number[] => {
      if (top - bottom !== 1) return range.all({ ...values, top, bottom, limit });
      one ??= this.column<Id, number>(`SELECT id FROM messages WHERE id = @id AND ${sql}`);
      return one.all({ ...values, id: bottom });
    };
    const ids: number[] = [];
    this.#functions.forget();
    const scanTo = scanned(scan, STEP_ROWS[reads], (step) => {
      ids.push(...this.#aroundDamage(read, step, scan.limit - ids.length));
      return ids.length >= scan.limit ? ids.at(-1) : undefined;
    });
    return { ids, ...scanTo };
  }

  /** Newest first. When a row is damaged, reads each half of the range separately. */
  #aroundDamage(read: (range: Range, limit: number) => number[], range: Range, limit: number): number[] {
    try {
      return read(range, limit);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#damage.found((error as Error).message);
      const { top, bottom } = range;
      if (top - bottom <= 1) return [];
      const middle = Math.floor((top + bottom) / 2);
      const upper = this.#aroundDamage(read, { top, bottom: middle }, limit);
      if (upper.length >= limit) return upper;
      return [...upper, ...this.#aroundDamage(read, { top: middle, bottom }, limit - upper.length)];
    }
  }

  tally(scan: Scan): CountPage {
    const { sql, values, reads } = whereOf(scan.filter);
    const counted: Query<Range, StateCount> = this.query(
      `SELECT state, count(*) AS n FROM messages WHERE id < @top AND id >= @bottom AND ${sql} GROUP BY state`,
    );
    const counts: Partial<Record<StateCount['state'], number>> = {};
    this.#functions.forget();
    const scanTo = scanned(scan, STEP_ROWS[reads], (step) => {
      for (const { state, n } of counted.all({ ...values, ...step })) counts[state] = (counts[state] ?? 0) + n;
      return undefined;
    });
    return { counts, ...scanTo };
  }

  values({ key, most, ...scan }: ValueScan): ValuePage {
    const { rows, reads, read } = this.#values.of(key, scan.filter);
    const counts = new Map<string, number>();
    this.#functions.forget();
    const scanTo = scanned(scan, Math.min(rows, STEP_ROWS[reads]), (step) => {
      for (const [value, n] of read(step)) counts.set(value, (counts.get(value) ?? 0) + n);
      return counts.size >= most ? step.bottom : undefined;
    });
    return { counts: [...counts], ...scanTo };
  }

  readonly #counts = this.query<undefined, StateCount>('SELECT state, n FROM counters');

  counts(): StateCount[] {
    return this.#counts.all();
  }

  readonly #range = this.query<undefined, { first: number | null; last: number | null }>(
    'SELECT (SELECT min(id) FROM messages) AS first, (SELECT max(id) FROM messages) AS last',
  );

  idRange(): { first: number; last: number } | null {
    const { first, last } = this.#damage.around(() => this.#range.get(), undefined) ?? { first: null, last: null };
    return first === null || last === null ? null : { first, last };
  }

  readonly #idsFrom = this.query<From, Id>(
    'SELECT id FROM messages NOT INDEXED WHERE id >= @id ORDER BY id LIMIT @limit',
  );

  *allIds(): Generator<number> {
    const read = (id: number, limit: number): Id[] => this.#idsFrom.all({ id, limit });
    const first = this.idRange()?.first ?? 1;
    for (const rows of walk(read, () => this.#damage.found('a page of messages'), first - 1))
      for (const { id } of rows) yield id;
  }
}
