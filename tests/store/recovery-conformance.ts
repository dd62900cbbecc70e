import { beforeEach, describe, expect, test } from 'vitest';
import type { AttemptRecord, MessageRecord } from '../../src/core/model/stored.ts';
import { attemptRow, messageRow, replayRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

export function recoveryConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });

  const WINDOW = { firstAttemptAt: 20, windowEndsAt: 900 };
  const put = (id: number, over: Partial<MessageRecord>): void =>
    store.arrange.message(messageRow(id, { ...WINDOW, round: 1, ...over }));
  const openAttempt = (id: number, messageId: number, over: Partial<AttemptRecord> = {}): void =>
    store.arrange.attempt(attemptRow(id, messageId, { outcome: null, ...over }));
  const row = (id: number): MessageRecord => store.lists.message(id)!;
  const outcomes = (id: number) => store.details.attemptsOf(id).map(({ outcome }) => outcome);
  const recover = () => commit(store, (changes) => store.recovery.recover(70, 5_000, changes));

  describe('after a crash', () => {
    test('a message under way is due now, and its open attempts are interrupted', async () => {
      put(1, { state: 'delivering', cells: 'fs...', nextDueAt: 20 });
      store.arrange.attempt(attemptRow(1, 1, { outcome: 'failed' }));
      openAttempt(2, 1, { slot: 2 });
      put(2, { state: 'waiting', cells: 'w....', nextDueAt: 20 });
      expect(await recover()).toBe(1);
      expect(row(1)).toMatchObject({ state: 'retrying', cells: 'fi...', nextDueAt: 70, round: 1 });
      expect(row(2)).toMatchObject({ state: 'retrying', nextDueAt: 70 });
      expect(outcomes(1)).toEqual(['failed', 'interrupted']);
    });

    test('what is final stays so and shows what was interrupted', async () => {
      put(1, { state: 'delivered', cells: 'as...', finishedAt: 9 });
      openAttempt(1, 1, { slot: 2 });
      await recover();
      expect(row(1)).toMatchObject({ state: 'delivered', cells: 'ai...', nextDueAt: null, finishedAt: 9 });
    });

    test('open replays end, and their attempts leave the cells as they were', async () => {
      put(1, { state: 'delivered', cells: 'a....' });
      store.arrange.replay(replayRow(1, 1, { nextAt: 9 }));
      store.arrange.replay(replayRow(2, 1, { finishedAt: 8, ended: 'done' }));
      openAttempt(1, 1, { replayId: 1 });
      expect(await recover()).toBe(1);
      expect([row(1).cells, outcomes(1)]).toEqual(['a....', ['interrupted']]);
      expect(store.details.replaysOf(1)).toMatchObject([
        { finishedAt: 5_000, nextAt: null, ended: 'interrupted' },
        { finishedAt: 8, ended: 'done' },
      ]);
    });

    test('an open attempt whose message is lost is interrupted like the others', async () => {
      put(1, { state: 'delivering', cells: 's....', nextDueAt: 20 });
      openAttempt(1, 1);
      openAttempt(2, 99);
      expect(await recover()).toBe(2);
      expect([outcomes(1), outcomes(99)]).toEqual([['interrupted'], ['interrupted']]);
      expect(row(1)).toMatchObject({ state: 'retrying', nextDueAt: 70 });
    });

    test('what waits stays as it is, and a second recovery finds nothing', async () => {
      put(1, { state: 'queued', round: 0, nextDueAt: 500 });
      put(2, { state: 'retrying', nextDueAt: 600 });
      put(3, { state: 'delivering', nextDueAt: 20, cells: 's....' });
      openAttempt(1, 3);
      await recover();
      const rows = [1, 2, 3].map(row);
      expect(rows.map(({ nextDueAt }) => nextDueAt)).toEqual([500, 600, 70]);
      expect([await recover(), [1, 2, 3].map(row)]).toEqual([0, rows]);
    });

    test('is told by its commit', async () => {
      put(1, { state: 'delivering', cells: 's....', nextDueAt: 20 });
      openAttempt(1, 1);
      await recover();
      expect([...store.commits[0]!.counts]).toEqual([
        ['delivering', -1],
        ['retrying', 1],
      ]);
      expect([...store.commits[0]!.messages]).toEqual([1]);
    });
  });

  describe('around damage', () => {
    test('what a crash left open is listed, and recovered one by one', async () => {
      put(1, { state: 'delivering', cells: 's....', nextDueAt: 20 });
      put(2, { state: 'delivering', cells: 'as...', nextDueAt: 20 });
      put(3, { state: 'retrying', nextDueAt: 600 });
      openAttempt(1, 1);
      store.arrange.attempt(attemptRow(2, 2));
      openAttempt(3, 2, { slot: 2, webhookId: 8 });
      expect(store.recovery.leftOpen()).toEqual({ attempts: [1, 3], messages: [1, 2] });
      await commit(store, (changes) => {
        for (const id of [1, 2, 3]) store.recovery.interruptOne(id, changes);
        for (const id of [1, 2, 3]) store.recovery.recoverOne(id, 70, 5_000, changes);
      });
      expect(row(1)).toMatchObject({ state: 'retrying', cells: 'i....', nextDueAt: 70 });
      expect(row(2)).toMatchObject({ state: 'delivered', cells: 'ai...', finishedAt: 5_000 });
      expect(row(3)).toMatchObject({ state: 'retrying', nextDueAt: 600 });
      expect([outcomes(1), outcomes(2)]).toEqual([['interrupted'], ['accepted', 'interrupted']]);
    });

    test('open replays end', async () => {
      store.arrange.replay(replayRow(1, 1));
      await commit(store, (changes) => store.recovery.finishOpenReplays(5_000, changes));
      expect(store.details.replay(1)!.finishedAt).toBe(5_000);
    });
  });

  describe('paused messages', () => {
    beforeEach(() => {
      put(1, { state: 'paused', round: 0, nextDueAt: null, firstAttemptAt: null, windowEndsAt: null });
      put(2, { state: 'paused', nextDueAt: 80 });
      put(3, { state: 'paused', nextDueAt: 60 });
      put(4, { state: 'paused', nextDueAt: 901 });
      put(5, { state: 'stopped' });
    });
    const resumed = [
      ['queued', 70],
      ['retrying', 80],
      ['retrying', 70],
      ['retrying', 70],
      ['stopped', null],
    ];
    const all = () => [1, 2, 3, 4, 5].map(row).map(({ state, nextDueAt }) => [state, nextDueAt]);

    test('wait again until the time that they kept in their window, else they are due now', async () => {
      await commit(store, (changes) => store.recovery.resumePaused(70, changes));
      expect(all()).toEqual(resumed);
      expect(store.commits[0]!.counts.get('paused')).toBe(-4);
    });

    test('are listed, and resumed one by one', async () => {
      expect(store.recovery.pausedIds()).toEqual([1, 2, 3, 4]);
      await commit(store, (changes) => {
        for (const id of [1, 2, 3, 4, 5]) store.recovery.resumeOne(id, 70, changes);
      });
      expect(all()).toEqual(resumed);
    });
  });
}
