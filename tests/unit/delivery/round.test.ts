import { describe, expect, test } from 'vitest';
import { cellOf, outcomeOf } from '../../../src/core/delivery/cells.ts';
import { type Ending, Round } from '../../../src/core/delivery/round.ts';
import { NOT_SENT, toStored } from '../../../src/core/delivery/sender.ts';
import type { DeliveryWebhook } from '../../../src/core/delivery/webhooks.ts';
import { deliver, retry } from '../../../src/core/model/moves.ts';
import { OUTCOMES, type Outcome } from '../../../src/core/model/vocabulary.ts';
import { dueMessage } from '../../helpers/due-message.ts';
import { SIM_START } from '../../helpers/sim-ports.ts';

const webhook = (slot: number): DeliveryWebhook => ({
  id: slot + 10,
  slot,
  name: `hook ${slot}`,
  url: 'http://localhost:1/',
  headers: [],
  enabled: true,
});

const roundOf = (over: Parameters<typeof dueMessage>[1] = {}): Round =>
  new Round(dueMessage(1, over), new Uint8Array([7]), 1_000, 400, 5.5);

const delivered: Ending = (from, cells) => deliver(from, 9, cells);

/** As the store does: commits what is unwritten, and gives it. */
function commit(round: Round) {
  const unwritten = round.unwritten();
  round.written(
    unwritten,
    unwritten.opening.map(({ slot }) => ({ id: slot, startedAt: 2 })),
  );
  return unwritten;
}

/** The state and cells after each move. */
const shown = (moves: ReturnType<Round['unwritten']>['moves']): string[] =>
  moves.map(({ to }) => `${to.state} ${to.cells}`);

function end(
  round: Round,
  slot: number,
  outcome: Outcome,
  status: number | null = null,
  retryAfter?: [string, string],
) {
  const responseHeaders: [string, string][] = retryAfter === undefined ? [] : [['Date', 'x'], retryAfter];
  const result = { ...NOT_SENT, outcome, status, responseHeaders };
  round.end(webhook(slot), { id: slot, startedAt: 2 }, result, toStored(result, 0, []), SIM_START);
}

/** A round of which the first webhooks are open and the next ones wait. */
function begun(open: number, waiting = 0): Round {
  const round = roundOf();
  for (let slot = 1; slot <= open; slot++) round.open(webhook(slot));
  for (let slot = open + 1; slot <= open + waiting; slot++) round.wait(webhook(slot));
  commit(round);
  return round;
}

test('nothing but `wire` holds the bytes, so that a round that waits can free them', () => {
  const wire = new Uint8Array([7]);
  const round = new Round(dueMessage(1, { wire }), wire, 1_000, 400, 5.5);
  round.wait(webhook(1));
  const [move] = commit(round).moves;
  expect(round.wire).toBe(wire);
  for (const held of [round.message, move!.from, move!.to]) expect(Object.values(held)).not.toContain(wire);
});

describe('cells', () => {
  test.each([
    ['accepted', 200, 'a'],
    ['failed', 500, 'f'],
    ['timed_out', null, 't'],
    ['no_connection', null, 'n'],
    ['refused_certificate', null, 'r'],
    ['throttled', 429, 'l'],
    ['interrupted', null, 'i'],
    ['declined', null, 'd'],
    ['declined', 299, 'd'],
    ['declined', 300, 'm'],
    ['declined', 399, 'm'],
    ['declined', 400, 'd'],
    ['failed', 302, 'f'],
  ] as const)('%s with status %s shows as %s', (outcome, status, cell) => {
    expect(cellOf(outcome, status)).toBe(cell);
  });

  test.each(OUTCOMES)('%s is read back from its cell', (outcome) => {
    expect(outcomeOf(cellOf(outcome, null))).toBe(outcome);
  });

  test.each([
    ['m', 'declined'],
    ['.', undefined],
    ['p', undefined],
    ['?', undefined],
    [undefined, undefined],
  ])('%s reads as %s', (cell, outcome) => {
    expect(outcomeOf(cell)).toBe(outcome);
  });
});

describe('a round that begins', () => {
  test('is the next one of its message, and the first one starts the window', () => {
    expect(roundOf()).toMatchObject({ number: 1, firstAttemptAt: 1_000, windowEndsAt: 1_400, queuedAt: 5.5 });
  });

  test('keeps the window of the first one, 0 too', () => {
    const later = roundOf({ round: 3, firstAttemptAt: 0, windowEndsAt: 900 });
    expect(later).toMatchObject({ number: 4, firstAttemptAt: 0, windowEndsAt: 900 });
  });

  test('is written whole: its move, and the attempts that have a sender', () => {
    const round = roundOf({ cells: 'fn...' });
    round.leaveOff(webhook(1));
    round.open(webhook(2));
    round.wait(webhook(5));
    expect([round.isWriting, round.hasUnwritten, round.rowsToWrite]).toEqual([false, true, 2]);
    const { moves, opening, ended, ending } = round.unwritten();
    expect(moves).toHaveLength(1);
    expect(moves[0]!.to).toMatchObject({ round: 1, cells: 'ps..w', firstAttemptAt: 1_000, windowEndsAt: 1_400 });
    expect([opening, ended, ending, round.hasBegun]).toEqual([[webhook(2)], [], null, false]);
    commit(round);
    expect([round.hasBegun, round.hasUnwritten]).toEqual([true, false]);
  });
});

describe('a result', () => {
  test('is kept by its webhook, shown in its slot, and written once', () => {
    const round = begun(2);
    end(round, 2, 'failed', 500);
    expect([round.hasUnwritten, round.rowsToWrite]).toEqual([true, 2]);
    expect(round.results).toEqual([{ webhookId: 12, outcome: 'failed', retryAfterMs: null }]);
    const { ended, moves } = commit(round);
    expect([ended.map(({ row }) => row.id), shown(moves)]).toEqual([[2], ['delivering sf...']]);
    expect([round.hasUnwritten, round.unwritten().ended]).toEqual([false, []]);
  });

  test('that comes in while another is written is in the next write', () => {
    const round = begun(2);
    end(round, 1, 'failed', 500);
    const first = round.unwritten();
    end(round, 2, 'timed_out');
    round.written(first, []);
    expect(round.unwritten().ended.map(({ row }) => row.id)).toEqual([2]);
    expect(shown(round.unwritten().moves).at(-1)).toMatch(/ft\.\.\.$/);
  });

  test.each([
    ['Retry-After', '120', 120_000],
    ['retry-after', '7', 7_000],
    ['RETRY-AFTER', new Date(SIM_START + 5_000).toUTCString(), 5_000],
    ['Retry-After', 'soon', null],
    ['X-Retry-After', '120', null],
  ])('%s: %s asks for a wait of %s ms', (name, value, retryAfterMs) => {
    const round = begun(1);
    end(round, 1, 'throttled', 429, [name, value]);
    expect(round.results).toEqual([{ webhookId: 11, outcome: 'throttled', retryAfterMs }]);
  });
});

describe('what waits for a sender', () => {
  test('is skipped whole, once, and each slot says why', () => {
    const round = begun(0, 3);
    expect([round.isParked, round.isDone]).toEqual([true, false]);
    expect(round.skip(webhook(1), 'went_off')).toBe(true);
    expect(round.skipWaiting('not_needed')).toEqual([webhook(2), webhook(3)]);
    expect([round.skip(webhook(1), 'too_late'), round.skipWaiting('interrupted')]).toEqual([false, []]);
    expect([round.cells, round.isDone, round.isParked]).toEqual(['pxx..', true, false]);
  });

  test('and is interrupted counts as a result: it is due again at once', () => {
    const round = begun(0, 1);
    round.skipWaiting('interrupted');
    expect(round.results).toEqual([{ webhookId: 11, outcome: 'interrupted' }]);
    expect(round.cells).toBe('i....');
  });

  test('holds no room while nothing is open, and does once it has a sender', () => {
    const round = begun(1, 1);
    expect(round.isParked).toBe(false);
    end(round, 1, 'failed', 500);
    expect(round.isParked).toBe(true);
    round.open(webhook(2));
    expect(round.isParked).toBe(false);
  });
});

describe('an attempt whose beginning is not written', () => {
  function opening(): Round {
    const round = begun(1, 1);
    round.open(webhook(2));
    return round;
  }

  test('waits again, and the next write says so', () => {
    const round = opening();
    expect([round.hasUnwritten, round.rowsToWrite]).toEqual([true, 2]);
    expect(shown(round.unwritten().moves)).toEqual(['delivering ss...']);
    expect(round.takeBackOpenings(null)).toEqual([webhook(2)]);
    expect([round.hasUnwritten, round.waiting, round.cells]).toEqual([false, [webhook(2)], 'sw...']);
    end(round, 1, 'failed', 500);
    expect(shown(round.unwritten().moves).at(-1)).toMatch(/fw\.\.\.$/);
  });

  test('is left out where its row is damaged', () => {
    const round = opening();
    round.takeBackOpenings('interrupted');
    expect([round.cells, round.results]).toEqual(['si...', [{ webhookId: 12, outcome: 'interrupted' }]]);
  });

  test('does not begin once the round is settled', () => {
    const round = opening();
    round.settle(delivered, 9);
    const { opening: opened, moves } = round.unwritten();
    expect([opened, shown(moves)]).toEqual([[], ['delivered sx...']]);
  });

  test('is not taken back once its row is there', () => {
    const round = opening();
    commit(round);
    expect(round.takeBackOpenings(null)).toEqual([]);
  });
});

describe('the end', () => {
  test('is not yet there when all is written and the ending is not decided', () => {
    const round = begun(1);
    end(round, 1, 'failed', 500);
    commit(round);
    expect([round.isDone, round.hasUnwritten, round.isOver]).toEqual([true, false, false]);
    round.settle((from, cells) => retry(from, 77, cells), 9);
    expect([round.hasUnwritten, round.isOver]).toEqual([true, false]);
    expect(shown(commit(round).moves)).toEqual(['retrying f....']);
    expect([round.hasUnwritten, round.isOver]).toEqual([false, true]);
  });

  test('is when the move is committed, nothing is open or waits, and all is written', async () => {
    const round = begun(2);
    const moved = round.moved();
    end(round, 1, 'accepted', 200);
    expect([round.hasAccepted, round.isSettled, round.isOver]).toEqual([true, false, false]);
    round.settle(delivered, 9);
    expect([round.isSettled, round.settledAt, round.move]).toEqual([true, 9, null]);
    expect(shown(commit(round).moves)).toEqual(['delivered as...']);
    expect(await moved).toBe(true);
    expect([round.move!.to.state, round.hasUnwritten, round.isOver]).toEqual(['delivered', false, false]);
    end(round, 2, 'failed', 500);
    expect([round.isDone, round.isOver]).toEqual([true, false]);
    const late = commit(round);
    expect([shown(late.moves), late.ending]).toEqual([['delivered af...'], null]);
    expect([round.isOver, round.move!.to.cells]).toEqual([true, 'as...']);
  });

  test('of a round that was stopped before its beginning was written is written with that', () => {
    const round = roundOf();
    round.open(webhook(1));
    round.settle((from, cells) => retry(from, 77, cells), 9);
    const { moves, opening } = commit(round);
    expect(opening).toEqual([]);
    expect(moves.map(({ to }) => [to.state, to.round, to.cells, to.nextDueAt])).toEqual([
      ['waiting', 1, 'x....', 1],
      ['retrying', 1, 'x....', 77],
    ]);
  });

  test('of a round that was given up moves the message no more, and still keeps its results', async () => {
    const round = begun(1);
    const moved = round.moved();
    round.giveUp();
    expect(await moved).toBe(false);
    end(round, 1, 'accepted', 200);
    const { ended, moves } = round.unwritten();
    expect([ended.length, moves, round.isSettled, round.isOver]).toEqual([1, [], true, false]);
    commit(round);
    expect([round.isOver, round.move]).toEqual([true, null]);
  });

  test('is told once, also when a later result of it cannot be written', async () => {
    const round = begun(2);
    const moved = round.moved();
    end(round, 1, 'accepted', 200);
    round.settle(delivered, 9);
    commit(round);
    round.giveUp();
    expect(await moved).toBe(true);
  });
});
