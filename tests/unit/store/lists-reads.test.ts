/** Single reads of the lists, whole and where a place of the store is damaged. */

import Database from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { receivedCalls } from '../../../src/core/ingest/received-call.ts';
import { type Damage, untold } from '../../../src/core/store/damage.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { SqliteDetails } from '../../../src/core/store/details.ts';
import { SqliteHeld } from '../../../src/core/store/held.ts';
import { SqliteLists } from '../../../src/core/store/lists.ts';
import { SqliteRetention } from '../../../src/core/store/retention.ts';
import { filterOf } from '../../helpers/filters.ts';
import { putAttempt, putMessage, putReplay, putRequest } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let db: Db;
let damage: Damage;
let lists: SqliteLists;
let details: SqliteDetails;
let held: SqliteHeld;
beforeEach(() => {
  db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
  damage = untold();
  lists = new SqliteLists(db, receivedCalls, damage);
  details = new SqliteDetails(db, damage);
  held = new SqliteHeld(db, damage);
});

const ids = (rows: Iterable<{ id: number }>): number[] => [...rows].map(({ id }) => id);
const torn = (): never => {
  throw new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');
};

describe('an empty store', () => {
  test('has nothing of anything', () => {
    expect([lists.message(1), details.request(1), details.attempt(1), details.replay(1)]).toEqual(
      Array(4).fill(undefined),
    );
    expect([details.wire(1), details.responseBody(1), lists.idRange()]).toEqual([null, null, null]);
    const many = [lists.window(1, 9), lists.messages([1, 2]), details.attemptsOf(1), details.replaysOf(1)];
    expect([...many, details.recentAttempts(9), held.requestsOf('wk'), held.messagesOf(1)]).toEqual(Array(7).fill([]));
    expect([...lists.allIds()]).toEqual([]);
    expect(lists.counts().every(({ n }) => n === 0)).toBe(true);
    expect(damage.known).toBe(false);
  });
});

describe('messages', () => {
  test('are read one by one, as a list that leaves out what is gone, and as a window', () => {
    for (const id of [2, 3, 7]) putMessage(db, { id });
    expect(lists.message(3)?.id).toBe(3);
    expect(ids(lists.messages([7, 5, 2]))).toEqual([7, 2]);
    expect([ids(lists.window(3, 9)), ids(lists.window(0, 2))]).toEqual([
      [3, 7],
      [2, 3],
    ]);
    expect([lists.idRange(), [...lists.allIds()]]).toEqual([{ first: 2, last: 7 }, [2, 3, 7]]);
  });

  test('whose notes were overwritten show none', () => {
    putMessage(db);
    db.exec("UPDATE messages SET notes = '['");
    const told: string[] = [];
    damage.found = (what) => void told.push(what);
    expect([lists.message(1)?.notes, lists.window(1, 1)[0]?.notes]).toEqual([[], []]);
    expect(told).toEqual(Array(2).fill('the notes of a message'));
  });

  test('that lie on a damaged page are left out of every list', () => {
    for (let id = 1; id <= 5; id++) putMessage(db);
    damage.around = (_read, otherwise) => otherwise;
    expect([lists.message(1), lists.messages([1, 2]), lists.idRange()]).toEqual([undefined, [], null]);
    expect([ids(lists.window(2, 2)), ids(lists.window(4, 9))]).toEqual([
      [2, 3],
      [4, 5],
    ]);
  });
});

test('a window begins at the first message, however many were removed before it', () => {
  putMessage(db, { id: 20_000_000 });
  expect(ids(lists.window(1, 9))).toEqual([20_000_000]);
});

describe('a text that a deletion took out of a request between two scans', () => {
  const write = (body: string) => void db.prepare('UPDATE requests SET body = ?').run(Buffer.from(body));
  const scan = { filter: filterOf('secret'), before: 2, after: 0, keepGoing: () => true };
  test.each<[string, (all: SqliteLists) => unknown, found: unknown, none: unknown]>([
    ['a list', (all) => all.ids({ ...scan, limit: 9 }).ids, [1], []],
    ['a tally', (all) => all.tally(scan).counts, { delivered: 1 }, {}],
    ['the values of a key', (all) => all.values({ ...scan, key: 'type', most: 9 }).counts, [['track', 1]], []],
  ])('is not found any more: %s', (_what, read, found, none) => {
    putRequest(db, 1);
    putMessage(db);
    write('{"event":"n","userId":"secret"}');
    expect(read(lists)).toEqual(found);
    write('{"event":"n"}');
    expect(read(lists)).toEqual(none);
  });
});

describe('what belongs to a message', () => {
  test('is given as it was stored', () => {
    putRequest(db, 4);
    for (const [id, message, outcome] of [
      [1, 1, 'failed'],
      [2, 2, 'accepted'],
      [3, 1, null],
    ] as const)
      putAttempt(db, id, message, outcome);
    db.exec("UPDATE attempt_results SET response_body = x'6f6b' WHERE id = 1");
    db.exec("INSERT INTO message_bodies (id, wire, crc32) VALUES (1, x'7b7d', 1)");
    putReplay(db, 1, 1);
    putReplay(db, 2, 9);
    expect(details.request(4)).toMatchObject({ id: 4, method: 'POST', headers: [] });
    expect(details.wire(1)).toEqual(Buffer.from('{}'));
    expect(details.attemptsOf(1)).toMatchObject([
      { id: 1, outcome: 'failed', result: {} },
      { id: 3, outcome: null, result: null },
    ]);
    expect(details.attempt(2)).toMatchObject({ id: 2, messageId: 2 });
    expect([details.responseBody(1), details.responseBody(2)]).toEqual([Buffer.from('ok'), null]);
    expect([ids(details.replaysOf(1)), details.replay(2)?.messageId]).toEqual([[1], 9]);
    expect(damage.known).toBe(false);
  });

  test('is shown as not kept where it was overwritten', () => {
    putRequest(db, 1);
    putAttempt(db, 1, 1);
    putReplay(db, 1, 1);
    db.pragma('ignore_check_constraints = ON');
    db.exec("UPDATE requests SET headers = '['; UPDATE attempt_results SET result = '{'");
    db.exec("UPDATE replays SET webhook_ids = '['");
    const told: string[] = [];
    damage.found = (what) => void told.push(what);
    expect(details.request(1)?.headers).toEqual([]);
    expect(details.attemptsOf(1)[0]?.result).toBeNull();
    expect(details.recentAttempts(1)[0]?.result).toBeNull();
    expect(details.replaysOf(1)[0]?.webhookIds).toEqual([]);
    const result = 'the result of an attempt';
    expect(told).toEqual(['the headers of a request', result, result, 'the webhooks of a replay']);
  });

  test('is shown as not there where its page is damaged', () => {
    putRequest(db, 1);
    putAttempt(db, 1, 1);
    putReplay(db, 1, 1);
    db.exec("UPDATE attempt_results SET response_body = x'6f6b'");
    db.exec("INSERT INTO message_bodies (id, wire, crc32) VALUES (1, x'7b7d', 1)");
    damage.around = (_read, otherwise) => otherwise;
    expect([details.request(1), details.attempt(1)]).toEqual([undefined, undefined]);
    expect([details.wire(1), details.responseBody(1)]).toEqual([null, null]);
    expect([details.attemptsOf(1), details.replaysOf(1), details.recentAttempts(9)]).toEqual([[], [], []]);
  });
});

test('recent attempts are those that ended, newest first', () => {
  for (let id = 1; id <= 4; id++) putAttempt(db, id, 1, id === 3 ? null : 'accepted');
  db.exec("UPDATE attempts SET status = id, webhook_name = 'w' || id");
  expect(details.recentAttempts(2).map(({ status }) => status)).toEqual([4, 2]);
  expect(details.recentAttempts(1)[0]).toEqual(details.attempt(4));
});

test('held are calls of an unknown key that were rejected for that, each request once', () => {
  for (const id of [1, 2, 3]) putRequest(db, id);
  db.exec("UPDATE requests SET write_key = CASE id WHEN 3 THEN 'other' ELSE 'wk' END");
  for (const request of [2, 1, 1, 3]) putMessage(db, { request, state: 'rejected', reason: 'unknown_source' });
  putMessage(db, { request: 1, state: 'rejected', reason: 'unknown_type' });
  putMessage(db, { request: 1 });
  expect([ids(held.requestsOf('wk')), held.messagesOf(1), held.messagesOf(2)]).toEqual([[1, 2], [2, 3], [1]]);
});

test('line-ups are those with which the attempts of a range were made', () => {
  db.exec('DELETE FROM line_ups');
  for (const after of [0, 5, 9]) db.exec(`INSERT INTO line_ups (after_attempt, webhooks) VALUES (${after}, '[]')`);
  const between = (first: number, last: number) => details.lineUps(first, last).map((lineUp) => lineUp.afterAttempt);
  expect([between(1, 5), between(5, 6), between(6, 9), between(6, 10), between(10, 10)]).toEqual([
    [0],
    [0, 5],
    [5],
    [5, 9],
    [9],
  ]);
});

test('the size is that of the pages in use', () => {
  const retention = new SqliteRetention(db);
  const before = retention.bytes();
  db.exec("INSERT INTO settings (key, value) VALUES ('big', hex(randomblob(50000)))");
  const grown = retention.bytes();
  expect(grown - before).toBeGreaterThanOrEqual(90_000);
  db.exec("DELETE FROM settings WHERE key = 'big'");
  expect(retention.bytes()).toBeLessThan(grown - 80_000);
});

test.each([
  [[2], 4, [1, 3, 4, 5], 6],
  [[2, 4], 2, [1, 3], 4],
])('a window around rows that cannot be read (%j) shows %d, and reads little more', (bad, count, shown, lastRead) => {
  for (let id = 1; id <= 9; id++) putMessage(db);
  let last = 0;
  db.function('read', (id: unknown) => {
    last = Math.max(last, id as number);
    return bad.includes(id as number) ? torn() : 1;
  });
  const { prepare } = db;
  db.prepare = ((sql: string) => prepare.call(db, sql.replace('ORDER BY', 'AND read(id) ORDER BY'))) as never;
  const around = new SqliteLists(db, receivedCalls, damage);
  expect([ids(around.window(1, count)), last]).toEqual([shown, lastRead]);
});

describe('a page of ids that cannot be read', () => {
  /** Every statement that reads this row fails. */
  function tearAt(bad: number): void {
    db.function('torn', (id: unknown) => (id === bad ? torn() : 1));
    const { prepare } = db;
    db.prepare = ((sql: string) =>
      prepare.call(
        db,
        sql.replace('ORDER BY', 'AND torn(id) ORDER BY').replace(/(id = \?)/, '$1 AND torn(id)'),
      )) as never;
  }

  test.each([
    [1, 9, [9, 8, 7, 6, 5, 4, 3, 2]],
    [5, 9, [9, 8, 7, 6, 4, 3, 2, 1]],
    [9, 9, [8, 7, 6, 5, 4, 3, 2, 1]],
    [5, 3, [9, 8, 7]],
    [8, 3, [9, 7, 6]],
  ])('at %d: the others are found around it, at most %d, newest first', (bad, limit, found) => {
    for (let id = 1; id <= 9; id++) putMessage(db);
    tearAt(bad);
    expect(lists.ids({ filter: {}, before: 10, after: 0, limit, keepGoing: () => true }).ids).toEqual(found);
    const isMet = limit === 9 || bad > found.at(-1)!;
    expect(damage.known).toBe(isMet);
  });

  test('gives no more than the limit where one row is left', () => {
    for (let id = 1; id <= 3; id++) putMessage(db);
    tearAt(3);
    expect(lists.ids({ filter: {}, before: 4, after: 0, limit: 1, keepGoing: () => true }).ids).toEqual([2]);
  });

  test('that fails for another reason is an error', () => {
    putMessage(db);
    const all = (): never => {
      throw new Database.SqliteError('busy', 'SQLITE_BUSY');
    };
    db.prepare = (() => ({ pluck: () => ({ all }) })) as never;
    expect(() => lists.ids({ filter: {}, before: 2, after: 0, limit: 9, keepGoing: () => true })).toThrow('busy');
    expect(damage.known).toBe(false);
  });
});
