/** Moves of messages that have no round under way. */
import { beforeEach, describe, expect, test } from 'vitest';
import { LostMoves } from '../../../src/core/delivery/lost-moves.ts';
import type { MovedEvent } from '../../../src/core/delivery/moved-event.ts';
import { RoundlessMoves } from '../../../src/core/delivery/roundless-moves.ts';
import { StoreGuard } from '../../../src/core/delivery/store-guard.ts';
import { fail, type Move, pause } from '../../../src/core/model/moves.ts';
import type { MessageState } from '../../../src/core/model/vocabulary.ts';
import { StoreDamagedError, StoreNotWritableError } from '../../../src/core/ports.ts';
import type { RoundStore, StoredStanding } from '../../../src/core/store/ports/rounds.ts';
import { dueMessage } from '../../helpers/due-message.ts';
import { SIM_START, SimTime } from '../../helpers/sim-ports.ts';

const standing = (state: MessageState): StoredStanding => ({ ...dueMessage(7), receivedAt: 44, state });

let time: SimTime;
let applied: Move[];
let told: { moved: MovedEvent[]; ended: Array<number | null>; stuck: number[]; logged: unknown[] };
let stored: StoredStanding | undefined;
let others: Map<number, StoredStanding>;
/** The store cannot write to these. */
let damaged: Set<number>;
let takesPlace: boolean;
let fault: Error | null;
let moves: RoundlessMoves;
let lostMoves: LostMoves;

beforeEach(() => {
  time = new SimTime();
  applied = [];
  told = { moved: [], ended: [], stuck: [], logged: [] };
  stored = undefined;
  others = new Map();
  damaged = new Set();
  takesPlace = true;
  fault = null;
  const logger = { log: (...line: unknown[]) => void told.logged.push(line) };
  lostMoves = new LostMoves(logger);
  const store: Pick<RoundStore, 'apply' | 'standing'> = {
    apply: async (given) => {
      if (fault !== null) throw fault;
      if (given.some(({ from }) => damaged.has(from.id))) throw new StoreDamagedError('torn');
      applied.push(...given);
      return given.map(() => takesPlace);
    },
    standing: (id) => (id === 7 ? stored : others.get(id)),
  };
  moves = new RoundlessMoves({
    store: store as RoundStore,
    clock: time,
    guard: new StoreGuard({ probe: async () => {}, timers: time, logger }, () => {}),
    lostMoves,
    moved: (event) => void told.moved.push(event),
    ended: (dueAt) => void told.ended.push(dueAt),
    isStuck: (id) => void told.stuck.push(id),
  });
});

describe('a move that must be made', () => {
  const message = dueMessage(7, { receivedAt: 44 });

  test('is under way until its commit, and is told then', async () => {
    const move = fail(message, 55);
    moves.make(message, move);
    expect([moves.size, moves.has(7), moves.has(8), told.moved]).toEqual([1, true, false, []]);
    await time.settle();
    expect([moves.size, moves.has(7), applied]).toEqual([0, false, [move]]);
    expect(told.moved).toMatchObject([{ messageId: 7, receivedAt: 44, from: 'queued', to: 'failed', at: 55 }]);
    expect(told.ended).toEqual([null]);
  });

  test('to paused tells nobody, but when to look at it again', async () => {
    moves.make(message, pause(message, 900, 'p....'));
    await time.settle();
    expect([told.moved, told.ended]).toEqual([[], [900]]);
  });

  test('and that someone else made first is lost: nothing is told of it', async () => {
    takesPlace = false;
    moves.make(message, pause(message, 900, 'p....'));
    await time.settle();
    expect([told.moved, told.ended, lostMoves.count, moves.size]).toEqual([[], [null], 1, 0]);
  });

  test('is made once the store can be written', async () => {
    fault = new StoreNotWritableError('full');
    moves.make(message, fail(message, 55));
    await time.advance(2_000);
    expect([moves.size, told.ended]).toEqual([1, []]);
    fault = null;
    await time.advance(500);
    expect([moves.size, told.ended, applied.length]).toEqual([0, [null], 1]);
  });

  test.each([
    ['of a damaged row makes the message stuck', new StoreDamagedError('page 7'), [7]],
    ['that fails otherwise does not', new TypeError('no'), []],
  ])('%s, and is under way no more', async (_, error, stuck) => {
    fault = error;
    moves.make(message, fail(message, 55));
    await time.settle();
    expect([moves.size, told.stuck, told.moved, told.ended]).toEqual([0, stuck, [], []]);
  });
});

describe('a stop', () => {
  test.each(['queued', 'retrying', 'paused'] as const)('of a %s message ends its retries', async (state) => {
    stored = standing(state);
    expect(await moves.stop(7)).toBe(true);
    expect(applied).toMatchObject([{ from: { state }, to: { state: 'stopped' }, finishedAt: SIM_START }]);
    expect(told.moved).toMatchObject([{ messageId: 7, receivedAt: 44, to: 'stopped', at: SIM_START }]);
    expect(told.ended).toEqual([null]);
  });

  test.each(['delivered', 'delivering', 'waiting', 'stopped', undefined] as const)(
    'does nothing with a message that is %s',
    async (state) => {
      stored = state && standing(state);
      expect(await moves.stop(7)).toBe(false);
      expect([applied, told.moved, told.ended]).toEqual([[], [], []]);
    },
  );

  test('that someone else came before says so', async () => {
    stored = standing('queued');
    takesPlace = false;
    expect(await moves.stop(7)).toBeNull();
    expect([told.moved, told.ended, lostMoves.count]).toEqual([[], [null], 1]);
  });

  test('of a store that cannot be written now rejects', async () => {
    stored = standing('queued');
    fault = new StoreNotWritableError('full');
    await expect(moves.stop(7)).rejects.toBe(fault);
  });
});

describe('to make due', () => {
  test.each(['queued', 'retrying'] as const)('a %s message is due now, and tells when', async (state) => {
    stored = standing(state);
    expect(await moves.makeDue(7, 123)).toBe(true);
    expect(applied).toMatchObject([{ from: { state }, to: { state, nextDueAt: 123 }, finishedAt: null }]);
    expect([told.moved, told.ended]).toEqual([[], [123]]);
  });

  test.each(['paused', 'delivered', 'waiting', undefined] as const)('a message that is %s is not', async (state) => {
    stored = state && standing(state);
    expect(await moves.makeDue(7, 123)).toBe(false);
    expect([applied, told.ended]).toEqual([[], []]);
  });

  test('a message that someone else just moved is not', async () => {
    stored = standing('retrying');
    takesPlace = false;
    expect(await moves.makeDue(7, 123)).toBe(false);
    expect([told.ended, lostMoves.count]).toEqual([[null], 1]);
  });
});

test('a lost move is counted and logged with where its message should have gone', () => {
  expect(lostMoves.count).toBe(0);
  for (let i = 0; i < 2; i++) lostMoves.add(pause(dueMessage(7, { round: 3 }), 900, 'p....'));
  expect(lostMoves.count).toBe(2);
  const fields = { message: 7, from: 'queued', to: 'paused', round: 3 };
  expect(told.logged).toEqual([
    ['warn', 'move_lost', { ...fields, lost: 1 }],
    ['warn', 'move_lost', { ...fields, lost: 2 }],
  ]);
});

describe('all that wait for a retry', () => {
  const NOW = 500;
  const put = (id: number, changed: Partial<StoredStanding>) =>
    others.set(id, { ...standing('retrying'), id, nextDueAt: NOW + 1, ...changed });

  test('are made due in one go, and the others are left alone', async () => {
    put(1, {});
    put(2, { nextDueAt: NOW });
    put(3, { state: 'queued' });
    put(4, { state: 'paused' });
    put(5, { state: 'delivered', nextDueAt: null });
    put(6, { nextDueAt: NOW + 9_000 });
    expect(await moves.makeAllDue([1, 2, 3, 4, 5, 6, 99], NOW)).toBe(2);
    expect(applied.map(({ from, to }) => [from.id, to.state, to.nextDueAt])).toEqual([
      [1, 'retrying', NOW],
      [6, 'retrying', NOW],
    ]);
    expect(told.ended).toEqual([NOW, NOW]);
  });

  test('are not written when there is none', async () => {
    fault = new StoreNotWritableError('full');
    expect(await moves.makeAllDue([1], NOW)).toBe(0);
  });

  test('are counted without one that someone else moved meanwhile', async () => {
    put(1, {});
    takesPlace = false;
    expect(await moves.makeAllDue([1], NOW)).toBe(0);
    expect([told.ended, lostMoves.count]).toEqual([[null], 1]);
  });

  test('are made due one by one beside one that lies on a damaged page', async () => {
    for (const id of [1, 2, 3]) put(id, {});
    damaged.add(2);
    expect(await moves.makeAllDue([1, 2, 3], NOW)).toBe(2);
    expect(applied.map(({ from }) => from.id)).toEqual([1, 3]);
  });

  test('stay as they are while the store cannot be written, and who asked learns it', async () => {
    put(1, {});
    put(2, {});
    fault = new StoreNotWritableError('full');
    await expect(moves.makeAllDue([1, 2], NOW)).rejects.toBe(fault);
  });
});
