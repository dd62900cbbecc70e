import { describe, expect, test } from 'vitest';
import { deletionState, isFailed, ledgerOf, noticeCounts, phaseOf } from '../../../src/core/deletions/state.ts';
import { MESSAGE_STATES, type MessageState } from '../../../src/core/model/vocabulary.ts';

const counts = (states: Partial<Record<MessageState, number>>, unsent = 0) => ({ states, unsent });

describe('the state of a request', () => {
  test.each([
    ['pending', 'notices', counts({}, 2)],
    ['pending', 'erasing', counts({ queued: 1, paused: 1 })],
    ['running', 'finished', counts({ queued: 1, delivering: 1 })],
    ['running', 'finished', counts({ delivered: 1, queued: 1 })],
    ['running', 'finished', counts({ retrying: 1 })],
    ['running', 'searching', counts({ delivered: 2 })],
    ['done', 'finished', counts({ delivered: 2 })],
    ['done', 'finished', counts({})],
    ['partly_failed', 'finished', counts({ delivered: 2, expired: 1 })],
    ['failed', 'finished', counts({ stopped: 1, failed: 1 })],
  ] as const)('is %s in phase %s with %j', (state, phase, given) => {
    expect(deletionState(phase, given)).toBe(state);
  });

  test('delivered, failed and waiting add up, whatever the states', () => {
    const all = counts(Object.fromEntries(MESSAGE_STATES.map((state) => [state, 1])), 3);
    expect(ledgerOf(all)).toEqual({ total: 14, delivered: 1, failed: 5, waiting: 8 });
  });

  test('only what ended without an arrival has failed', () => {
    expect(MESSAGE_STATES.filter(isFailed).toSorted()).toEqual([
      'expired',
      'failed',
      'not_selected',
      'rejected',
      'stopped',
    ]);
  });

  test('reasons are no notices', () => {
    const tallies = [
      { sourceId: 1, reason: null, state: 'delivered', n: 2 },
      { sourceId: 2, reason: null, state: null, n: 3 },
      { sourceId: 2, reason: 'destination_off', state: null, n: 9 },
    ] as const;
    expect(noticeCounts(tallies)).toEqual({ unsent: 3, states: { delivered: 2 } });
  });

  test('phases follow each other', () => {
    const done = { erase: true, erasedAt: null, finishedAt: null };
    expect(phaseOf(done, counts({}, 1))).toBe('notices');
    expect(phaseOf(done, counts({}))).toBe('erasing');
    expect(phaseOf({ ...done, erasedAt: 1 }, counts({}))).toBe('searching');
    expect(phaseOf({ ...done, finishedAt: 1 }, counts({}))).toBe('finished');
    expect(phaseOf({ ...done, erase: false }, counts({}))).toBe('notices');
  });
});
