import { beforeEach, describe, expect, test } from 'vitest';
import { type Looked, Search, type SearchDeps } from '../../../src/core/deletions/search.ts';
import { wordsOf } from '../../../src/core/model/result-words.ts';
import { attemptRow, messageRow, replayRow, requestRow } from '../../store/rows.ts';
import type { StoreUnderTest } from '../../store/store-under-test.ts';
import { bodyOf, open, placesOf, put, putBatch, requestAbout, soon, writeTo } from './facts.ts';

let store: StoreUnderTest;
let elsewhere: { bytes: number; rows: number };
let remembered: number;
let isStopped: () => boolean;
let asked: unknown[];
let writes: number;

beforeEach(() => {
  store = open();
  elsewhere = { bytes: 0, rows: 0 };
  remembered = 0;
  isStopped = () => false;
  asked = [];
  writes = 0;
});

async function search(userIds: readonly string[], over = {}): Promise<Looked | null> {
  const deletion = await requestAbout(store, userIds, over);
  const audiences = {
    look: async (mentions: (json: string) => boolean) => {
      asked.push(mentions(`"${userIds[0]}"`), mentions('"nobody"'));
      return elsewhere;
    },
  };
  const people = {
    callsOf: async (...given: unknown[]) => {
      asked.push(given);
      return remembered;
    },
  };
  const deps = { deletions: store.deletions, store: store.erasure, audiences, people, timers: soon };
  const write: SearchDeps['write'] = (job) => {
    writes += 1;
    return writeTo(store)(job);
  };
  return new Search({ ...deps, write, isStopped: () => isStopped() }, deletion, placesOf(userIds)).run();
}
const cutCalls = () => store.deletions.get(1)!.erased.cutCalls;
const request = (id: number, body: string, over = {}) =>
  store.arrange.request(requestRow(id, { path: '/v1/track', body: Buffer.from(body), ...over }));

describe('rows that mention an id', () => {
  test('are counted by message, in columns, delivered bytes and answers, without notices', async () => {
    put(store, 1, { userId: 'kept' }, '{"by":"a"}');
    put(store, 2, { userId: 'kept', anonymousId: 'a' });
    put(store, 3, { userId: 'kept', name: 'a → kept', type: 'alias' });
    put(store, 4, { userId: 'kept' }, '{"by":"ab"}');
    put(store, 5, { userId: 'a', origin: 'deletion', type: 'delete' }, '{"userId":"a"}');
    put(store, 6, { userId: 'a' });
    put(store, 7, { userId: 'kept' });
    store.arrange.attempt(attemptRow(1, 7), Buffer.from('{"echo":"a"}'));
    store.arrange.attempt(attemptRow(2, 5), Buffer.from('{"echo":"a"}'));
    store.arrange.attempt(attemptRow(3, 1), Buffer.from('{"echo":"a"}'));
    const looked = (await search(['a']))!;
    expect([looked.found, [...looked.messages]]).toEqual([5, [1, 2, 3, 6, 7]]);
  });

  test('in what an attempt says of its request count too', async () => {
    const result = { ...attemptRow(1, 1).result!, detail: 'a' };
    put(store, 1, { userId: 'kept' });
    store.arrange.attempt(attemptRow(1, 1, { result }));
    expect((await search(['a']))!.found).toBe(1);
  });

  test('in bodies that a person edited count too, in steps and without notices', async () => {
    put(store, 1, { userId: 'kept' });
    put(store, 2, { userId: 'kept' });
    put(store, 3, { userId: 'kept', origin: 'deletion', type: 'delete' });
    for (let id = 1; id <= 100; id++) store.arrange.replay(replayRow(id, 1), Buffer.from('{"by":"b"}'));
    store.arrange.replay(replayRow(101, 2), Buffer.from('{"by":"a"}'));
    store.arrange.replay(replayRow(102, 3), Buffer.from('{"userId":"a"}'));
    const looked = (await search(['a']))!;
    expect([looked.found, [...looked.messages]]).toEqual([1, [2]]);
  });

  test('in no answer where an attempt has none', async () => {
    put(store, 1, { userId: 'kept' });
    store.arrange.attempt(attemptRow(1, 1), null);
    expect((await search(['a']))!.found).toBe(0);
  });

  test('only in answers that hold the id, however many there are', async () => {
    put(store, 1, { userId: 'kept' });
    put(store, 2, { userId: 'kept' });
    for (let id = 1; id <= 120; id++) store.arrange.attempt(attemptRow(id, 1), Buffer.from('{"echo":"b"}'));
    for (let id = 121; id <= 250; id++)
      store.arrange.attempt(attemptRow(id, 2), Buffer.from(id === 250 ? '{"echo":"a"}' : '{}'));
    expect([...(await search(['a']))!.messages]).toEqual([2]);
  });

  test('only up to the request', async () => {
    put(store, 1, { userId: 'kept' });
    put(store, 2, { userId: 'a' });
    expect((await search(['a'], { upTo: 1 }))!.found).toBe(0);
  });

  test('are listed up to 100, and all are counted', async () => {
    for (let id = 1; id <= 250; id++) put(store, id, { userId: 'a' });
    const looked = (await search(['a']))!;
    expect([looked.found, looked.messages.size]).toEqual([250, 100]);
  });

  test('of audiences, and calls that rules remember, count too', async () => {
    put(store, 1, { userId: 'kept' });
    elsewhere = { bytes: 1_000, rows: 2 };
    remembered = 4;
    const looked = (await search(['a']))!;
    expect([looked.found, looked.bytes > 1_000]).toEqual([6, true]);
    expect(asked).toEqual([true, false, [['a'], 1]]);
  });
});

test('all bytes that were looked at are counted', async () => {
  request(1, '{"x":1}', { path: '/v1/track' });
  store.arrange.message(messageRow(1, { userId: 'kept' }), Buffer.from('{"wire":1}'));
  const attempt = attemptRow(1, 1);
  store.arrange.attempt(attempt, Buffer.from('answer'));
  store.arrange.replay(replayRow(1, 1), Buffer.from('edited body'));
  const expected = '/v1/track'.length + 7 + 10 + wordsOf(attempt.result!).length + 6 + 11;
  expect((await search(['a']))!.bytes).toBe(expected);
});

describe('stored requests', () => {
  test('lose calls that no row leads to, in steps, and say how many', async () => {
    for (let id = 1; id <= 45; id++) putBatch(store, id, 2 * id, ['a', 'kept']);
    const looked = (await search(['a'], { upTo: 0 }))!;
    expect([cutCalls(), looked.found]).toEqual([45, 0]);
    expect(bodyOf(store, 45)).toBe('{"batch":[null,{"type":"track","event":"E","userId":"kept"}]}');
    expect(store.erasure.cutCalls(1)).toBe(1);
  });

  test('only up to the request; those of notices stay', async () => {
    putBatch(store, 1, 1, ['a']);
    request(2, '{"userId":"a","event":"E"}', { writeKey: null });
    putBatch(store, 3, 3, ['a', 'kept']);
    await search(['a'], { upTo: 0, upToRequest: 2 });
    expect([bodyOf(store, 1), bodyOf(store, 2), cutCalls()]).toEqual(['', '{"userId":"a","event":"E"}', 1]);
    expect(bodyOf(store, 3)).toContain('"a"');
  });

  test('of others that mention an id stay and are counted', async () => {
    request(1, '{"userId":"kept","event":"E","properties":{"by":"a"}}');
    const looked = (await search(['a']))!;
    expect([looked.found, cutCalls()]).toEqual([1, 0]);
    expect(bodyOf(store, 1)).toContain('"a"');
  });

  test('that mention an id beside a call of it count after the cut', async () => {
    const batch = [
      { type: 'track', event: 'E', userId: 'a' },
      { type: 'track', event: 'E', userId: 'kept', properties: { by: 'a' } },
    ];
    request(1, JSON.stringify({ batch }), { path: '/v1/batch' });
    expect((await search(['a']))!.found).toBe(1);
    expect(cutCalls()).toBe(1);
  });

  test('that hold no calls and mention an id lose their bytes', async () => {
    request(1, '{"broken":"a"');
    request(2, '{"broken":"b"');
    request(3, '{"userId":"a"}', { path: '/v1/elsewhere' });
    const looked = (await search(['a']))!;
    expect([bodyOf(store, 1), bodyOf(store, 2), bodyOf(store, 3)]).toEqual(['', '{"broken":"b"', '']);
    expect([cutCalls(), looked.found]).toEqual([2, 0]);
  });

  test('that hold no calls and do not mention the id stay, however it may be spelt', async () => {
    request(1, '{"broken":"b"');
    const looked = (await search(['42']))!;
    expect([bodyOf(store, 1), cutCalls(), looked.found]).toEqual(['{"broken":"b"', 0, 0]);
  });

  test('are written to only when something was cut', async () => {
    putBatch(store, 1, 1, ['kept']);
    await search(['a']);
    expect(writes).toBe(0);
    putBatch(store, 2, 2, ['a', 'kept']);
    await search(['a'], { upTo: 0 });
    expect(writes).toBe(1);
  });

  test('with the id as a number, escaped, or in the query are cut too', async () => {
    request(1, '{"userId":42,"event":"E"}');
    request(2, '{"userId":"\\u0034\\u0032","event":"E"}');
    const data = Buffer.from('{"userId":"42","event":"E","writeKey":"wk"}').toString('base64');
    request(3, '', { path: `/v1/pixel/track?data=${encodeURIComponent(data)}`, method: 'GET' });
    await search(['42']);
    expect([1, 2].map((id) => bodyOf(store, id))).toEqual(['', '']);
    expect(store.details.request(3)!.path).not.toContain('data=');
    expect(cutCalls()).toBe(3);
  });

  test('of a plain id in a query are cut, and a compressed body is looked into', async () => {
    const data = Buffer.from('{"userId":"a","event":"E","writeKey":"wk"}').toString('base64');
    request(1, '', { path: `/v1/pixel/track?data=${encodeURIComponent(data)}`, method: 'GET' });
    await search(['a']);
    expect(cutCalls()).toBe(1);
  });
});

test('a search that is stopped gives nothing and asks nobody else', async () => {
  for (let id = 1; id <= 250; id++) put(store, id, { userId: 'kept' });
  let looks = 0;
  isStopped = () => ++looks > 3;
  expect([await search(['a']), asked]).toEqual([null, []]);
  isStopped = () => asked.length > 0;
  expect(await search(['a'])).toBeNull();
});
