import { beforeEach, describe, expect, test } from 'vitest';
import { finishedAttempt } from './rounds-conformance.ts';
import { messageRow, replayRow } from './rows.ts';
import type { OpenStore, StoreUnderTest } from './store-under-test.ts';

export function replaysConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
    store.arrange.message(messageRow(1, { cells: 'a....' }));
  });

  const committed = async <T>(asked: Promise<T>): Promise<T> => {
    store.writer.flush();
    return await asked;
  };
  const hook = { webhookName: 'CRM', url: 'http://crm.test/', round: 1, startedAt: 5, clockAt: 6 };
  const attempts = [
    { ...hook, webhookId: 7, slot: 1 },
    { ...hook, webhookId: 9, slot: 2 },
  ];
  const openReplay = async () => (await committed(store.replays.open({ messageId: 1, createdAt: 3, attempts })))!;

  describe('a replay', () => {
    test('opens with its attempts and is counted on its message, which stays where it is', async () => {
      expect(await openReplay()).toEqual({ replayId: 1, attemptIds: [1, 2] });
      expect(store.details.replay(1)).toEqual(replayRow(1, 1, { createdAt: 3, webhookIds: [7, 9] }));
      expect(store.details.attemptsOf(1)).toMatchObject(
        attempts.map((one) => ({ ...one, replayId: 1, outcome: null })),
      );
      expect(store.lists.message(1)).toEqual(messageRow(1, { cells: 'a....', replays: 1 }));
      expect([...store.commits[0]!.messages]).toEqual([1]);
    });

    test('of a message that was removed or erased meanwhile does not open', async () => {
      store.arrange.message(messageRow(2, { size: 0 }));
      const opened = [2, 3].map((messageId) => committed(store.replays.open({ messageId, createdAt: 3, attempts })));
      expect(await Promise.all(opened)).toEqual([null, null]);
      expect([store.details.replay(1), store.erasure.newestAttempt()]).toEqual([undefined, 0]);
      expect(store.lists.message(2)!.replays).toBe(0);
    });

    test('takes the ends of its attempts, and its own', async () => {
      const { replayId, attemptIds } = await openReplay();
      await committed(store.replays.finishAttempt(1, finishedAttempt(attemptIds[1]!, { outcome: 'failed' })));
      expect(store.details.attemptsOf(1).map(({ outcome }) => outcome)).toEqual([null, 'failed']);
      await committed(store.replays.finish({ replayId, messageId: 1, finishedAt: 50 }));
      expect(store.details.replay(1)!.finishedAt).toBe(50);
      expect(store.commits.map(({ messages }) => [...messages])).toEqual([[1], [1], [1]]);
    });
  });
}
