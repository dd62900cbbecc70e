import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { receivedCalls } from '../../../src/core/ingest/received-call.ts';
import type { ListFilter } from '../../../src/core/model/filter.ts';
import { Attempts } from '../../../src/core/store/attempts.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { deliveryStores } from '../../../src/core/store/deliveries.ts';
import { SqliteDetails } from '../../../src/core/store/details.ts';
import { DueTimes } from '../../../src/core/store/due-times.ts';
import { whereOf } from '../../../src/core/store/filter-sql.ts';
import { SqliteHeld } from '../../../src/core/store/held.ts';
import { SqliteIngest } from '../../../src/core/store/ingest.ts';
import { SqliteLists } from '../../../src/core/store/lists.ts';
import { MessageMoves } from '../../../src/core/store/message-moves.ts';
import { prepareAtOnce } from '../../../src/core/store/prepared.ts';
import { Core } from '../../helpers/core-fixture.ts';
import { writerOf } from '../../helpers/direct-writer.ts';
import { filterOf } from '../../helpers/filters.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const NEVER = writerOf(() => Promise.reject(new Error('reading only')));

let db: Db;
let lists: SqliteLists;

beforeEach(() => {
  db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
  lists = new SqliteLists(db, receivedCalls);
});

/** All pages of a scan that stops after every step. */
function allPages(filter: ListFilter, before: number, after: number, limit: number): number[] {
  const ids: number[] = [];
  for (let guard = 0; guard < 10_000; guard++) {
    const page = lists.ids({ filter, before, after, limit, keepGoing: () => false });
    expect(page.ids.length).toBeLessThanOrEqual(limit);
    ids.push(...page.ids);
    if (!page.more) return ids;
    expect(page.scannedTo).toBeLessThan(before);
    before = page.scannedTo;
  }
  throw new Error('the scan does not end');
}

describe('what the attempts say', () => {
  const put = (id: number, cells: string, attempts: ReadonlyArray<[slot: number, status: number, replay?: number]>) => {
    db.prepare(
      `INSERT INTO messages (id, message_id, request_id, position, origin, type, name, state, received_at, size, cells)
       VALUES (?, 'm', 1, 0, 'sdk', 'track', 'n', 'delivered', 1, 1, ?)`,
    ).run(id, cells);
    for (const [slot, status, replay] of attempts)
      db.prepare(
        `INSERT INTO attempts (message_id, replay_id, webhook_id, slot, webhook_name, url, round, started_at, clock_at, outcome, status)
         VALUES (?, ?, 1, ?, '', '', 1, 1, 1, 'failed', ?)`,
      ).run(id, replay ?? null, slot, status);
  };
  const found = (filter: ListFilter): number[] => allPages(filter, 1_000, 0, 100);

  test('an answer by its status or a hundred of them, a webhook by being tried or by its last result', () => {
    put(1, 'ft...', [
      [1, 503],
      [2, 200],
    ]);
    put(2, 'a....', [[1, 200]]);
    put(3, '.....', []);
    put(4, '..d..', [[3, 410]]);
    put(5, '.....', [[2, 599, 7]]);
    expect(found(filterOf('code:503'))).toEqual([1]);
    expect(found(filterOf('code:5xx'))).toEqual([5, 1]);
    expect(found(filterOf('code:4xx'))).toEqual([4]);
    expect(found(filterOf('code:200'))).toEqual([2, 1]);
    expect(found(filterOf('hook:1'))).toEqual([2, 1]);
    expect(found(filterOf('hook:2'))).toEqual([1]);
    expect(found(filterOf('hook:2=timeout'))).toEqual([1]);
    expect(found(filterOf('hook:1=accepted code:2xx'))).toEqual([2]);
  });

  test('an answer by how long it took; a timeout is none', () => {
    put(1, 'a....', [[1, 200]]);
    put(2, 't....', [[1, 200]]);
    put(3, '.....', []);
    db.exec('UPDATE attempts SET duration_ms = 2000');
    db.exec('UPDATE attempts SET status = NULL WHERE message_id = 2');
    for (const span of ['500ms', '2s']) expect(found(filterOf(`took:${span}`))).toEqual([1]);
    expect(found(filterOf('-took:2s'))).toEqual([3, 2]);
    expect(found(filterOf('took:2001ms'))).toEqual([]);
  });
});

describe('marks, notes and reasons', () => {
  const put = (id: number, state: string, more: Record<string, string | number | null> = {}): void => {
    const all = { reason: null, reason_detail: null, notes: null, repeats: 0, replays: 0, ...more };
    db.prepare(
      `INSERT INTO messages (id, message_id, request_id, position, origin, type, name, state, received_at, size,
         reason, reason_detail, notes, repeats, replays)
       VALUES (?, 'm', 1, 0, 'sdk', 'track', 'n', ?, 1, 1, ?, ?, ?, ?, ?)`,
    ).run(id, state, all.reason, all.reason_detail, all.notes, all.repeats, all.replays);
  };
  const found = (filter: ListFilter): number[] => allPages(filter, 1_000, 0, 100);

  test('dropped, or silent, is what Segment answers with 200 and drops', () => {
    put(1, 'rejected', { reason: 'no_user_anon_id' });
    put(2, 'rejected', { reason: 'call_too_large', reason_detail: '41.2 KB' });
    put(3, 'rejected', { reason: 'batch_too_large', reason_detail: '612 KB' });
    put(4, 'rejected', { reason: 'batch_too_large', reason_detail: '2,501 calls' });
    put(5, 'rejected', { reason: 'invalid_json' });
    put(6, 'rejected', { reason: 'empty_batch' });
    put(7, 'not_selected', { reason: 'integrations_off' });
    for (const mark of ['dropped', 'silent'] as const) expect(found(filterOf(`is:${mark}`))).toEqual([6, 1]);
    expect(found(filterOf('reason:integrations-off'))).toEqual([7]);
  });

  test('notes by their code and by being there, repeats and replays', () => {
    put(1, 'delivered', { notes: '[{"code":"duplicate_key","field":"a"}]' });
    put(2, 'delivered', { notes: '[{"code":"number_lost","detail":"duplicate_key"}]', repeats: 2 });
    put(3, 'delivered', { replays: 1 });
    expect(found(filterOf('is:noted'))).toEqual([2, 1]);
    expect(found(filterOf('note:duplicate-key'))).toEqual([1]);
    expect(found({ terms: [{ key: 'note', values: ['duplicate%'] }] })).toEqual([]);
    expect(found(filterOf('is:repeated'))).toEqual([2]);
    expect(found(filterOf('is:replayed'))).toEqual([3]);
    expect(found(filterOf('is:noted is:replayed'))).toEqual([]);
  });
});

describe('bounded steps', () => {
  const many = (n: number, name: (i: number) => string, state = 'delivered'): void => {
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${n})
      INSERT INTO messages (id, message_id, request_id, position, origin, type, name, state, received_at, size)
      SELECT i, 'm', 1, 0, 'sdk', 'track', '', '${state}', 1, 1 FROM n`);
    const rename = db.prepare('UPDATE messages SET name = ? WHERE id = ?');
    for (let i = 1; i <= n; i++) if (name(i) !== '') rename.run(name(i), i);
  };

  test('one step looks at a bounded number of rows, fewer when it reads bodies', () => {
    many(50_000, (i) => (i === 1 ? 'rare' : ''));
    const types = lists.ids({
      filter: filterOf('type:page'),
      before: 50_001,
      after: 0,
      limit: 10,
      keepGoing: () => false,
    });
    expect(types).toEqual({ ids: [], scannedTo: 30_001, more: true });
    const text = lists.ids({ filter: filterOf('rare'), before: 50_001, after: 0, limit: 10, keepGoing: () => false });
    expect(text).toEqual({ ids: [], scannedTo: 50_001 - 64, more: true });
    let steps = 0;
    expect(
      lists.ids({ filter: filterOf('rare'), before: 50_001, after: 0, limit: 10, keepGoing: () => ++steps < 1_000 }),
    ).toMatchObject({ ids: [1], more: false });
    expect(steps).toBe(781);
  });

  test('a page that takes several steps holds no more than was asked for', () => {
    many(200, (i) => (i % 2 === 0 ? 'wanted' : ''));
    const page = lists.ids({ filter: filterOf('wanted'), before: 201, after: 0, limit: 40, keepGoing: () => true });
    expect(page).toEqual({ ids: Array.from({ length: 40 }, (_, i) => 200 - 2 * i), scannedTo: 122, more: true });
  });

  test('counts add up over steps, and one step is as long as for ids', () => {
    many(50_000, () => '');
    expect(lists.tally({ filter: {}, before: 50_001, after: 0, keepGoing: () => true })).toEqual({
      counts: { delivered: 50_000 },
      scannedTo: 1,
      more: false,
    });
    expect(lists.tally({ filter: {}, before: 50_001, after: 0, keepGoing: () => false })).toEqual({
      counts: { delivered: 20_000 },
      scannedTo: 30_001,
      more: true,
    });
    expect(
      lists.tally({ filter: filterOf('code:5xx'), before: 50_001, after: 0, keepGoing: () => false }),
    ).toMatchObject({
      counts: {},
      scannedTo: 48_001,
    });
  });

  test('that holds for rare states too, however many there are', () => {
    many(50_000, () => '', 'failed');
    for (const states of ['failed', 'failed,expired'])
      expect(
        lists.ids({
          filter: filterOf(`status:${states} user:nobody`),
          before: 50_001,
          after: 0,
          limit: 10,
          keepGoing: () => false,
        }),
      ).toEqual({
        ids: [],
        scannedTo: 30_001,
        more: true,
      });
    expect(
      lists.ids({ filter: filterOf('status:failed'), before: 50_001, after: 0, limit: 3, keepGoing: () => false }),
    ).toEqual({
      ids: [50_000, 49_999, 49_998],
      scannedTo: 49_998,
      more: true,
    });
  });

  test('a full page says where to go on', () => {
    many(30, () => '');
    expect(lists.ids({ filter: {}, before: 31, after: 0, limit: 10, keepGoing: () => true })).toEqual({
      ids: [30, 29, 28, 27, 26, 25, 24, 23, 22, 21],
      scannedTo: 21,
      more: true,
    });
    expect(lists.ids({ filter: {}, before: 11, after: 0, limit: 10, keepGoing: () => true }).more).toBe(false);
    expect(
      lists.ids({ filter: filterOf('status:failed'), before: 31, after: 0, limit: 10, keepGoing: () => true }),
    ).toEqual({ ids: [], scannedTo: 1, more: false });
    expect(lists.ids({ filter: {}, before: 31, after: 25, limit: 10, keepGoing: () => true })).toEqual({
      ids: [30, 29, 28, 27, 26],
      scannedTo: 26,
      more: false,
    });
  });

  test('a range that holds nothing is an empty page', () => {
    many(5, () => '');
    for (const [before, after] of [
      [1, 0],
      [3, 2],
      [3, 5],
      [6, 6],
    ] as const)
      expect(lists.ids({ filter: {}, before, after, limit: 10, keepGoing: () => true })).toMatchObject({
        ids: [],
        more: false,
      });
  });
});

describe('query plans', () => {
  const planOf = (sql: string, ...values: unknown[]): string =>
    (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as Array<{ detail: string }>)
      .map(({ detail }) => detail)
      .join(' | ');

  /** The plans of the statements that `run` makes the store execute. */
  function plansOf(run: (core: Core) => void): string[] {
    const core = new Core({ folder: tempWorkspace() });
    const seen: string[] = [];
    prepareAtOnce(core.db);
    const prepare = core.db.prepare.bind(core.db);
    core.db.prepare = ((sql: string) => {
      seen.push(sql);
      return prepare(sql);
    }) as typeof core.db.prepare;
    run(core);
    return seen.map((sql) => {
      const named = /@\w+/.test(sql)
        ? [{ now: 1, dueAt: 0, id: 0, limit: 1, request: 1, first: 1, span: 1 }]
        : Array.from(sql.matchAll(/\?/g), () => 1);
      return planOf(sql, ...named);
    });
  }

  test('due messages come from their index, in its order', () => {
    const plan = plansOf((core) => void deliveryStores(core.db, NEVER)).find((one) => one.includes('messages_due'));
    expect(plan).toContain('SEARCH messages USING INDEX messages_due');
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('no statement of delivery scans a table', () => {
    const plans = plansOf((core) => void deliveryStores(core.db, NEVER));
    expect(plans.length).toBeGreaterThan(15);
    for (const plan of plans)
      expect(plan).not.toMatch(
        /SCAN (?!replays|replay_jobs|json_each|open_attempts|ended|CONSTANT ROW|\d+-ROW VALUES CLAUSE|\(subquery)/,
      );
  });

  test('answers that took a second or longer come from the index of slow attempts', () => {
    const plan = (text: string): string => {
      const { sql, values } = whereOf(filterOf(text));
      return planOf(`SELECT id FROM messages WHERE ${sql}`, values);
    };
    for (const text of ['took:1s', '-took:5s'])
      expect(plan(text)).toMatch(/SEARCH t (EXISTS )?USING INDEX attempts_slow/);
    expect(plan('took:500ms')).toMatch(/SEARCH t (EXISTS )?USING INDEX attempts_message/);
  });

  test('filters by rare states use their index, one state in its order', () => {
    const [one] = plansOf(
      (core) =>
        void core.lists.ids({
          filter: filterOf('status:failed'),
          before: 10,
          after: 0,
          limit: 10,
          keepGoing: () => true,
        }),
    );
    expect(one).toMatch(/SEARCH messages USING (COVERING )?INDEX messages_rare/);
    expect(one).not.toContain('TEMP B-TREE');
    const [two] = plansOf(
      (core) =>
        void core.lists.ids({
          filter: filterOf('status:failed,expired type:track'),
          before: 10,
          after: 0,
          limit: 10,
          keepGoing: () => true,
        }),
    );
    expect(two).toMatch(/USING (COVERING )?INDEX messages_rare/);
  });

  test('a filter by a dense state looks at a range of rows', () => {
    const [plan] = plansOf(
      (core) =>
        void core.lists.ids({
          filter: filterOf('status:delivered,failed'),
          before: 10,
          after: 0,
          limit: 10,
          keepGoing: () => true,
        }),
    );
    expect(plan).toBe('SEARCH messages USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  });

  test('moves and ends of attempts look rows up by their ids', () => {
    const moving = plansOf((core) => void new MessageMoves(core.db, new DueTimes()));
    expect(moving).toEqual(['SEARCH messages USING INTEGER PRIMARY KEY (rowid=?)', moving[0]]);
    const ending = plansOf((core) => void new Attempts(core.db));
    expect(ending.filter((plan) => plan.includes('SEARCH o USING INTEGER PRIMARY KEY (rowid=?)'))).toHaveLength(2);
  });

  test('windows, attempts of a message and duplicates are searches', () => {
    expect(planOf('SELECT * FROM messages WHERE id >= ? ORDER BY id LIMIT ?', 1, 1)).toBe(
      'SEARCH messages USING INTEGER PRIMARY KEY (rowid>?)',
    );
    const plans = plansOf(
      (core) => void [new SqliteLists(core.db, receivedCalls), new SqliteDetails(core.db), new SqliteHeld(core.db)],
    );
    const about = (index: string): string[] => plans.filter((plan) => plan.includes(index));
    expect(about('attempts_message').length).toBeGreaterThanOrEqual(2);
    expect(about('messages_message_id').length).toBeGreaterThanOrEqual(1);
    expect(about('messages_rare').length).toBeGreaterThanOrEqual(1);
    expect(plans.filter((plan) => plan.startsWith('SCAN messages') && !plan.includes('USING'))).toEqual([]);
    const requests = plansOf((core) => void new SqliteIngest(core.db, core.writer));
    for (const plan of requests) expect(plan).not.toMatch(/SCAN(?! \(subquery| json_each| \d+-ROW VALUES CLAUSE)/);
    expect(requests.filter((plan) => plan.includes('INDEX requests_refused'))).toHaveLength(1);
  });
});
