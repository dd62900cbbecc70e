import { beforeEach, describe, expect, test } from 'vitest';
import * as moves from '../../src/core/model/moves.ts';
import type { MessageRecord } from '../../src/core/model/stored.ts';
import type { FinishedAttempt, NewAttempt, RoundWrite, RoundWritten } from '../../src/core/store/ports/rounds.ts';
import { attemptRow, messageRow } from './rows.ts';
import type { OpenStore, StoreUnderTest } from './store-under-test.ts';

const WINDOW = { firstAttemptAt: 20, windowEndsAt: 900 };

const newAttempt = (messageId: number, over: Partial<NewAttempt> = {}): NewAttempt => ({
  messageId,
  replayId: null,
  webhookId: 7,
  slot: 1,
  webhookName: 'CRM',
  url: 'http://crm.test/',
  round: 1,
  startedAt: 1_000,
  clockAt: 20,
  ...over,
});

export const finishedAttempt = (id: number, over: Partial<FinishedAttempt> = {}): FinishedAttempt => ({
  id,
  outcome: 'accepted',
  status: 200,
  durationMs: 1.5,
  result: attemptRow(1, 1).result!,
  body: Buffer.from('ok'),
  ...over,
});

export function roundsConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });

  const put = (id: number, over: Partial<MessageRecord> = {}): void =>
    store.arrange.message(messageRow(id, { state: 'queued', ...over }));
  const standing = <S extends moves.Standing>(id: number): S => store.rounds.standing(id) as unknown as S;
  const begin = (id: number, cells = 's....'): moves.Move =>
    moves.begin(standing<moves.Standing<moves.Ready>>(id), { cells, isOpen: true }, WINDOW);
  const committed = async <T>(asked: Promise<T>): Promise<T> => {
    store.writer.flush();
    return await asked;
  };
  const write = (round: Partial<RoundWrite>): Promise<RoundWritten> =>
    committed(store.rounds.write(() => ({ finished: [], moves: [], opened: [], ...round }), 1));
  const apply = (...all: moves.Move[]): Promise<readonly boolean[]> => committed(store.rounds.apply(all));
  const row = (id: number): MessageRecord => store.lists.message(id)!;

  test('a standing is where the message is stored, and there is none of a message that is gone', () => {
    put(1, { state: 'retrying', round: 2, cells: 'fa...', nextDueAt: 50, ...WINDOW, receivedAt: 1000 });
    expect(store.rounds.standing(1)).toEqual({
      id: 1,
      state: 'retrying',
      round: 2,
      cells: 'fa...',
      nextDueAt: 50,
      ...WINDOW,
      receivedAt: 1000,
    });
    expect(store.rounds.standing(2)).toBeUndefined();
  });

  describe('a round', () => {
    test('begins with its attempts in one transaction, which gives them ids', async () => {
      put(1);
      const opened = [newAttempt(1), newAttempt(1, { webhookId: 8, slot: 2 })];
      expect(await write({ moves: [begin(1, 'ss...')], opened })).toEqual({ lost: null, attemptIds: [1, 2] });
      expect(row(1)).toEqual({ ...messageRow(1, { state: 'delivering', round: 1, cells: 'ss...' }), ...WINDOW });
      const { outcome, status, durationMs, result } = attemptRow(1, 1, { outcome: null });
      const isOpen = { outcome, status, durationMs, result };
      expect(store.details.attemptsOf(1)).toEqual(opened.map((attempt, i) => ({ ...attempt, ...isOpen, id: i + 1 })));
      expect(store.commits.map(({ messages, counts }) => [[...messages], [...counts]])).toEqual([
        [
          [1],
          [
            ['queued', -1],
            ['delivering', 1],
          ],
        ],
      ]);
    });

    test('begins in a transaction under way, and is undone with it', async () => {
      put(1);
      const round: RoundWrite = { finished: [], moves: [begin(1)], opened: [newAttempt(1)] };
      const undone = store.writer.write((changes) => {
        store.rounds.writeIn(round, changes);
        throw new Error('broken');
      });
      await expect(committed(undone)).rejects.toThrow('broken');
      expect([row(1).state, store.details.attemptsOf(1)]).toEqual(['queued', []]);
      const written = committed(store.writer.write((changes) => store.rounds.writeIn(round, changes)));
      expect(await written).toEqual({ lost: null, attemptIds: [1] });
      expect([row(1).state, store.details.attemptsOf(1).length]).toEqual(['delivering', 1]);
    });

    test('gives no attempt an id that another had, open or ended', async () => {
      const ids = async (...finished: FinishedAttempt[]) =>
        (await write({ finished, opened: [newAttempt(1)] })).attemptIds;
      expect([await ids(), await ids(finishedAttempt(1)), await ids(finishedAttempt(2))]).toEqual([[1], [2], [3]]);
      await write({ finished: [finishedAttempt(3)] });
      expect(await ids()).toEqual([4]);
    });

    test('ends with its results, and what came in meanwhile rides along', async () => {
      put(1);
      await write({ moves: [begin(1)], opened: [newAttempt(1), newAttempt(1, { slot: 2 })] });
      const finished: FinishedAttempt[] = [finishedAttempt(1)];
      const end = moves.deliver(standing<moves.Standing<moves.UnderWay>>(1), 2_000, 'aa...');
      const asked = store.rounds.write(() => ({ finished, moves: [end], opened: [] }), 2);
      finished.push(finishedAttempt(2, { outcome: 'failed', status: 503, body: Buffer.alloc(0) }));
      expect(await committed(asked)).toEqual({ lost: null, attemptIds: [] });
      expect(row(1)).toMatchObject({ state: 'delivered', cells: 'aa...', nextDueAt: null, finishedAt: 2_000 });
      const { result } = finishedAttempt(1);
      expect(store.details.attemptsOf(1)).toMatchObject([
        { outcome: 'accepted', status: 200, durationMs: 1.5, result },
        { outcome: 'failed', status: 503, durationMs: 1.5, result },
      ]);
      expect([store.details.responseBody(1), store.details.responseBody(2)]).toEqual([Buffer.from('ok'), null]);
    });

    test('keeps the first end of an attempt', async () => {
      put(1);
      await write({ moves: [begin(1)], opened: [newAttempt(1)] });
      await write({ finished: [finishedAttempt(1)] });
      await write({ finished: [finishedAttempt(1, { outcome: 'failed', status: 500, body: Buffer.from('no') })] });
      expect(store.details.attempt(1)).toMatchObject({ outcome: 'accepted', status: 200 });
      expect(store.details.responseBody(1)).toEqual(Buffer.from('ok'));
    });

    test.each<[string, Partial<MessageRecord>]>([
      ['in another state', { state: 'paused' }],
      ['in another round', { state: 'queued', round: 1 }],
      ['final', { state: 'stopped', finishedAt: 7 }],
    ])('that finds its message %s says which move was lost, and opens nothing', async (_where, elsewhere) => {
      put(1);
      const lost = begin(1);
      const after = moves.show(lost.to, { cells: 'a....', isOpen: false });
      store.arrange.clear();
      put(1, elsewhere);
      const before = row(1);
      expect(await write({ moves: [lost, after], opened: [newAttempt(1)] })).toEqual({ lost, attemptIds: [] });
      expect([row(1), store.details.attemptsOf(1)]).toEqual([before, []]);
    });

    test('that loses a later move keeps the earlier ones and the results', async () => {
      put(1);
      await write({ moves: [begin(1)], opened: [newAttempt(1)] });
      const first = moves.show(standing(1), { cells: 'f....', isOpen: false });
      const lost = moves.show({ ...first.to, round: 9 }, { cells: 'a....', isOpen: true });
      expect(await write({ finished: [finishedAttempt(1)], moves: [first, lost] })).toEqual({ lost, attemptIds: [] });
      expect([row(1).cells, store.details.attempt(1)!.outcome]).toEqual(['f....', 'accepted']);
    });

    test('that loses a move makes none of those after it, though they would take place', async () => {
      put(1);
      await write({ moves: [begin(1)], opened: [newAttempt(1)] });
      const next = moves.show(standing(1), { cells: 'f....', isOpen: false });
      const lost = moves.show({ ...next.from, round: 9 }, { cells: 'a....', isOpen: true });
      expect(await write({ moves: [lost, next] })).toEqual({ lost, attemptIds: [] });
      expect(row(1).cells).toBe('s....');
    });

    test('of a message that is gone is lost', async () => {
      put(1);
      const lost = begin(1);
      store.arrange.clear();
      expect(await write({ moves: [lost] })).toEqual({ lost, attemptIds: [] });
      expect(store.commits.flatMap(({ messages }) => [...messages])).toEqual([]);
    });

    test('that cannot be taken is not written, and its neighbour is', async () => {
      put(1);
      put(2);
      const bad = store.rounds.write(() => {
        throw new Error('broken');
      }, 1);
      const good = store.rounds.write(() => ({ finished: [], moves: [begin(2)], opened: [] }), 1);
      store.writer.flush();
      await expect(bad).rejects.toThrow('broken');
      expect([(await good).lost, row(1).state, row(2).state]).toEqual([null, 'queued', 'delivering']);
    });
  });

  describe('moves', () => {
    test('answer each whether it took place', async () => {
      for (const id of [1, 2]) put(id);
      const [one, two] = [begin(1), begin(2)];
      await apply(two);
      expect(await apply(one, two)).toEqual([true, false]);
      expect([row(1).round, row(2).round]).toEqual([1, 1]);
    });

    const underWay = { state: 'delivering', round: 1, cells: 'sw...', nextDueAt: 20, ...WINDOW } as const;
    const ready = { state: 'retrying', round: 2, cells: 'f....', nextDueAt: 30, ...WINDOW } as const;
    const paused = { state: 'paused', round: 1, cells: 'p....', nextDueAt: 40, ...WINDOW } as const;
    test.each<[string, Partial<MessageRecord>, (from: never) => moves.Move]>([
      ['begin', ready, (from) => moves.begin(from, { cells: 's....', isOpen: true }, WINDOW)],
      ['begin without a sender', ready, (from) => moves.begin(from, { cells: 'w....', isOpen: false }, WINDOW)],
      ['show', underWay, (from) => moves.show(from, { cells: 'fw...', isOpen: false })],
      [
        'show of a final message',
        { state: 'stopped', finishedAt: 9 },
        (from) => moves.show(from, { cells: 'a....', isOpen: false }),
      ],
      ['deliver', underWay, (from) => moves.deliver(from, 2_000, 'ax...')],
      ['fail', underWay, (from) => moves.fail(from, 2_000, 'dd...', 'body_damaged')],
      ['expire', ready, (from) => moves.expire(from, 2_000)],
      ['stop', paused, (from) => moves.stop(from, 2_000)],
      ['retry', underWay, (from) => moves.retry(from, 70, 'ff...')],
      ['pause', ready, (from) => moves.pause(from, 80, 'p....')],
      ['pause with a reason', { ...ready, reason: 'body_damaged' }, (from) => moves.pause(from, 80, 'p....')],
      ['pause without a time', { state: 'queued' }, (from) => moves.pause(from, null, 'p....')],
      ['resume', paused, (from) => moves.resume(from, 35)],
      ['make due', ready, (from) => moves.makeDue(from, 25)],
    ])('to %s leave the message where they say, and the rest of its row as it was', async (_name, over, moveOf) => {
      put(1, over);
      const before = row(1);
      const { receivedAt, ...from } = store.rounds.standing(1)!;
      const move = moveOf(from as never);
      expect(await apply(move)).toEqual([true]);
      const { finishedAt = before.finishedAt, reason } = move;
      expect(row(1)).toEqual({
        ...before,
        ...move.to,
        finishedAt: finishedAt ?? before.finishedAt,
        reason: reason ?? before.reason,
      });
    });

    test('keep the counts by state', async () => {
      for (const id of [1, 2, 3]) put(id);
      await apply(begin(1), begin(2));
      await apply(moves.deliver(standing<moves.Standing<moves.UnderWay>>(1), 2_000, 'a....'));
      const counts = store.lists.counts().filter(({ n }) => n > 0);
      expect(Object.fromEntries(counts.map(({ state, n }) => [state, n]))).toEqual({
        queued: 1,
        delivering: 1,
        delivered: 1,
      });
    });
  });

  describe('rounds of one transaction', () => {
    const together = (all: ReadonlyArray<Partial<RoundWrite>>): Promise<RoundWritten[]> => {
      const asked = all.map((round) =>
        store.rounds.write(() => ({ finished: [], moves: [], opened: [], ...round }), 1),
      );
      return committed(Promise.all(asked));
    };

    test('take place where one of them is lost', async () => {
      for (const id of [1, 2, 3]) put(id);
      const begun = [1, 2, 3].map((id) => ({ moves: [begin(id)], opened: [newAttempt(id)] }));
      await apply(moves.pause(standing(2), 80, 'p....'));
      const lost = begun[1]!.moves[0];
      expect(await together(begun)).toEqual([
        { lost: null, attemptIds: [1] },
        { lost, attemptIds: [] },
        { lost: null, attemptIds: [2] },
      ]);
      expect([1, 2, 3].map((id) => row(id).state)).toEqual(['delivering', 'paused', 'delivering']);
      const counts = store.lists.counts().filter(({ n }) => n > 0);
      expect(Object.fromEntries(counts.map(({ state, n }) => [state, n]))).toEqual({ delivering: 2, paused: 1 });
    });

    test('take place at once where one moves its message twice', async () => {
      for (const id of [1, 2, 3]) put(id);
      await apply(begin(1));
      const deliver = (from: moves.Standing): moves.Move => moves.deliver(from as never, 2_000, 'a....');
      const first = begin(2);
      await together([{ moves: [deliver(standing(1))] }, { moves: [first, deliver(first.to)] }, { moves: [begin(3)] }]);
      expect([1, 2, 3].map((id) => row(id).state)).toEqual(['delivered', 'delivered', 'delivering']);
      expect(store.commits.slice(1).map(({ messages, counts }) => [messages, counts])).toEqual([
        [
          new Set([1, 2, 3]),
          new Map([
            ['delivering', 0],
            ['delivered', 2],
            ['queued', -2],
          ]),
        ],
      ]);
    });

    const UNDER_WAY = { state: 'delivering', round: 1, cells: 'sw...', nextDueAt: 20, ...WINDOW } as const;
    const READY = { state: 'retrying', round: 1, cells: 'f....', nextDueAt: 30, ...WINDOW } as const;
    type From = [over: Partial<MessageRecord>, moveOf: (from: never) => moves.Move];
    const begins = (over: Partial<typeof WINDOW> = {}, cells = 's....'): From[1] => {
      return (from) => moves.begin(from, { cells, isOpen: true }, { ...WINDOW, ...over });
    };
    const shows = (cells: string): From[1] => {
      return (from) => moves.show(from, { cells, isOpen: true });
    };
    const withDueTime = (move: moves.Move, nextDueAt: number): moves.Move => ({
      ...move,
      to: { ...move.to, nextDueAt },
    });
    /** Each differs from its neighbours in one value. */
    const ALL: readonly From[] = [
      [UNDER_WAY, (from) => moves.deliver(from, 2_000, 'aw...')],
      [UNDER_WAY, (from) => moves.deliver(from, 2_001, 'aw...')],
      [UNDER_WAY, (from) => moves.deliver(from, 2_001, 'ax...')],
      [{ ...UNDER_WAY, state: 'waiting' }, (from) => moves.deliver(from, 2_001, 'ax...')],
      [{ ...UNDER_WAY, round: 2 }, (from) => moves.deliver(from, 2_001, 'ax...')],
      [UNDER_WAY, (from) => moves.fail(from, 2_001, 'ax...')],
      [UNDER_WAY, (from) => moves.fail(from, 2_001, 'ax...', 'body_damaged')],
      [UNDER_WAY, (from) => moves.retry(from, 70, 'ax...')],
      [UNDER_WAY, (from) => moves.retry(from, 71, 'ax...')],
      // No move does both, so it is made by hand.
      [UNDER_WAY, (from) => withDueTime(moves.show(from, { cells: 'aw...', isOpen: true }), 25)],
      [UNDER_WAY, shows('aw...')],
      [UNDER_WAY, shows('fw...')],
      [READY, begins()],
      [READY, begins({ firstAttemptAt: 21 })],
      [READY, begins({ windowEndsAt: 901 })],
      [READY, begins({}, 'ss...')],
      [{ ...READY, round: 2 }, begins()],
      [{ ...READY, state: 'queued' }, begins()],
    ];

    test('leave each message where its own move says', async () => {
      const twice = [...ALL, ...ALL];
      for (const [i, [over]] of twice.entries()) put(i + 1, over);
      const before = twice.map((_, i) => row(i + 1));
      const all = twice.map(([, moveOf], i) => moveOf(standing(i + 1) as never));
      const written = await together(all.map((move) => ({ moves: [move] })));
      expect(written.filter(({ lost }) => lost !== null)).toEqual([]);
      expect(store.commits.length).toBe(1);
      for (const [i, { to, finishedAt, reason }] of all.entries()) {
        const { receivedAt, ...where } = to as moves.Standing & { receivedAt?: number };
        expect(row(i + 1)).toEqual({ ...before[i], ...where, finishedAt, reason: reason ?? before[i]!.reason });
      }
    });
  });

  test('a probe writes where writing works', async () => {
    await expect(committed(store.rounds.probe(5))).resolves.toBeUndefined();
  });
}
