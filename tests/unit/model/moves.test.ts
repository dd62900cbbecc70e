/** Every move of a message: what it changes, what it keeps, and that each is whole. */
import { describe, expect, test } from 'vitest';
import {
  arrival,
  begin,
  deliver,
  expire,
  fail,
  interrupt,
  interruptedCells,
  isReady,
  isResting,
  isUnderWay,
  type Move,
  makeDue,
  pause,
  resume,
  retry,
  type Standing,
  show,
  stop,
} from '../../../src/core/model/moves.ts';
import { FINAL_STATES, MESSAGE_STATES, type MessageState } from '../../../src/core/model/vocabulary.ts';

const standing = <S extends MessageState>(state: S, over: Partial<Standing> = {}): Standing<S> => ({
  id: 7,
  round: 2,
  cells: 'fw...',
  nextDueAt: 50,
  firstAttemptAt: 10,
  windowEndsAt: 500,
  ...over,
  state,
});

const window = { firstAttemptAt: 10, windowEndsAt: 500 };
const changed = ({ from, to }: Move): Partial<Standing> =>
  Object.fromEntries(Object.entries(to).filter(([key, value]) => from[key as keyof Standing] !== value));

describe('a call arrives', () => {
  test.each([
    ['queued', 90, null],
    ['rejected', null, 5],
    ['not_selected', null, 5],
  ] as const)('%s: due at %s, finished at %s', (state, nextDueAt, finishedAt) => {
    expect(arrival(state, 5, 90)).toEqual({ state, cells: '.....', nextDueAt, finishedAt });
  });
});

describe('a round', () => {
  test.each(['queued', 'retrying'] as const)('of a %s message begins and counts, and keeps its due time', (state) => {
    const move = begin(standing(state), { cells: 's....', isOpen: true }, window);
    expect(changed(move)).toEqual({ state: 'delivering', round: 3, cells: 's....' });
    expect([move.finishedAt, move.reason]).toEqual([null, null]);
  });

  test('fixes the window with its first attempt', () => {
    const from = standing('queued', { round: 0, firstAttemptAt: null, windowEndsAt: null });
    expect(begin(from, { cells: 's....', isOpen: true }, window).to).toMatchObject(window);
  });

  test('that only waits for senders says so, from its beginning and while it goes on', () => {
    expect(begin(standing('queued'), { cells: 'w....', isOpen: false }, window).to.state).toBe('waiting');
    expect(changed(show(standing('delivering'), { cells: 'fw...', isOpen: false }))).toEqual({ state: 'waiting' });
    expect(changed(show(standing('waiting'), { cells: 'fs...', isOpen: true }))).toEqual({
      state: 'delivering',
      cells: 'fs...',
    });
  });

  test('that shows what happens changes state and cells alone', () => {
    expect(changed(show(standing('delivering'), { cells: 'fs...', isOpen: true }))).toEqual({ cells: 'fs...' });
  });

  test.each([...FINAL_STATES])('shows late results of a %s message without moving it', (state) => {
    expect(changed(show(standing(state), { cells: 'fa...', isOpen: false }))).toEqual({ cells: 'fa...' });
  });

  test('ends in another one, which is due later', () => {
    const move = retry(standing('delivering'), 80, 'ff...');
    expect(changed(move)).toEqual({ state: 'retrying', cells: 'ff...', nextDueAt: 80 });
    expect(move.finishedAt).toBeNull();
  });

  test('that a crash ended is due at once', () => {
    const move = interrupt(standing('delivering', { cells: 'sw.f.' }), 80, new Set([1]));
    expect(changed(move)).toEqual({ state: 'retrying', cells: 'i..f.', nextDueAt: 80 });
  });
});

describe('the end', () => {
  test.each([
    ['delivered', deliver],
    ['failed', fail],
    ['expired', expire],
    ['stopped', stop],
  ] as const)('%s has a time and no due time, and waits for no webhook', (state, end) => {
    for (const from of ['queued', 'retrying', 'paused', 'delivering', 'waiting'] as const) {
      const move = end(standing(from), 9);
      expect(changed(move)).toEqual({ state, cells: 'f....', nextDueAt: null });
      expect([move.finishedAt, move.reason]).toEqual([9, null]);
    }
    expect(end(standing('delivering'), 9, 'fa...').to.cells).toBe('fa...');
  });

  test('says why where the attempts do not', () => {
    expect(fail(standing('queued'), 9, undefined, 'body_damaged').reason).toBe('body_damaged');
    expect(deliver(standing('queued'), 9, undefined, 'every_webhook_left_out').reason).toBe('every_webhook_left_out');
  });
});

describe('a pause', () => {
  test('keeps a time at which the message is looked at, or none before its first attempt', () => {
    expect(changed(pause(standing('retrying'), 60, 'fp...'))).toEqual({
      state: 'paused',
      cells: 'fp...',
      nextDueAt: 60,
    });
    expect(pause(standing('queued'), null, 'p....').to.nextDueAt).toBeNull();
  });

  test.each([
    ['no time', 0, null, null, 'queued', 100],
    ['no time, and was tried', 1, null, 500, 'retrying', 100],
    ['a time that has passed', 1, 99, 500, 'retrying', 100],
    ['now', 1, 100, 500, 'retrying', 100],
    ['a time ahead', 1, 300, 500, 'retrying', 300],
    ['the end of the window', 1, 500, 500, 'retrying', 500],
    ['a time after the window', 1, 501, 500, 'retrying', 100],
  ] as const)('that kept %s goes on', (_, round, nextDueAt, windowEndsAt, state, dueAt) => {
    const { to } = resume(standing('paused', { round, nextDueAt, windowEndsAt }), 100);
    expect(to).toMatchObject({ state, round, nextDueAt: dueAt, windowEndsAt });
  });
});

test('a message that the user wants now is due now and keeps its state', () => {
  expect(changed(makeDue(standing('retrying'), 20))).toEqual({ nextDueAt: 20 });
});

describe('cells after a crash', () => {
  test.each([
    ['s.s..', [1, 3], 'i.i..'],
    ['s.w..', [1], 'i....'],
    ['sf...', [], '.f...'],
    ['wf...', [1], 'if...'],
  ])('%s with open attempts in %j become %s', (cells, slots, after) => {
    expect(interruptedCells(cells, new Set(slots))).toBe(after);
  });

  test('show what was open when the attempts cannot be read', () => {
    expect(interruptedCells('swfx.', null)).toBe('i.fx.');
  });
});

test('a state is final, under way or resting, and never two of these', () => {
  for (const state of MESSAGE_STATES)
    expect([FINAL_STATES.has(state), isUnderWay(state), isResting(state)].filter(Boolean)).toHaveLength(1);
  expect(MESSAGE_STATES.filter(isReady)).toEqual(['queued', 'retrying']);
});
