import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nominalWait, parseRetryAfter, waitAfterRound } from '../../../src/core/model/backoff.ts';
import type { RetryRules } from '../../../src/core/model/rules.ts';

const rules: RetryRules = { baseMs: 10_000, factor: 2, maxMs: 1_200_000, windowMs: 14_400_000, jitter: 0.2, seed: 7 };

describe('the wait after a round', () => {
  it('doubles from 10 s and stays at 20 min', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 500].map((round) => nominalWait(rules, round)! / 1000);
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 640, 1200, 1200, 1200]);
  });

  it('is within 20 % of that for every message, round and seed', () => {
    const safe = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(safe, safe, fc.integer({ min: 1, max: 2000 }), (seed, message, round) => {
        const wait = waitAfterRound({ ...rules, seed }, message, round);
        const nominal = nominalWait(rules, round)!;
        expect(wait).toBeGreaterThanOrEqual(nominal * 0.8 - 1);
        expect(wait).toBeLessThanOrEqual(nominal * 1.2 + 1);
        expect(Number.isInteger(wait)).toBe(true);
      }),
    );
  });

  it('is the same for the same seed, message and round, and differs when one of them does', () => {
    expect(waitAfterRound(rules, 42, 9)).toBe(waitAfterRound(rules, 42, 9));
    const waits = [
      waitAfterRound(rules, 42, 9),
      waitAfterRound(rules, 43, 9),
      waitAfterRound(rules, 42 + 2 ** 32, 9),
      waitAfterRound(rules, 42, 10),
      waitAfterRound({ ...rules, seed: 8 }, 42, 9),
    ];
    expect(new Set(waits).size).toBe(waits.length);
  });

  it('is exact without jitter, and 0 without a base', () => {
    expect(waitAfterRound({ ...rules, jitter: 0 }, 1, 3)).toBe(40_000);
    expect(waitAfterRound({ ...rules, baseMs: 0 }, 1, 5000)).toBe(0);
  });

  it('takes listed waits in their order, with jitter, and none after the last', () => {
    const listed = { ...rules, waitsMs: [5_000, 300_000] };
    expect([1, 2, 3].map((round) => nominalWait(listed, round))).toEqual([5_000, 300_000, null]);
    expect(waitAfterRound(listed, 1, 3)).toBeNull();
    expect(Math.abs(waitAfterRound(listed, 1, 2)! - 300_000)).toBeLessThanOrEqual(60_000);
  });

  // No wait is stored: a changed draw would move the rounds of messages that wait while Hookbench is updated.
  it('draws the same waits in every version', () => {
    expect([1, 2, 3].map((round) => waitAfterRound(rules, 42, round))).toEqual([9_148, 23_138, 39_818]);
    expect(waitAfterRound({ ...rules, seed: 2 ** 40 + 7 }, 2 ** 33 + 42, 1)).toBe(10_645);
  });

  it('spreads a wave of 10,000 messages: the fullest second holds at most 4 %, evenly on both sides', () => {
    for (const round of [4, 8]) {
      const bySecond = new Map<number, number>();
      let below = 0;
      for (let message = 1; message <= 10_000; message += 1) {
        const wait = waitAfterRound(rules, message, round)!;
        const second = Math.floor(wait / 1000);
        bySecond.set(second, (bySecond.get(second) ?? 0) + 1);
        if (wait < nominalWait(rules, round)!) below += 1;
      }
      expect(Math.max(...bySecond.values())).toBeLessThanOrEqual(400);
      expect(below).toBeGreaterThan(4700);
      expect(below).toBeLessThan(5300);
    }
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2025, 0, 15, 12, 0, 0);

  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['000010', 10_000],
    ['99999999999999999999', Number.MAX_SAFE_INTEGER],
    ['Wed, 15 Jan 2025 12:01:00 GMT', 60_000],
    ['Wednesday, 15-Jan-25 12:01:00 GMT', 60_000],
    ['Wed Jan 15 12:01:00 2025', 60_000],
    ['Wed Jan  1 12:01:00 2025', 0],
    ['Wed, 15 Jan 2025 11:00:00 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Wed, 31 Dec 2099 23:59:59 GMT', Date.UTC(2099, 11, 31, 23, 59, 59) - now],
  ])('%j asks for a wait', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });

  it.each([
    undefined,
    '',
    '-1',
    '+5',
    '1.5',
    '1e99',
    '0x10',
    'soon',
    '120 seconds',
    'NaN',
    '2025-01-15T12:01:00Z',
    'Wed, 31 Feb 2025 12:00:00 GMT',
    'Wed, 15 Foo 2025 12:00:00 GMT',
    'Wed, 15 Jan 2025 25:00:00 GMT',
    'Wed, 15 Jan 2025 12:00:00 CET',
    '1, 2',
  ])('%j is ignored', (value) => {
    expect(parseRetryAfter(value, now)).toBeNull();
  });

  it.each(Array.from({ length: 12 }, (_unused, month) => month))(
    'reads month %i in all three forms of a date',
    (month) => {
      const at = new Date(Date.UTC(2031, month, 9, 23, 59, 58));
      const name = at.toUTCString().slice(8, 11);
      const time = '23:59:58';
      const day = ['Sun', 'Mon', 'Tues', 'Wednes', 'Thurs', 'Fri', 'Satur'][at.getUTCDay()]!;
      for (const text of [
        at.toUTCString(),
        `${day}day, 09-${name}-31 ${time} GMT`,
        `${day.slice(0, 3)} ${name}  9 ${time} 2031`,
      ])
        expect(parseRetryAfter(text, now), text).toBe(at.getTime() - now);
    },
  );

  it.each([
    ['69', Date.UTC(2069, 0, 15) - now],
    ['70', 0],
  ])('two digits of a year, %s, mean 1970 to 2069', (year, wait) => {
    expect(parseRetryAfter(`Wednesday, 15-Jan-${year} 00:00:00 GMT`, now)).toBe(wait);
  });

  it('reads two digits of a year of the last century where that is now', () => {
    expect(parseRetryAfter('Sunday, 01-Jan-95 00:01:00 GMT', Date.UTC(1995, 0, 1))).toBe(60_000);
  });

  it.each([
    ['23:59:60', true],
    ['24:00:00', false],
    ['12:60:00', false],
    ['12:00:61', false],
  ])('the time %s is one: %s', (time, isTime) => {
    expect(parseRetryAfter(`Wed, 15 Jan 2025 ${time} GMT`, now) !== null).toBe(isTime);
  });

  it.each(['Wed, 15 Jan 2025 12:01:00 GMT', 'Wednesday, 15-Jan-25 12:01:00 GMT', 'Wed Jan 15 12:01:00 2025'])(
    '%s with anything before or after it is no date',
    (date) => {
      expect(parseRetryAfter(`x${date}`, now)).toBeNull();
      expect(parseRetryAfter(`${date}x`, now)).toBeNull();
    },
  );

  it('never throws and never gives a negative or endless wait', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.integer().map(String),
          fc.date({ noInvalidDate: true }).map((d) => d.toUTCString()),
        ),
        (value) => {
          const wait = parseRetryAfter(value, now);
          expect(wait === null || (wait >= 0 && Number.isFinite(wait))).toBe(true);
        },
      ),
    );
  });
});
