import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { FINAL_STATES, MESSAGE_STATES, type MessageState } from '../../src/core/model/vocabulary.ts';
import type { Purged, PurgeStep } from '../../src/core/store/ports/retention.ts';
import { attemptRow, messageRow, replayRow, requestRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

const NEVER = Number.NEGATIVE_INFINITY;

export function retentionConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });

  const put = (states: readonly MessageState[]): void => {
    for (const [i, state] of states.entries()) store.arrange.message(messageRow(i + 1, { state }));
  };
  const delivered = (n: number): MessageState[] => new Array<MessageState>(n).fill('delivered');
  const purge = (step: Partial<PurgeStep> = {}): Promise<Purged> =>
    commit(store, (changes) =>
      store.retention.purge({ after: 0, limit: 1_000, receivedBefore: NEVER, ...step }, changes),
    );
  const left = (): number[] => [...store.lists.allIds()];

  test('an empty store has no newest and no oldest message, and nothing goes', async () => {
    expect([store.retention.newestId(), store.retention.oldestReceivedAt()]).toEqual([0, null]);
    expect(await purge()).toEqual({ removed: 0, lookedAt: null });
  });

  test('the newest message has the highest id, the oldest the lowest', () => {
    store.arrange.message(messageRow(4, { receivedAt: 90 }));
    store.arrange.message(messageRow(9, { receivedAt: 30 }));
    expect([store.retention.newestId(), store.retention.oldestReceivedAt()]).toEqual([9, 90]);
  });

  describe('a step', () => {
    test.each<[string, number, Partial<PurgeStep>, Purged, number[]]>([
      ['takes the oldest and never the newest', 4, {}, { removed: 3, lookedAt: null }, [4]],
      ['takes as many as its limit and says where to go on', 5, { limit: 2 }, { removed: 2, lookedAt: 2 }, [3, 4, 5]],
      ['goes on where it was told', 6, { after: 2, limit: 2 }, { removed: 2, lookedAt: 4 }, [1, 2, 5, 6]],
      ['says where it stands when it took nothing', 3, { after: 1, limit: 0 }, { removed: 0, lookedAt: 1 }, [1, 2, 3]],
      [
        'takes what is too old beside its limit',
        6,
        { limit: 0, receivedBefore: 4 },
        { removed: 3, lookedAt: 3 },
        [4, 5, 6],
      ],
      ['looks no further than it was told', 6, { upTo: 2 }, { removed: 2, lookedAt: null }, [3, 4, 5, 6]],
    ])('%s', async (_what, n, step, expected, ids) => {
      put(delivered(n));
      expect(await purge(step)).toEqual(expected);
      expect(left()).toEqual(ids);
    });

    test('takes at most 200', async () => {
      put(delivered(210));
      expect(await purge({ receivedBefore: 1_000 })).toEqual({ removed: 200, lookedAt: 200 });
    });
  });

  test('steps until the end take every message that is final but the newest, and none that is not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...MESSAGE_STATES), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        async (states, limit) => {
          store.arrange.clear();
          put(states);
          for (let after: number | null = 0; after !== null; ) after = (await purge({ after, limit })).lookedAt;
          const stays = (state: MessageState, i: number) => !FINAL_STATES.has(state) || i === states.length - 1;
          expect(left()).toEqual(states.flatMap((state, i) => (stays(state, i) ? [i + 1] : [])));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a message stays with an attempt open, with the newest attempt or replay, or changed in the same transaction', async () => {
    put(delivered(7));
    store.arrange.attempt(attemptRow(1, 1, { outcome: null }));
    store.arrange.attempt(attemptRow(2, 2));
    store.arrange.attempt(attemptRow(3, 3));
    store.arrange.replay(replayRow(1, 4));
    store.arrange.replay(replayRow(2, 5));
    await commit(store, (changes) => {
      changes.messages.add(6);
      return store.retention.purge({ after: 0, limit: 9, receivedBefore: NEVER }, changes);
    });
    expect(left()).toEqual([1, 3, 5, 6, 7]);
    expect(store.commits.at(-1)!.removed).toEqual([2, 4]);
  });

  test('what belongs to a message goes with it, and nothing of another', async () => {
    for (const id of [1, 2, 3]) {
      store.arrange.request(requestRow(id));
      store.arrange.message(messageRow(id), Buffer.from('{}'));
    }
    store.arrange.attempt(attemptRow(1, 1), Buffer.from('ok'));
    store.arrange.attempt(attemptRow(2, 3));
    store.arrange.replay(replayRow(1, 1));
    store.arrange.replay(replayRow(2, 3));
    await purge({ limit: 1 });
    const { details } = store;
    expect([details.request(1), details.attempt(1), details.replay(1)]).toEqual([undefined, undefined, undefined]);
    expect([details.wire(1), details.responseBody(1)]).toEqual([null, null]);
    expect([details.request(2), details.attempt(2), details.replay(2)].every((row) => row !== undefined)).toBe(true);
    expect(details.wire(2)).toEqual(Buffer.from('{}'));
  });

  test('a request stays while one of its calls does', async () => {
    for (const id of [1, 2]) store.arrange.request(requestRow(id));
    store.arrange.message(messageRow(1, { requestId: 1, state: 'queued' }));
    store.arrange.message(messageRow(2, { requestId: 1 }));
    store.arrange.message(messageRow(3, { requestId: 2 }));
    await purge();
    expect([left(), store.details.request(1)]).toEqual([[1, 3], requestRow(1)]);
  });

  test('bytes in use grow with what is stored', () => {
    const before = store.retention.bytes();
    store.arrange.message(messageRow(1), Buffer.alloc(200_000));
    expect(store.retention.bytes() - before).toBeGreaterThan(150_000);
  });
}
