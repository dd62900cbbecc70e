import { describe, expect, test } from 'vitest';
import { cellOf, type Move, outcomeOf, Round } from '../../../src/core/delivery/round.ts';
import { NOT_SENT } from '../../../src/core/delivery/sender.ts';
import type { DeliveryWebhook } from '../../../src/core/delivery/webhooks.ts';
import type { Outcome } from '../../../src/core/model/attempt.ts';
import { OUTCOMES } from '../../../src/core/model/vocabulary.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
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

const MOVE: Move = { id: 1, from: 'delivering', to: 'delivered', nextDueAt: null, finishedAt: 1, at: 1 };

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

  test('shows the cells of its message, and changes one by its slot', () => {
    const round = roundOf({ cells: 'fn...' });
    round.mark(2, 's');
    round.mark(5, 'w');
    expect(round.cells).toBe('fs..w');
  });
});

describe('a result', () => {
  const record = (round: Round, slot: number, outcome: Outcome, status: number | null, retryAfter?: [string, string]) =>
    round.record(
      webhook(slot),
      { ...NOT_SENT, outcome, status, responseHeaders: retryAfter === undefined ? [] : [['Date', 'x'], retryAfter] },
      SIM_START,
    );

  test('is kept by its webhook and shown in its slot', () => {
    const round = roundOf();
    record(round, 2, 'failed', 500);
    expect([...round.results.values()]).toEqual([{ webhookId: 12, outcome: 'failed', retryAfterMs: null }]);
    expect(round.results.has(12)).toBe(true);
    expect(round.cells).toBe('.f...');
  });

  test.each([
    ['Retry-After', '120', 120_000],
    ['retry-after', '7', 7_000],
    ['RETRY-AFTER', new Date(SIM_START + 5_000).toUTCString(), 5_000],
    ['Retry-After', 'soon', null],
    ['X-Retry-After', '120', null],
  ])('%s: %s asks for a wait of %s ms', (name, value, retryAfterMs) => {
    const round = roundOf();
    record(round, 1, 'throttled', 429, [name, value]);
    expect(round.results.get(11)).toEqual({ webhookId: 11, outcome: 'throttled', retryAfterMs });
  });
});

describe('what waits', () => {
  test('is dropped whole, and each slot says why', () => {
    const round = roundOf();
    for (const slot of [1, 3]) round.waiting.set(webhook(slot).id, webhook(slot));
    expect(round.dropWaiting('x')).toEqual([webhook(1), webhook(3)]);
    expect([round.cells, round.waiting.size, round.dropWaiting('i')]).toEqual(['x.x..', 0, []]);
    expect(round.cells).toBe('x.x..');
  });

  test.each([
    [0, 0, false, true],
    [0, 1, true, false],
    [1, 0, false, false],
    [1, 1, false, false],
  ])('%d open, %d waiting: parked %s, done %s', (open, waiting, isParked, done) => {
    const round = roundOf();
    round.open = open;
    for (let slot = 1; slot <= waiting; slot++) round.waiting.set(slot, webhook(slot));
    expect([round.isParked, round.done]).toEqual([isParked, done]);
  });
});

describe('what is written', () => {
  function written() {
    const round = roundOf();
    const ran: string[] = [];
    const piece = (name: string): void => round.toWrite(() => ran.push(name));
    return { round, ran, piece };
  }

  test('runs in order, once a transaction, and again in the next one until it is committed', () => {
    const { round, ran, piece } = written();
    const [lost, kept] = [new Changes(), new Changes()];
    piece('first');
    expect(round.writeOut(lost)).toBe(lost);
    piece('second');
    round.writeOut(lost);
    expect(ran).toEqual(['first', 'second']);
    round.writeOut(kept);
    expect(ran).toEqual(['first', 'second', 'first', 'second']);
    round.committed(kept);
    round.writeOut(new Changes());
    expect(ran).toHaveLength(4);
  });

  test('a commit takes out what was written in it, and nothing that came later', () => {
    const { round, ran, piece } = written();
    const changes = new Changes();
    piece('first');
    round.writeOut(changes);
    piece('second');
    round.committed(changes);
    round.writeOut(new Changes());
    expect(ran).toEqual(['first', 'second']);
  });

  test('what is taken out to be written apart is in the round no more', () => {
    const { round, ran, piece } = written();
    piece('first');
    piece('second');
    const pieces = round.takePieces();
    round.writeOut(new Changes());
    expect(ran).toEqual([]);
    for (const run of pieces) run(new Changes());
    expect(ran).toEqual(['first', 'second']);
    expect(round.takePieces()).toEqual([]);
  });
});

describe('the end', () => {
  test('is when the message has its move, nothing is open or waits, and all is committed', () => {
    const round = roundOf();
    expect([round.settled, round.isOver, round.released]).toEqual([false, false, false]);
    round.move = MOVE;
    expect([round.settled, round.isOver]).toEqual([true, true]);
    round.open = 1;
    expect(round.isOver).toBe(false);
    round.open = 0;
    round.waiting.set(1, webhook(1));
    expect(round.isOver).toBe(false);
    round.waiting.clear();
    const changes = new Changes();
    round.toWrite(() => {});
    expect(round.isOver).toBe(false);
    round.writeOut(changes);
    expect(round.isOver).toBe(false);
    round.committed(changes);
    expect(round.isOver).toBe(true);
  });
});
