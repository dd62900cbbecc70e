/** The functions that the store adds to SQL, each asked alone. */
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { FilterFunctions, fieldParameter, KEPT, kept } from '../../../src/core/store/filter-function.ts';
import type { ReceivedBytes } from '../../../src/core/store/ports/lists.ts';

/** Every request has the calls `0:path`, `1:path` and so on. */
function opened() {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  const requests: ReceivedBytes[] = [];
  const functions = new FilterFunctions(db, (request) => {
    requests.push(request);
    return (position) => Buffer.from(`${position}:${request.path}`);
  });
  const ask = (sql: string, ...values: unknown[]): unknown => {
    const answer = db
      .prepare(`SELECT ${sql}`)
      .pluck()
      .get(...values);
    return answer instanceof Uint8Array ? Buffer.from(answer).toString() : answer;
  };
  return { db, functions, requests, ask };
}

const total = (op: '=' | '>', value: string): string =>
  fieldParameter({ key: 'field', path: 'a.total', op, values: [value] });

test('a field is compared in bytes, and in nothing else', () => {
  const { ask } = opened();
  const body = Buffer.from('{"a":{"total":7}}');
  const fits = (term: string, wire: unknown) => ask('matches_field(?, ?)', term, wire);
  expect([fits(total('>', '6'), body), fits(total('>', '7'), body), fits(total('=', '7'), body)]).toEqual([1, 0, 1]);
  expect([fits(total('=', '7'), body.toString()), fits(total('=', '7'), null)]).toEqual([0, 0]);
});

test('a text is looked for in bytes, and in nothing else', () => {
  const { ask } = opened();
  const holds = (part: string, bytes: unknown) => ask('holds_text(?, ?)', part, bytes);
  expect([holds('B', Buffer.from('abc')), holds('x', Buffer.from('abc'))]).toEqual([1, 0]);
  expect([holds('b', 'abc'), holds('n', null)]).toEqual([0, 0]);
});

test('a text is also looked for with the escapes of JSON undone', () => {
  const { ask } = opened();
  const body = Buffer.from(JSON.stringify('say "hi"'));
  const holds = (part: string) => ask('holds_text(?, ?)', part, body);
  expect(['SAY "hi"', String.raw`say \"hi`, "say 'hi'"].map(holds)).toEqual([1, 1, 0]);
});

test('a test is compiled once while there is room, and the room has a bound', () => {
  const made: string[] = [];
  const lengthOf = kept((text) => {
    made.push(text);
    return text.length;
  });
  const asked = Array.from({ length: KEPT }, (_, n) => 'x'.repeat(n));
  for (const text of [...asked, ...asked]) expect(lengthOf(text)).toBe(text.length);
  expect(made).toEqual(asked);
  lengthOf('one more');
  expect(lengthOf('')).toBe(0);
  expect(made).toEqual([...asked, 'one more', '']);
});

test('calls of one request are taken out of bytes that are decoded once', () => {
  const { ask, requests } = opened();
  const body = Buffer.from('{}');
  const call = (position: number, id: number, path: string | null, bytes: Uint8Array | null = null) =>
    ask('received_call(?, ?, ?, ?, ?, ?)', position, id, path, 'gzip', 'some_code', bytes);
  expect(call(0, 5, '/a', body)).toBe('0:/a');
  expect([ask('is_open(?)', 5), ask('is_open(?)', 6)]).toEqual([1, 0]);
  expect(call(3, 5, null)).toBe('3:/a');
  expect(requests).toEqual([{ path: '/a', encoding: 'gzip', code: 'some_code', body }]);
  expect(call(1, 6, '/b', body)).toBe('1:/b');
  expect([ask('is_open(?)', 5), ask('is_open(?)', 6), requests.length]).toEqual([0, 1, 2]);
});

test('a request is decoded anew once it may have changed', () => {
  const { ask, functions, requests } = opened();
  const call = () => ask('received_call(0, 5, ?, NULL, NULL, ?)', '/a', Buffer.from('{}'));
  call();
  functions.forget();
  expect(ask('is_open(5)')).toBe(0);
  call();
  expect(requests).toHaveLength(2);
});

test.each([
  "matches_field('', x'00')",
  "holds_text('', x'00')",
  'is_open(1)',
  "received_call(0, 1, '/a', NULL, NULL, x'00')",
])('a view in the file cannot call %s', (call) => {
  const { db } = opened();
  db.exec(`CREATE VIEW planted AS SELECT ${call}`);
  expect(() => db.prepare('SELECT * FROM planted').all()).toThrow(/unsafe use of/);
});

test('nothing is open at first, not even a request without an id', () => {
  const { ask } = opened();
  expect([ask('is_open(0)'), ask('is_open(NULL)')]).toEqual([0, 0]);
});
