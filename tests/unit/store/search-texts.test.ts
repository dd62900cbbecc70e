/** What a search can find in the store, read from a handle of its own. */
import { describe, expect, test } from 'vitest';
import { storeId } from '../../../src/core/store/identity.ts';
import { openSearch } from '../../../src/core/store/search-file.ts';
import { tear } from '../../helpers/damaged-store.ts';
import { SearchRows } from '../../helpers/search-rows.ts';

const texts = (rows: SearchRows, first: number, last: number): string[] =>
  rows.stores.source.texts(first, last, 1)!.texts.map((text) => Buffer.from(text).toString());

test('an empty store has no ids, no texts and no results', () => {
  const { source } = new SearchRows().stores;
  expect([source.oldestId(), source.newestId(), source.newestSettled()]).toEqual([0, 0, 0]);
  expect(source.texts(1, 9, 1)).toEqual({ messages: 0, texts: [], requests: [] });
  expect([source.counts(1, 9, 4), source.responses(0, 9, 9), source.groupsTried(0, 4)]).toEqual([new Map(), [], []]);
});

test('a store is told from another by its id, and one without says so', () => {
  const rows = new SearchRows();
  expect(rows.stores.source.storeId()).toContain(storeId(rows.db));
  rows.db.exec("DELETE FROM settings WHERE key = 'store_id'");
  expect(rows.stores.source.storeId()).toBeNull();
});

describe('the texts of messages', () => {
  test('are those from one id to the other, both included', () => {
    const rows = new SearchRows();
    for (const id of [3, 4, 5, 6]) rows.put(id, { name: `Name${id}`, wire: `{"n":${id}}` });
    for (const id of [3, 4, 5, 6]) rows.answer(rows.attempt(id), id, `answer ${id}`);
    expect([rows.stores.source.oldestId(), rows.stores.source.newestId()]).toEqual([3, 6]);
    expect(texts(rows, 4, 5)).toEqual(['m4', 'Name4', 'm5', 'Name5', '{"n":4}', '{"n":5}', 'answer 4', 'answer 5']);
    expect(rows.stores.source.texts(4, 5, 1)!.messages).toBe(2);
  });

  test('are ids, names, bodies and responses, without those that are not there', () => {
    const rows = new SearchRows();
    rows.put(1, { userId: 'usr_1' });
    rows.db.exec("UPDATE messages SET anonymous_id = 'anon' WHERE id = 1");
    rows.put(2, {});
    rows.attempt(2);
    rows.answer(rows.attempt(2), 2, null);
    expect(texts(rows, 1, 2)).toEqual(['m1', 'usr_1', 'anon', 'm2']);
  });

  test('are of responses only those that are as long as asked', () => {
    const rows = new SearchRows();
    for (const id of [1, 2]) rows.put(id, {});
    rows.answer(rows.attempt(1), 1, 'ok');
    rows.answer(rows.attempt(2), 2, 'yes');
    expect(rows.stores.source.texts(1, 2, 3)!.texts.slice(2)).toEqual([Buffer.from('yes')]);
  });

  test('are none where the message was erased and its row has to stay', () => {
    const rows = new SearchRows();
    for (const id of [1, 2]) rows.put(id, { name: 'Name' });
    rows.db.exec("UPDATE messages SET message_id = 'erased-1', name = '', size = 0 WHERE id = 1");
    expect(rows.stores.source.texts(1, 2, 1)).toMatchObject({ messages: 1, texts: ['m2', 'Name'] });
    expect(rows.stores.source.counts(1, 2, 64)).toEqual(new Map([[0, 1]]));
  });

  test('go with their requests, each once with the places of its calls', () => {
    const rows = new SearchRows();
    rows.request(7, '/v1/batch', '[1,2,3]', { encoding: 'gzip', code: 'invalid_json' });
    rows.request(8, '/v1/track', '{}');
    rows.request(9, '/v1/track', 'not asked for');
    rows.putInBatch(1, 7, 0);
    rows.putInBatch(2, 8, 0);
    rows.putInBatch(3, 7, 2);
    rows.putInBatch(4, 9, 0);
    expect(rows.stores.source.texts(1, 3, 1)!.requests).toEqual([
      { path: '/v1/batch', body: Buffer.from('[1,2,3]'), encoding: 'gzip', code: 'invalid_json', positions: [0, 2] },
      { path: '/v1/track', body: Buffer.from('{}'), encoding: null, code: null, positions: [0] },
    ]);
  });
});

test('messages are counted by groups of ids', () => {
  const rows = new SearchRows();
  for (const id of [1, 9, 10, 11, 19, 30, 31]) rows.put(id, {});
  expect(rows.stores.source.counts(9, 30, 10)).toEqual(
    new Map([
      [0, 1],
      [1, 3],
      [3, 1],
    ]),
  );
});

describe('responses', () => {
  test('are settled up to the first attempt that is open', () => {
    const rows = new SearchRows();
    rows.put(1, {});
    const attempts = [rows.attempt(1), rows.attempt(1), rows.attempt(1)] as const;
    const { source } = rows.stores;
    expect(source.newestSettled()).toBe(0);
    rows.answer(attempts[0], 1, 'one');
    rows.answer(attempts[2], 1, 'three');
    expect(source.newestSettled()).toBe(1);
    rows.answer(attempts[1], 1, 'two');
    expect(source.newestSettled()).toBe(3);
  });

  test('come with their messages, above an attempt and up to another, and only those that are long enough', () => {
    const rows = new SearchRows();
    for (const id of [1, 2]) rows.put(id, {});
    for (const [message, response] of [
      [1, 'aa'],
      [2, 'bbb'],
      [1, null],
      [1, 'dd'],
      [2, 'ee'],
    ] as const)
      rows.answer(rows.attempt(message), message, response);
    const read = (after: number, upTo: number, shortest: number) =>
      rows.stores.source
        .responses(after, upTo, shortest)
        .map(({ messageId, body }) => [messageId, Buffer.from(body).toString()]);
    expect(read(1, 4, 2)).toEqual([
      [2, 'bbb'],
      [1, 'dd'],
    ]);
    expect(read(0, 5, 3)).toEqual([[2, 'bbb']]);
  });

  test('are of messages in these groups', () => {
    const rows = new SearchRows();
    for (const id of [5, 15, 16, 39]) rows.attempt(id);
    expect(rows.stores.source.groupsTried(1, 10)).toEqual([1, 3]);
  });
});

describe('a damaged page', () => {
  const torn = (table: string) => {
    const rows = new SearchRows();
    rows.put(1, { wire: '{}' });
    rows.stores.source.close();
    rows.db.close();
    tear(rows.folder, table);
    return openSearch(rows.folder).source;
  };

  test.each(['messages', 'message_bodies'])('of %s leaves no texts', (table) => {
    const source = torn(table);
    expect(source.texts(1, 1, 1)).toBeNull();
    source.close();
  });

  test('of messages leaves no counts', () => {
    const source = torn('messages');
    expect(source.counts(1, 1, 64)).toEqual(new Map());
    source.close();
  });

  test('is told from any other error', () => {
    const { source } = new SearchRows().stores;
    source.close();
    expect(() => source.texts(1, 1, 1)).toThrow('not open');
    expect(() => source.counts(1, 1, 64)).toThrow('not open');
  });
});
