import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DEFAULT_STORAGE,
  isFull,
  isOver,
  oldestKept,
  PURGE_STEP,
  toRemove,
} from '../../../src/core/model/retention.ts';

const limits = { maxMessages: 1_000, maxBytes: 1_000_000, maxAgeDays: 2 };

describe('the limits of storage', () => {
  test('are 100,000 messages, 1 GiB and 30 days', () => {
    expect(DEFAULT_STORAGE).toEqual({ maxMessages: 100_000, maxBytes: 1_073_741_824, maxAgeDays: 30 });
  });

  test('at a limit nothing goes; one more, and one goes', () => {
    expect(toRemove(limits, { messages: 1_000, bytes: 1_000_000 })).toBe(0);
    expect(toRemove(limits, { messages: 1_001, bytes: 0 })).toBe(1);
    expect(toRemove(limits, { messages: 5_000, bytes: 0 })).toBe(PURGE_STEP);
    expect(toRemove(limits, { messages: 100, bytes: 1_100_000 })).toBe(10);
    expect(toRemove(limits, { messages: 900, bytes: 5_000_000 })).toBe(PURGE_STEP);
  });

  test('nothing is refused below a limit, everything 5 % above it; in between only when nothing may go', () => {
    const use = fc.record({ messages: fc.nat(2_000), bytes: fc.nat(2_000_000) });
    fc.assert(
      fc.property(use, fc.boolean(), (used, nothingToRemove) => {
        const share = Math.max(used.messages / limits.maxMessages, used.bytes / limits.maxBytes);
        expect(isFull(limits, used, nothingToRemove)).toBe(share >= 1.05 || (share >= 1 && nothingToRemove));
        expect(isOver(limits, used)).toBe(share > 1);
      }),
    );
  });

  test.each([
    // messages, bytes, over, full, full when nothing may go
    [999, 999_999, false, false, false],
    [1_000, 0, false, false, true],
    [0, 1_000_000, false, false, true],
    [1_001, 0, true, false, true],
    [0, 1_000_001, true, false, true],
    [1_050, 0, true, true, true],
    [0, 1_050_000, true, true, true],
    [0, 1_049_999, true, false, true],
  ])('%i messages of 1,000 and %i bytes of 1,000,000', (messages, bytes, over, full, fullWithNothingToRemove) => {
    const use = { messages, bytes };
    expect(isOver(limits, use)).toBe(over);
    expect(isFull(limits, use, false)).toBe(full);
    expect(isFull(limits, use, true)).toBe(fullWithNothingToRemove);
  });

  test('age is counted in days of the wall clock', () => {
    expect(oldestKept(limits, 1_000_000_000)).toBe(1_000_000_000 - 2 * 86_400_000);
  });
});
