import { beforeEach, expect, test } from 'vitest';
import { wordsOf } from '../../src/core/model/result-words.ts';
import type { ErasedMessage } from '../../src/core/store/ports/erasure.ts';
import { finishedAttempt } from './rounds-conformance.ts';
import { attemptRow, messageRow, replayRow, requestRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

export function erasureConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });
  const erase = (...ids: number[]): Promise<ErasedMessage[]> =>
    commit(store, (changes) => store.erasure.erase(ids, changes));
  const left = (): number[] => [...store.lists.allIds()];
  const put = (id: number, over: Parameters<typeof messageRow>[1] = {}, wire = `{"n":${id}}`): void =>
    store.arrange.message(messageRow(id, over), Buffer.from(wire));

  test('calls are the messages with a user, by id, within a stretch', () => {
    put(1);
    put(2, { userId: null });
    put(3, { userId: 'u2', state: 'rejected', reason: 'unknown_source', sourceId: null });
    put(4);
    const call = { origin: 'sdk', type: 'track', replays: 0 };
    expect(store.erasure.calls({ after: 1, upTo: 3, limit: 9 })).toEqual([
      { ...call, id: 3, userId: 'u2', sourceId: null, requestId: 3, state: 'rejected', reason: 'unknown_source' },
    ]);
    expect(store.erasure.calls({ after: 0, upTo: 9, limit: 2 }).map(({ id }) => id)).toEqual([1, 3]);
    expect(store.erasure.newest().message).toBe(4);
  });

  test('what belongs to a message goes with it, and nothing of another', async () => {
    for (const id of [1, 2, 3]) {
      store.arrange.request(requestRow(id));
      put(id);
      store.arrange.attempt(attemptRow(2 * id, id), Buffer.from('answer'));
      store.arrange.attempt(attemptRow(2 * id + 1, id));
      store.arrange.replay(replayRow(id, id));
    }
    expect(store.erasure.attemptsOf([1, 2])).toBe(4);
    expect(await erase(2)).toEqual([{ id: 2, userId: 'u1', requestId: 2, isHeld: false, attempts: 2, replays: 1 }]);
    expect(left()).toEqual([1, 3]);
    const { details } = store;
    expect([details.request(2), details.attempt(4), details.replay(2), details.wire(2)]).toEqual([
      undefined,
      undefined,
      undefined,
      null,
    ]);
    expect(details.responseBody(4)).toBeNull();
    expect([details.request(1), details.attempt(2), details.replay(3)].every((row) => row !== undefined)).toBe(true);
    expect(store.commits.at(-1)!.removed).toEqual([2]);
    expect(store.lists.counts().find(({ state }) => state === 'delivered')!.n).toBe(2);
  });

  test('a message that is not final stays', async () => {
    for (const [i, state] of (['queued', 'retrying', 'paused', 'delivered'] as const).entries()) put(i + 1, { state });
    put(9);
    expect((await erase(1, 2, 3, 4, 77)).map(({ id }) => id)).toEqual([4]);
    expect(left()).toEqual([1, 2, 3, 9]);
  });

  test('the newest of each kind stays without its content, so that no id comes again', async () => {
    store.arrange.request(requestRow(5, { path: '/v1/pixel/track?data=secret' }));
    put(7, { requestId: 5, userId: 'u1', anonymousId: 'anon', name: 'secret', notes: [{ code: 'duplicate_key' }] });
    store.arrange.attempt(attemptRow(3, 7), Buffer.from('secret'));
    store.arrange.replay(replayRow(2, 7));
    const [erased] = await erase(7);
    expect(erased).toMatchObject({ id: 7, attempts: 1, replays: 1 });
    expect(store.commits.at(-1)).toMatchObject({ removed: [], emptied: [7] });
    expect(store.lists.message(7)).toMatchObject({
      messageId: 'erased-7',
      name: '',
      userId: null,
      anonymousId: null,
      reasonDetail: null,
      size: 0,
      notes: [],
      state: 'delivered',
    });
    const { details } = store;
    expect([details.wire(7), details.responseBody(3), details.attempt(3)!.result]).toEqual([null, null, null]);
    expect(details.request(5)).toMatchObject({ path: '/v1/pixel/track', headers: [], encoding: null });
    expect(details.request(5)!.body).toHaveLength(0);
    expect(details.replay(2)).toBeDefined();
    expect(store.erasure.newest()).toEqual({ message: 7, request: 5 });
    expect(store.erasure.calls({ after: 0, upTo: 9, limit: 9 })).toEqual([]);
  });

  test('an attempt that is open on what stays ends there, so that no answer is written to it', async () => {
    put(7, { cells: 'as...' });
    store.arrange.attempt(attemptRow(3, 7, { slot: 2, outcome: null }));
    expect(store.erasure.attemptsOf([7])).toBe(1);
    await erase(7);
    expect(store.lists.message(7)!.cells).toBe('ai...');
    expect(store.details.attempt(3)!.outcome).toBe('interrupted');
    const late = store.rounds.write(() => ({ finished: [finishedAttempt(3)], moves: [], opened: [] }), 1);
    store.writer.flush();
    await late;
    expect([store.details.attempt(3)!.outcome, store.details.attempt(3)!.result]).toEqual(['interrupted', null]);
  });

  test.each([
    ['attempt', 2],
    ['replay', 3],
    ['message', 4],
  ])('the message of the newest %s stays without its content, whichever comes later', async (_newest, stays) => {
    for (const id of [1, 2, 3, 4]) put(id);
    store.arrange.attempt(attemptRow(1, 1));
    store.arrange.attempt(attemptRow(2, 2));
    store.arrange.replay(replayRow(1, 1));
    store.arrange.replay(replayRow(2, 3));
    const erased = await erase(1, stays);
    expect(erased.map(({ id, replays }) => [id, replays])).toEqual([
      [1, 1],
      [stays, stays === 3 ? 1 : 0],
    ]);
    expect(store.commits.at(-1)).toMatchObject({ removed: [1], emptied: [stays] });
    expect(store.lists.message(stays)).toMatchObject({ messageId: `erased-${stays}`, size: 0 });
  });

  test('a request without its content stays as the newest, or for a message that stays', async () => {
    for (const id of [2, 3, 5]) store.arrange.request(requestRow(id, { path: '/v1/track?secret' }));
    put(1, { requestId: 3 });
    put(2, { requestId: 5 });
    put(7, { requestId: 2 });
    await erase(1, 2, 7);
    expect(left()).toEqual([7]);
    const emptied = { path: '/v1/track', headers: [] };
    expect([2, 5].map((id) => store.details.request(id))).toMatchObject([emptied, emptied]);
    expect(store.details.request(3)).toBeUndefined();
  });

  test.each([
    ['rejected', 'unknown_source', true],
    ['rejected', 'unknown_type', false],
    ['not_selected', 'unknown_source', false],
  ] as const)('one that is %s for %s was held: %s', async (state, reason, isHeld) => {
    put(1, { state, reason });
    put(2);
    expect((await erase(1))[0]!.isHeld).toBe(isHeld);
  });

  test('bytes of a request are replaced though no call was cut out of them', async () => {
    store.arrange.request(requestRow(1));
    const bytes = { path: '/v1/batch', body: Buffer.from('{}'), encoding: null };
    await commit(store, (changes) => store.erasure.cut({ id: 1, ...bytes, cutCalls: 0 }, changes));
    expect([store.details.request(1)?.path, store.erasure.cutCalls(1)]).toEqual(['/v1/batch', 0]);
  });

  test('a request stays while it has another call, and can be cut', async () => {
    store.arrange.request(requestRow(1, { path: '/v1/batch' }));
    store.arrange.request(requestRow(2));
    put(1, { requestId: 1 });
    put(2, { requestId: 1, position: 1, userId: 'other' });
    put(3, { requestId: 2 });
    await erase(1);
    expect(store.details.request(1)).toEqual(requestRow(1, { path: '/v1/batch' }));
    const cut = { path: '/v1/batch', body: Buffer.from('{"batch":[null,{}]}'), encoding: null, cutCalls: 1 };
    await commit(store, (changes) => store.erasure.cut({ id: 1, ...cut }, changes));
    await commit(store, (changes) => store.erasure.cut({ id: 1, ...cut }, changes));
    expect(Buffer.from(store.details.request(1)!.body).toString()).toBe('{"batch":[null,{}]}');
    expect([store.erasure.cutCalls(1), store.erasure.cutCalls(2)]).toEqual([2, 0]);
    await erase(2);
    expect([store.details.request(1), left()]).toEqual([undefined, [3]]);
  });

  test('a request with a source and without a key is one of notices', () => {
    store.arrange.request(requestRow(1, { writeKey: null }));
    store.arrange.request(requestRow(2, { writeKey: null, sourceId: null }));
    store.arrange.request(requestRow(3));
    const requests = store.erasure.requests({ after: 0, upTo: 9, limit: 9 });
    expect(requests.map(({ id, isNotices }) => [id, isNotices])).toEqual([
      [1, 1],
      [2, 0],
      [3, 0],
    ]);
    expect(store.erasure.request(3)).toEqual(requests[2]);
  });

  test('the search reads bodies and answers within a stretch', () => {
    put(1, { name: 'a → b', type: 'alias', origin: 'audience' });
    put(2);
    store.arrange.message(messageRow(3));
    store.arrange.attempt(attemptRow(1, 1), Buffer.from('hello'));
    store.arrange.attempt(attemptRow(2, 1, { outcome: null }));
    store.arrange.attempt(attemptRow(3, 77));
    const messages = store.erasure.messages({ after: 0, upTo: 9, limit: 9 });
    expect(messages.map(({ id, wire }) => [id, wire && Buffer.from(wire).toString()])).toEqual([
      [1, '{"n":1}'],
      [2, '{"n":2}'],
      [3, null],
    ]);
    expect(messages[0]).toMatchObject({ name: 'a → b', type: 'alias', origin: 'audience', userId: 'u1' });
    const results = store.erasure.results({ after: 0, upTo: 9, limit: 9 });
    expect(results.map(({ id, messageId, origin, body }) => [id, messageId, origin, String(body)])).toEqual([
      [1, 1, 'audience', expect.anything()],
    ]);
    expect(Buffer.from(results[0]!.body!).toString()).toBe('hello');
    expect(results[0]!.words).toBe(wordsOf(attemptRow(1, 1).result!));
    expect(store.erasure.newestAttempt()).toBe(3);
  });

  test('the edited bytes of a replay are found, and go with their message, from the newest replay too', async () => {
    put(1);
    put(2, { state: 'delivered' });
    put(3);
    const attempt = { webhookId: 7, slot: 1, webhookName: 'CRM', url: 'http://crm.test/', round: 1, clockAt: 6 };
    const attempts = [{ ...attempt, startedAt: 5 }];
    for (const messageId of [2, 1]) {
      const body = Buffer.from(`{"edited":${messageId}}`);
      const opened = store.replays.open({ messageId, createdAt: 3, attempts, sent: 'edited', body });
      store.writer.flush();
      await opened;
    }
    const found = () => store.erasure.replays({ after: 0, upTo: 99, limit: 10 });
    expect(found().map(({ messageId, body }) => [messageId, Buffer.from(body).toString()])).toEqual([
      [2, '{"edited":2}'],
      [1, '{"edited":1}'],
    ]);
    await erase(1, 2);
    expect(found()).toEqual([]);
    expect([store.replays.bodyOf(1), store.replays.bodyOf(2)]).toEqual([null, null]);
    expect(store.details.replay(2)).toMatchObject({ messageId: 1 });
  });
}
