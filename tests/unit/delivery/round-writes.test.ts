import { describe, expect, test } from 'vitest';
import { RetryClock } from '../../../src/core/delivery/retry-clock.ts';
import { Round, type Unwritten } from '../../../src/core/delivery/round.ts';
import { newAttempt, writeApart } from '../../../src/core/delivery/round-writes.ts';
import { NOT_SENT, toStored } from '../../../src/core/delivery/sender.ts';
import { StoreGuard } from '../../../src/core/delivery/store-guard.ts';
import { retry } from '../../../src/core/model/moves.ts';
import { StoreDamagedError, StoreNotWritableError } from '../../../src/core/ports.ts';
import type { RoundStore, RoundWrite, RoundWritten } from '../../../src/core/store/ports/rounds.ts';
import { webhookOf } from '../../helpers/core-fixture.ts';
import { dueMessage } from '../../helpers/due-message.ts';
import { SIM_START, SimTime } from '../../helpers/sim-ports.ts';

test('the row of an attempt says when, where, and of which round', async () => {
  const clock = new SimTime();
  const retryClock = new RetryClock(clock, { speed: 1, paused: false, wallAt: SIM_START, clockAt: 500 });
  await clock.advance(3);
  const round = new Round(dueMessage(7, { round: 2 }), new Uint8Array(), 0, 1, 0);
  expect(newAttempt(round, webhookOf(4), { clock, retryClock })).toEqual({
    messageId: 7,
    replayId: null,
    webhookId: 4,
    slot: 4,
    webhookName: 'Webhook 4',
    url: 'http://w4.test/',
    round: 3,
    startedAt: SIM_START + 3,
    clockAt: 503,
  });
});

/** A begun round of two webhooks whose results are not written. */
function unwritten(): Unwritten {
  const round = new Round(dueMessage(7), new Uint8Array(), 0, 1, 0);
  for (const slot of [1, 2]) round.open(webhookOf(slot));
  const opening = round.unwritten();
  round.written(opening, [
    { id: 11, startedAt: 0 },
    { id: 12, startedAt: 0 },
  ]);
  for (const slot of [1, 2]) {
    const result = { ...NOT_SENT, outcome: 'failed' } as const;
    round.end(webhookOf(slot), { id: 10 + slot, startedAt: 0 }, result, toStored(result, 0, []), 0);
  }
  round.settle((from, cells) => retry(from, 9, cells), 0);
  return round.unwritten();
}

type Answer = Error | 'lost' | null;
const DAMAGED = new StoreDamagedError('page 7');

/** Writes the pieces to a store that answers to the moves with the first of `answers`, and then to each result. */
async function apart(...answers: Answer[]) {
  const pieces: RoundWrite[] = [];
  const rows: number[] = [];
  const store: Pick<RoundStore, 'write'> = {
    async write(take, n): Promise<RoundWritten> {
      const piece = take();
      pieces.push(piece);
      rows.push(n);
      const answer = answers[piece.moves.length > 0 ? 0 : piece.finished[0]!.id - 10]!;
      if (answer instanceof Error) throw answer;
      return { lost: answer === 'lost' ? piece.moves[0]! : null, attemptIds: [] };
    },
  };
  const guard = new StoreGuard({ probe: async () => {}, timers: new SimTime(), logger: { log: () => {} } }, () => {});
  const given = unwritten();
  return { pieces, rows, given, written: await writeApart(given, store as RoundStore, guard) };
}

describe('around a damaged page', () => {
  test('the moves are one piece and each result is one', async () => {
    const { pieces, rows, given, written } = await apart(null, null, null);
    const [first, second] = given.ended;
    expect(pieces).toEqual([
      { finished: [], moves: given.moves, opened: [] },
      { finished: [first!.row], moves: [], opened: [] },
      { finished: [second!.row], moves: [], opened: [] },
    ]);
    expect(rows).toEqual([2, 2, 2]);
    expect(written).toEqual({ tookPlace: true, lost: null });
  });

  test.each([
    ['the move', [DAMAGED, null, null], false],
    ['a result', [null, DAMAGED, null], true],
    ['everything', [DAMAGED, DAMAGED, DAMAGED], false],
  ] as const)('where %s cannot be written, the rest is', async (_, answers, tookPlace) => {
    const { pieces, written } = await apart(...answers);
    expect([pieces.length, written]).toEqual([3, { tookPlace, lost: null }]);
  });

  test('a move that was lost is told', async () => {
    const { given, written } = await apart('lost', null, null);
    expect(written).toEqual({ tookPlace: false, lost: given.moves[0] });
  });

  test.each([
    ['of the move', [new TypeError('no'), null, null]],
    ['of a result', [null, new TypeError('no'), null]],
    ['of the last result', [null, null, new TypeError('no')]],
    ['beside damage', [DAMAGED, DAMAGED, new TypeError('no')]],
  ] as const)('another error, %s, tells that not all was written', async (_, answers) => {
    expect((await apart(...answers)).written).toBeNull();
  });
});

test('a piece that the store cannot take now is written once it can', async () => {
  const time = new SimTime();
  let full = true;
  const store = {
    async write(take: () => RoundWrite): Promise<RoundWritten> {
      take();
      if (full) throw new StoreNotWritableError('full');
      return { lost: null, attemptIds: [] };
    },
  };
  const guard = new StoreGuard({ probe: async () => {}, timers: time, logger: { log: () => {} } }, () => {});
  const written = writeApart(unwritten(), store as unknown as RoundStore, guard);
  await time.advance(2_000);
  full = false;
  await time.advance(500);
  expect(await written).toEqual({ tookPlace: true, lost: null });
});
