import { describe, expect, test } from 'vitest';
import { readTime, timeAsWritten } from '../../../src/core/model/filter-time.ts';

const now = new Date(2026, 0, 31, 14, 32, 5, 120).getTime();
const at = (text: string) => readTime(text, now);

describe('a text is a time', () => {
  test.each([
    ['14:32:05', new Date(2026, 0, 31, 14, 32, 5)],
    ['23:59:59', new Date(2026, 0, 30, 23, 59, 59)],
    ['2026-01-30T08:05-05:30', new Date(Date.UTC(2026, 0, 30, 13, 35))],
    ['2026-01-30T08:05+05:30', new Date(Date.UTC(2026, 0, 30, 2, 35))],
    ['2026-12-31', new Date(2026, 11, 31)],
  ])('%s', (text, expected) => {
    expect(at(text)).toBe(expected.getTime());
  });

  test('that is now, to the millisecond, and not a day ago', () => {
    expect(at('14:32:05.120')).toBe(now);
    expect(at('14:32:05.121')).toBe(new Date(2026, 0, 30, 14, 32, 5, 121).getTime());
  });
});

test.each([
  '24:00',
  '12:60',
  '12:00:60',
  '2026-01-30T25:00',
  '2026-02-30',
  '2026-13-05',
  '2026-01-00',
  '2026-',
  '',
  '10',
])('%j may still become one', (text) => expect(at(text)).toBe('begun'));

test.each(['noon', 'x14:32', '14:32x', 'x10m', '10mx', 'x2026-01-30', '2026-01-30x', '1234567m'])(
  '%j is none, whatever follows',
  (text) => expect(at(text)).toBeNull(),
);

describe('a time is written', () => {
  test.each([
    [new Date(2026, 0, 30, 8, 5, 1), '2026-01-30T08:05:01'],
    [new Date(2026, 0, 30, 8, 5, 0, 5), '2026-01-30T08:05:00.005'],
    [new Date(999, 0, 5), '0999-01-05'],
  ])('so that it reads as %s', (date, text) => {
    expect(timeAsWritten(date.getTime())).toBe(text);
    expect(at(text)).toBe(date.getTime());
  });

  test('in UTC where the local text reads as another time', () => {
    const early = new Date(2026, 0, 5);
    early.setFullYear(50);
    expect(timeAsWritten(early.getTime())).toBe(early.toISOString());
  });
});
