import { beforeEach, describe, expect, test } from 'vitest';
import { Eraser, isCallOf } from '../../../src/core/deletions/eraser.ts';
import type { DeletionRecord } from '../../../src/core/store/ports/deletions.ts';
import { attemptRow, messageRow, replayRow } from '../../store/rows.ts';
import type { StoreUnderTest } from '../../store/store-under-test.ts';
import { bodyOf, open, placesOf, put, putBatch, requestAbout, writeTo } from './facts.ts';

let store: StoreUnderTest;
let stopped: number[];
let eraser: Eraser;

beforeEach(() => {
  store = open();
  stopped = [];
  eraser = new Eraser({
    deletions: store.deletions,
    store: store.erasure,
    write: writeTo(store),
    stopMessage: async (id) => {
      stopped.push(id);
      store.arrange.message(messageRow(id, { userId: 'a', state: 'stopped' }));
      return true;
    },
  });
});

const step = async (deletion: DeletionRecord, userIds: readonly string[]) => {
  const gotFurther = await eraser.step(store.deletions.get(deletion.id)!, placesOf(userIds));
  return { gotFurther, ...store.deletions.get(deletion.id)! };
};
const usersOf = () => store.lists.window(1, 10_000).map(({ userId }) => userId);

test('calls of a user are known by the id as text, also as a number; notices are no calls', () => {
  const isMine = isCallOf(new Set(['a', '7']));
  expect([{ userId: 'a' }, { userId: 7 }, { userId: 'A' }, {}, { userId: 'a', type: 'delete' }].map(isMine)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('a step erases the calls of these users up to the request, counts them, and says how far it looked', async () => {
  put(store, 1, { userId: 'a', replays: 1 });
  store.arrange.attempt(attemptRow(1, 1));
  store.arrange.attempt(attemptRow(2, 1));
  put(store, 2, { userId: 'b' });
  put(store, 3, { userId: 'c', state: 'rejected', reason: 'unknown_source' });
  put(store, 4, { userId: 'a', origin: 'deletion', type: 'delete' });
  put(store, 5, { userId: 'kept' });
  store.arrange.attempt(attemptRow(3, 5));
  const deletion = await requestAbout(store, ['a', 'c'], { upTo: 5 });
  put(store, 6, { userId: 'a' });
  const after = await step(deletion, ['a', 'c']);
  expect(usersOf().toSorted()).toEqual(['a', 'a', 'b', 'kept']);
  expect(after).toMatchObject({ gotFurther: true, lookedAt: 5, erased: { messages: 2, attempts: 2, heldCalls: 1 } });
  const users = store.deletions.users({ id: deletion.id, after: 0, limit: 9 });
  expect(users.map(({ erased }) => erased)).toEqual([1, 1]);
});

test('steps take at most 25 messages and add to the counts', async () => {
  for (let id = 1; id <= 60; id++) put(store, id, { userId: 'a' });
  put(store, 61, { userId: 'kept' });
  const deletion = await requestAbout(store, ['a']);
  const looked = [];
  for (let n = 0; n < 3; n++) looked.push(await step(deletion, ['a']));
  expect(looked.map(({ lookedAt, erased }) => [lookedAt, erased.messages])).toEqual([
    [25, 25],
    [50, 50],
    [61, 60],
  ]);
  expect(store.deletions.users({ id: deletion.id, after: 0, limit: 1 })[0]!.erased).toBe(60);
});

test('replays are counted over steps', async () => {
  for (let id = 1; id <= 30; id++) put(store, id, { userId: 'a' });
  for (const [i, messageId] of [1, 1, 2, 30].entries()) store.arrange.replay(replayRow(i + 1, messageId));
  const deletion = await requestAbout(store, ['a']);
  expect((await step(deletion, ['a'])).erased.replays).toBe(3);
  expect((await step(deletion, ['a'])).erased.replays).toBe(4);
});

test('a step over an empty store looked at everything', async () => {
  const deletion = await requestAbout(store, ['a'], { upTo: 7 });
  expect(await step(deletion, ['a'])).toMatchObject({ gotFurther: true, lookedAt: 7, erased: { messages: 0 } });
});

test('a step looks at 1,000 rows', async () => {
  for (let id = 1; id <= 1_001; id++) store.arrange.message(messageRow(id, { userId: 'kept' }));
  const deletion = await requestAbout(store, ['a']);
  expect((await step(deletion, ['a'])).lookedAt).toBe(1_000);
  expect((await step(deletion, ['a'])).lookedAt).toBe(1_001);
});

describe('a message that is on its way', () => {
  test('is stopped first, and only that one', async () => {
    put(store, 1, { userId: 'a', state: 'retrying' });
    put(store, 2, { userId: 'a' });
    put(store, 3, { userId: 'kept', state: 'queued' });
    const after = await step(await requestAbout(store, ['a']), ['a']);
    expect([stopped, usersOf(), after.erased.messages]).toEqual([[1], ['kept'], 2]);
  });

  test('that cannot be stopped yet is looked at again by the next step', async () => {
    eraser = new Eraser({
      deletions: store.deletions,
      store: store.erasure,
      write: writeTo(store),
      stopMessage: async () => false,
    });
    put(store, 1, { userId: 'a', state: 'delivering' });
    put(store, 2, { userId: 'a' });
    put(store, 3, { userId: 'kept' });
    const after = await step(await requestAbout(store, ['a']), ['a']);
    expect(after).toMatchObject({ gotFurther: false, lookedAt: 0, erased: { messages: 1 } });
    expect(usersOf().toSorted()).toEqual(['a', 'kept']);
  });
});

describe('a request that also holds calls of others', () => {
  test('loses the calls of these users and keeps the others byte for byte', async () => {
    putBatch(store, 1, 1, ['a', 'kept', 'a']);
    putBatch(store, 2, 4, ['kept']);
    const after = await step(await requestAbout(store, ['a']), ['a']);
    expect(bodyOf(store, 1)).toBe('{"batch":[null,{"type":"track","event":"E","userId":"kept"},null]}');
    expect(after.erased).toMatchObject({ messages: 2, cutCalls: 2 });
    expect([store.erasure.cutCalls(1), store.erasure.cutCalls(2)]).toEqual([2, 0]);
    expect(bodyOf(store, 2)).toContain('kept');
  });

  test('goes as a whole with its last call', async () => {
    putBatch(store, 1, 1, ['a', 'a']);
    putBatch(store, 2, 3, ['kept']);
    const after = await step(await requestAbout(store, ['a']), ['a']);
    expect([store.details.request(1), after.erased.cutCalls]).toEqual([undefined, 0]);
  });
});
