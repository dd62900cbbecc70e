/** The values of a key in a range of messages, each with how many messages have it. */
import { type CountedKey, LONGEST_EVENT, type ValueCount } from '../model/filter-counted.ts';
import type { ListFilter } from '../model/filter-terms.ts';
import { MARKS } from '../model/vocabulary.ts';
import { type Where, whereOf } from './filter-sql.ts';
import { type Query, Reads } from './statements.ts';

/** Ids from `bottom`, below `top`. */
interface Range {
  readonly top: number;
  readonly bottom: number;
}
interface Counted {
  readonly value: string;
  readonly n: number;
}

/** How many rows one step looks at: fewer where each row leads to others, or may have a value of its own. */
const STEP_ROWS: Readonly<Record<CountedKey, number>> = {
  type: 5_000,
  status: 5_000,
  source: 5_000,
  reason: 5_000,
  is: 2_000,
  event: 1_000,
  note: 1_000,
  hook: 500,
  code: 500,
};

const IN_RANGE = 'id < @top AND id >= @bottom';
const grouped = (value: string, where: string, by: string): string =>
  `SELECT ${value} AS value, count(*) AS n FROM messages WHERE ${IN_RANGE} AND ${where} GROUP BY ${by}`;
const ofAttempts = (value: string, matching: string, where: string): string =>
  `SELECT ${value} AS value, count(DISTINCT m.id) AS n
   FROM (SELECT id FROM messages WHERE ${IN_RANGE} AND ${matching}) m
   JOIN attempts t ON t.message_id = m.id WHERE ${where} GROUP BY 1`;
/** A message is counted once at a webhook, also where its attempt is open. */
const bySlot = (matching: string): string =>
  `WITH m AS MATERIALIZED (SELECT id FROM messages WHERE ${IN_RANGE} AND ${matching})
   SELECT CAST(slot AS TEXT) AS value, count(*) AS n
   FROM (
     SELECT t.slot, m.id FROM m JOIN attempts t ON t.message_id = m.id WHERE t.replay_id IS NULL
     UNION
     SELECT t.slot, m.id FROM open_attempts t JOIN m ON m.id = t.message_id WHERE t.replay_id IS NULL
   ) GROUP BY slot`;
/** Notes that cannot be read are none. */
const ofNotes = (matching: string): string =>
  `SELECT json_extract(note.value, '$.code') AS value, count(DISTINCT m.id) AS n
   FROM (SELECT id, notes FROM messages WHERE ${IN_RANGE} AND notes IS NOT NULL AND ${matching}) m,
     json_each(CASE WHEN json_valid(m.notes) THEN m.notes ELSE '[]' END) note GROUP BY 1`;
const ANSWERED = 't.status BETWEEN 100 AND 599';

/** The statements of a key. For `is` there is one for each mark. */
function statementsOf(key: Exclude<CountedKey, 'is'>, sql: string): string[] {
  switch (key) {
    case 'type':
      return [grouped('type', sql, 'type')];
    case 'status':
      return [grouped('state', sql, 'state')];
    case 'source':
      return [grouped('CAST(source_id AS TEXT)', `source_id IS NOT NULL AND ${sql}`, 'source_id')];
    case 'reason':
      return [grouped('reason', `reason IS NOT NULL AND ${sql}`, 'reason')];
    case 'event':
      // `event:` takes letters A to Z in either case, and so does NOCASE.
      return [grouped('name', `length(name) BETWEEN 1 AND ${LONGEST_EVENT} AND ${sql}`, 'name COLLATE NOCASE')];
    case 'note':
      return [ofNotes(sql)];
    case 'code':
      return [
        ofAttempts('CAST(t.status AS TEXT)', sql, ANSWERED),
        ofAttempts(`(t.status / 100) || 'xx'`, sql, ANSWERED),
      ];
    case 'hook':
      return [bySlot(sql), grouped('cells', sql, 'cells')];
  }
}

/** `a....` had webhook 1 accept, and so on. */
const resultsOf = ({ value, n }: Counted): ValueCount[] =>
  value.length === 5 ? [...value].map((cell, i) => [`${i + 1}=${cell}`, n]) : [[value, n]];

export class ValueCounts extends Reads {
  /** Reads one range of at most `rows` messages. A value may come more than once. */
  of(key: CountedKey, filter: ListFilter): { rows: number; reads: Where['reads']; read(range: Range): ValueCount[] } {
    const { reads } = whereOf(filter);
    const asked = key === 'is' ? this.#marks(filter) : this.#statements(key, filter);
    return {
      rows: STEP_ROWS[key],
      reads,
      read: (range) =>
        asked.flatMap((one) => one(range)).flatMap((one) => (key === 'hook' ? resultsOf(one) : [[one.value, one.n]])),
    };
  }

  #statements(key: Exclude<CountedKey, 'is'>, filter: ListFilter): Array<(range: Range) => Counted[]> {
    const { sql, values } = whereOf(filter);
    return statementsOf(key, sql).map((statement) => {
      const query: Query<Range, Counted> = this.query(statement);
      return (range) => query.all({ ...values, ...range });
    });
  }

  #marks({ terms = [] }: ListFilter): Array<(range: Range) => Counted[]> {
    return MARKS.map((mark) => {
      const { sql, values } = whereOf({ terms: [...terms, { key: 'is', values: [mark] }] });
      const query: Query<Range, { n: number }> = this.query(
        `SELECT count(*) AS n FROM messages WHERE ${IN_RANGE} AND ${sql}`,
      );
      return (range) => [{ value: mark, n: query.get({ ...values, ...range })!.n }].filter(({ n }) => n > 0);
    });
  }
}
