import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { isResting } from '../../src/core/model/moves.ts';
import type { MessageRecord } from '../../src/core/model/stored.ts';
import { MESSAGE_STATES } from '../../src/core/model/vocabulary.ts';
import type { DueMessage, DuePlace } from '../../src/core/store/ports/due.ts';
import { attemptRow, messageRow } from './rows.ts';
import type { OpenStore, StoreUnderTest } from './store-under-test.ts';

const START: DuePlace = { dueAt: Number.MIN_SAFE_INTEGER, id: 0 };
const body = (id: number): Buffer => Buffer.from(`{"body":${id}}`);
const placeOf = ({ nextDueAt, id }: DueMessage): DuePlace => ({ dueAt: nextDueAt, id });

export function dueConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });

  const put = (id: number, over: Partial<MessageRecord> = {}): void =>
    store.arrange.message(messageRow(id, { state: 'queued', ...over }), body(id));
  const claim = async (until: number, after = START, limit = 10) =>
    (await store.due.claim({ until, after, limit })).messages;
  const idsOf = (messages: readonly DueMessage[]): number[] => messages.map(({ id }) => id);

  describe('a claim', () => {
    test('gives what is due, by due time and id, behind a place and up to a limit', async () => {
      for (const [i, nextDueAt] of [5, 3, 3, 9].entries()) put(i + 1, { nextDueAt });
      expect(idsOf(await claim(5))).toEqual([2, 3, 1]);
      expect(idsOf(await claim(5, { dueAt: 3, id: 2 }))).toEqual([3, 1]);
      expect(idsOf(await claim(5, { dueAt: 3, id: 3 }))).toEqual([1]);
      expect(idsOf(await claim(5, START, 2))).toEqual([2, 3]);
    });

    test('gives the whole standing of a message, its bytes and its outcomes', async () => {
      const standing = { state: 'retrying', round: 2, nextDueAt: 7, firstAttemptAt: 1, windowEndsAt: 99 } as const;
      put(1, { ...standing, cells: 'fn...', receivedAt: 1000 });
      store.arrange.attempt(attemptRow(1, 1, { webhookId: 7, outcome: 'failed' }));
      const outcomes = new Map([[7, 'failed']]);
      expect(await claim(7)).toEqual([
        { id: 1, ...standing, cells: 'fn...', receivedAt: 1000, wire: body(1), outcomes },
      ]);
    });

    test.each(MESSAGE_STATES)('gives a message that is %s only when it waits for a round', async (state) => {
      put(1, { state, ...(state === 'paused' && { nextDueAt: 5 }) });
      expect(idsOf(await claim(10))).toEqual(isResting(state) ? [1] : []);
    });

    test('leaves out a paused message that keeps no time', async () => {
      put(1, { state: 'paused', nextDueAt: null });
      expect(await claim(10)).toEqual([]);
    });

    test('says when the next message is due, unless there may be more until then', async () => {
      for (const [i, nextDueAt] of [3, 3, 9].entries()) put(i + 1, { nextDueAt });
      const next = async (until: number, limit: number) =>
        (await store.due.claim({ until, after: START, limit })).nextDueAt;
      expect([await next(2, 5), await next(3, 5), await next(3, 2), await next(9, 5)]).toEqual([3, 9, null, null]);
    });

    test('in pages gives every message that is due once, in order', async () => {
      const waiting = fc.record({
        state: fc.constantFrom(...MESSAGE_STATES),
        nextDueAt: fc.integer({ min: 1, max: 6 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(waiting, { maxLength: 20 }),
          fc.integer({ min: 0, max: 7 }),
          fc.integer({ min: 1, max: 4 }),
          async (rows, until, limit) => {
            store.arrange.clear();
            const due = rows.map(({ state, nextDueAt }, i) => {
              const row = messageRow(i + 1, { state });
              return { ...row, nextDueAt: row.nextDueAt === null && state !== 'paused' ? null : nextDueAt };
            });
            for (const row of due) store.arrange.message(row);
            const claimed: number[] = [];
            for (let after = START; ; ) {
              const page = await claim(until, after, limit);
              claimed.push(...idsOf(page));
              if (page.length < limit) break;
              after = placeOf(page.at(-1)!);
            }
            const expected = due
              .filter(({ state, nextDueAt }) => isResting(state) && nextDueAt !== null && nextDueAt <= until)
              .sort((a, b) => a.nextDueAt! - b.nextDueAt! || a.id - b.id);
            expect(claimed).toEqual(expected.map(({ id }) => id));
          },
        ),
        { numRuns: 60 },
      );
    });
  });

  test('a damaged body is left out alone, and is not given to be sent', async () => {
    for (const id of [1, 2, 3]) put(id);
    store.arrange.damageBody(2);
    expect((await claim(10)).map(({ wire }) => wire)).toEqual([body(1), null, body(3)]);
    expect([store.due.wire(2), store.due.wireToSend(2), store.due.wire(99)]).toEqual([null, null, null]);
    expect([store.due.wire(1), store.due.wireToSend(3)]).toEqual([body(1), body(3)]);
  });

  test('outcomes are the newest of each webhook, open attempts and replays apart', async () => {
    put(1, { state: 'retrying', round: 2 });
    for (const [i, over] of [
      { webhookId: 7, outcome: 'failed' },
      { webhookId: 8, outcome: 'timed_out' },
      { webhookId: 7, outcome: 'declined' },
      { webhookId: 7, outcome: 'accepted', replayId: 1 },
      { webhookId: 8, outcome: null },
    ].entries())
      store.arrange.attempt(attemptRow(i + 1, 1, over as Parameters<typeof attemptRow>[2]));
    const outcomes = new Map([
      [7, 'declined'],
      [8, 'timed_out'],
    ]);
    expect(store.due.lastOutcomes(1)).toEqual(outcomes);
    expect(store.due.lastOutcomes(2)).toEqual(new Map());
    expect((await claim(10)).map((message) => message.outcomes)).toEqual([outcomes]);
  });

  test('what waits is given whenever it is due, without its bytes', async () => {
    for (const [i, nextDueAt] of [50, 3].entries()) put(i + 1, { nextDueAt });
    put(3, { state: 'delivered' });
    const all = await store.due.waiting(START, 10);
    expect([idsOf(all), all.map(({ wire }) => wire)]).toEqual([
      [2, 1],
      [null, null],
    ]);
    expect(idsOf(await store.due.waiting(START, 1))).toEqual([2]);
    expect(idsOf(await store.due.waiting({ dueAt: 3, id: 2 }, 9))).toEqual([1]);
  });

  test('the next round is the earliest one planned after now, of messages that retry', () => {
    expect(store.due.nextRoundAfter(0)).toBeNull();
    put(1, { state: 'queued', nextDueAt: 5 });
    put(2, { state: 'retrying', nextDueAt: 7, round: 1 });
    put(3, { state: 'retrying', nextDueAt: 9, round: 1 });
    put(4, { state: 'paused', nextDueAt: 6, round: 1 });
    expect([0, 6, 7, 9].map((now) => store.due.nextRoundAfter(now))).toEqual([7, 7, 9, null]);
  });

  test('the newest reading of the retry clock is that of the last attempt or of a call taken since', () => {
    expect(store.due.newestReading()).toBeNull();
    put(1, { nextDueAt: 40 });
    expect(store.due.newestReading()).toBe(40);
    store.arrange.attempt(attemptRow(1, 1, { clockAt: 90 }));
    store.arrange.attempt(attemptRow(2, 1, { clockAt: 70 }));
    expect(store.due.newestReading()).toBe(70);
    store.arrange.attempt(attemptRow(3, 1, { clockAt: 65, outcome: null }));
    expect(store.due.newestReading()).toBe(65);
    put(2, { nextDueAt: 75 });
    put(3, { state: 'retrying', nextDueAt: 900, round: 1 });
    expect(store.due.newestReading()).toBe(75);
  });
}
