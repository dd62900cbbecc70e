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
      await committed(store.replays.finish({ replayId, messageId: 1, finishedAt: 50, ended: 'done' }));
      expect(store.details.replay(1)).toMatchObject({ finishedAt: 50, ended: 'done' });
      expect(store.commits.map(({ messages }) => [...messages])).toEqual([[1], [1], [1]]);
    });

    test('has no attempt under way once it has ended', async () => {
      const { replayId, attemptIds } = await openReplay();
      await committed(store.replays.finishAttempt(1, finishedAttempt(attemptIds[1]!, { outcome: 'failed' })));
      await committed(store.replays.finish({ replayId, messageId: 1, finishedAt: 50, ended: 'done' }));
      const shown = [
        ...store.details.attemptsOf(1),
        ...store.details.attemptsAfter({ after: 0, limit: 9 }),
        store.details.attempt(attemptIds[0]!)!,
      ];
      const outcomes = shown.map(({ outcome }) => outcome);
      expect(outcomes).toEqual(['interrupted', 'failed', 'interrupted', 'failed', 'interrupted']);
    });
  });

  describe('a replay in rounds', () => {
    const [first, second] = attempts;
    const openRounds = async () =>
      (await committed(
        store.replays.open({ messageId: 1, createdAt: 3, attempts: [first!], targets: [7, 9], retryUntil: 99 }),
      ))!;
    const replay = () => store.details.replay(1);
    const key = { replayId: 1, messageId: 1 };

    test('names all its targets, waits, and goes on with further attempts', async () => {
      await openRounds();
      expect(replay()).toMatchObject({ webhookIds: [7, 9], retryUntil: 99, nextAt: null });
      await committed(store.replays.wait({ ...key, nextAt: 40 }));
      expect(replay()).toMatchObject({ nextAt: 40, finishedAt: null });
      expect(await committed(store.replays.goOn({ ...key, attempts: [second!] }))).toEqual([2]);
      expect(replay()!.nextAt).toBeNull();
      expect(store.details.attemptsOf(1)).toMatchObject([{ webhookId: 7 }, { webhookId: 9, replayId: 1 }]);
      expect(store.lists.message(1)!.replays).toBe(1);
      expect(store.commits.map(({ messages }) => [...messages])).toEqual([[1], [1], [1]]);
    });

    test('that has ended neither waits nor goes on, and stays as it ended', async () => {
      await openRounds();
      await committed(store.replays.wait({ ...key, nextAt: 40 }));
      await committed(store.replays.finish({ ...key, finishedAt: 50, ended: 'stopped' }));
      await committed(store.replays.wait({ ...key, nextAt: 60 }));
      expect(await committed(store.replays.goOn({ ...key, attempts: [second!] }))).toBeNull();
      await committed(store.replays.finish({ ...key, finishedAt: 70, ended: 'done' }));
      expect(replay()).toMatchObject({ finishedAt: 50, nextAt: null, ended: 'stopped' });
      expect(store.details.attemptsOf(1)).toHaveLength(1);
    });

    test('goes on no more once its message was erased or removed', async () => {
      store.arrange.message(messageRow(2, { size: 0 }));
      store.arrange.replay(replayRow(5, 2));
      store.arrange.replay(replayRow(6, 3));
      for (const gone of [
        { replayId: 5, messageId: 2 },
        { replayId: 6, messageId: 3 },
      ])
        expect(await committed(store.replays.goOn({ ...gone, attempts: [second!] }))).toBeNull();
    });
  });

  test('an edited replay keeps its bytes, what it sent and whether it was signed', async () => {
    const body = new Uint8Array([1, 2]);
    const edited = { messageId: 1, createdAt: 3, attempts, sent: 'edited', signed: false, body } as const;
    await committed(store.replays.open(edited));
    await openReplay();
    expect(store.details.replaysOf(1)).toMatchObject([
      { sent: 'edited', signed: false },
      { sent: 'delivered', signed: true },
    ]);
    const kept = [1, 2, 3].map((id) => store.replays.bodyOf(id));
    expect(kept.map((bytes) => bytes && [...bytes])).toEqual([[1, 2], null, null]);
  });

  test('a target that is no webhook has slot 0', async () => {
    const elsewhere = [{ ...hook, webhookId: -1, slot: 0 }];
    await committed(store.replays.open({ messageId: 1, createdAt: 3, attempts: elsewhere }));
    expect(store.details.replay(1)!.webhookIds).toEqual([-1]);
    expect(store.details.attemptsOf(1)).toMatchObject([{ webhookId: -1, slot: 0 }]);
  });

  describe('a job', () => {
    const job = { createdAt: 3, total: 3, targets: 2, rate: 10 };
    const begin = { finishedAt: null, state: 'running', problem: null, begun: 0, removed: 0, damaged: 0 };

    test('counts its replays with their rows, and what was not replayed', async () => {
      const id = await committed(store.replays.openJob(job));
      expect(store.replays.newestJob()).toEqual({ id, ...job, ...begin });
      await committed(store.replays.open({ messageId: 1, createdAt: 3, attempts, jobId: id }));
      expect(await committed(store.replays.open({ messageId: 9, createdAt: 3, attempts, jobId: id }))).toBeNull();
      await committed(store.replays.skip(id, 'removed'));
      await committed(store.replays.skip(id, 'damaged'));
      expect(store.replays.newestJob()).toMatchObject({ begun: 1, removed: 1, damaged: 1 });
    });

    test('ends once', async () => {
      const id = await committed(store.replays.openJob(job));
      await committed(store.replays.endJob({ id, state: 'stopped', problem: null, finishedAt: 9 }));
      await committed(store.replays.endJob({ id, state: 'done', problem: null, finishedAt: 10 }));
      expect(store.replays.newestJob()).toMatchObject({ state: 'stopped', finishedAt: 9 });
    });

    test('that was running at a crash is interrupted, with what it had begun', async () => {
      const id = await committed(store.replays.openJob(job));
      await committed(store.replays.open({ messageId: 1, createdAt: 3, attempts, jobId: id }));
      await committed(store.writer.write((changes) => store.recovery.recover(0, 50, changes)));
      expect(store.replays.newestJob()).toMatchObject({ id, state: 'interrupted', finishedAt: 50, begun: 1 });
    });
  });
}
