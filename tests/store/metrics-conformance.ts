import { beforeEach, describe, expect, test } from 'vitest';
import { OUTCOMES, type Outcome } from '../../src/core/model/vocabulary.ts';
import type { AttemptsRow, MinuteRow } from '../../src/core/store/ports/metrics.ts';
import { messageRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

const minuteRow = (minute: number, over: Partial<MinuteRow> = {}): MinuteRow => ({
  minute,
  received: 1,
  notSelected: 2,
  rejected: 3,
  firstRound: 4,
  retried: 5,
  delivered: 6,
  failed: 7,
  expired: 8,
  stopped: 9,
  repeats: 10,
  rejectedBy: { unknown_type: 3 },
  notSelectedBy: { no_webhook: 2 },
  deliveryMs: [1, 2, 30, 4],
  ...over,
});
const attemptsRow = (minute: number, webhook: number, over: Partial<AttemptsRow> = {}): AttemptsRow => ({
  minute,
  webhook,
  outcomes: Object.fromEntries(OUTCOMES.map((outcome, i) => [outcome, i])) as Record<Outcome, number>,
  missed: 9,
  answered: [1, 0, 2],
  unanswered: [2],
  responseMs: [3, 4],
  ...over,
});
const hook = { id: 1, webhookId: 7, slot: 2, name: 'CRM', url: 'http://crm.test/' };

export function metricsConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });

  describe('counts by the minute', () => {
    test('come back as they were saved, ascending, from a minute on', async () => {
      await commit(store, (changes) => {
        for (const minute of [9, 7, 8]) store.metrics.saveMinute(minuteRow(minute), changes);
        for (const [minute, webhook] of [
          [9, 1],
          [8, 10],
          [8, 2],
          [7, 1],
        ] as const)
          store.metrics.saveAttempts(attemptsRow(minute, webhook), changes);
      });
      expect(store.metrics.minutes(8)).toEqual([minuteRow(8), minuteRow(9)]);
      expect(store.metrics.attempts(8)).toEqual([attemptsRow(8, 2), attemptsRow(8, 10), attemptsRow(9, 1)]);
    });

    test('take the place of what was there, whole', async () => {
      const minute = minuteRow(7, { received: 0, rejectedBy: {}, deliveryMs: [] });
      const attempts = attemptsRow(7, 1, { missed: 0, answered: [], unanswered: [], responseMs: [] });
      await commit(store, (changes) => {
        for (const row of [minuteRow(7), minute]) store.metrics.saveMinute(row, changes);
        for (const row of [attemptsRow(7, 1), attempts]) store.metrics.saveAttempts(row, changes);
      });
      expect([store.metrics.minutes(0), store.metrics.attempts(0)]).toEqual([[minute], [attempts]]);
    });

    test('outside the given minutes go, those at the ends stay', async () => {
      await commit(store, (changes) => {
        for (let minute = 1; minute <= 5; minute++) {
          store.metrics.saveMinute(minuteRow(minute), changes);
          store.metrics.saveAttempts(attemptsRow(minute, 1), changes);
        }
        store.metrics.keepOnly(2, 4, changes);
      });
      expect(store.metrics.minutes(0).map(({ minute }) => minute)).toEqual([2, 3, 4]);
      expect(store.metrics.attempts(0).map(({ minute }) => minute)).toEqual([2, 3, 4]);
    });
  });

  test('names of webhooks are saved, dropped and listed by their id', async () => {
    expect(store.metrics.webhooks()).toEqual([]);
    const renamed = { ...hook, id: 3, name: 'ERP' };
    await commit(store, (changes) => {
      store.metrics.saveWebhooks([{ ...hook, id: 3, slot: 3 }, hook], [], changes);
      store.metrics.saveWebhooks([renamed], [3, 99], changes);
    });
    expect(store.metrics.webhooks()).toEqual([hook, renamed]);
  });

  describe('messages that are retrying', () => {
    const retrying = { state: 'retrying', firstAttemptAt: 5, windowEndsAt: 100, round: 2 } as const;

    test('are given oldest first, those that were tried', () => {
      for (const id of [1, 2, 4, 6]) store.arrange.message(messageRow(id, retrying));
      store.arrange.message(messageRow(3, { state: 'queued' }));
      store.arrange.message(messageRow(5, { state: 'retrying' }));
      const { userId, anonymousId, name } = messageRow(1);
      const told = { userId, anonymousId, name, round: 2, firstAttemptAt: 5, windowEndsAt: 100 };
      expect(store.metrics.retrying(3)).toEqual([1, 2, 4].map((id) => ({ id, ...told })));
    });

    test('since a crash ended their first round are told from others', () => {
      const at = (nextDueAt: number, round = 1) => ({ ...retrying, nextDueAt, round });
      store.arrange.message(messageRow(1, { ...at(777), receivedAt: 1000 }));
      store.arrange.message(messageRow(2, at(777, 2)));
      store.arrange.message(messageRow(3, at(50)));
      store.arrange.message(messageRow(4));
      expect(store.metrics.recovered([1, 2, 3, 4, 9], 777)).toEqual([1000]);
    });
  });
}
