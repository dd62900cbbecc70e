import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatCount,
  formatCountdown,
  formatCountShort,
  formatDateTime,
  formatDay,
  formatDuration,
  formatExactSize,
  formatIso,
  formatOffset,
  formatPercent,
  formatShortTime,
  formatSize,
  formatSpan,
  formatTime,
  middleEllipsis,
  plural,
  shortId,
} from '../../../src/renderer/lib/format.ts';

const at = new Date(2026, 10, 20, 14, 12, 40, 107).getTime();
const table = <T>(write: (value: T) => string, rows: ReadonlyArray<readonly [T, string]>) => {
  for (const [value, text] of rows) expect([value, write(value)]).toEqual([value, text]);
};

describe('times', () => {
  it('writes local time with milliseconds, and the date in front in details', () => {
    expect(formatTime(at)).toBe('14:12:40.107');
    expect(formatDay(at)).toBe('20 Nov 2026');
    expect(formatDateTime(at)).toBe('20 Nov 2026, 14:12:40.107');
  });
  it('writes ISO 8601 in UTC for tooltips and copies', () => {
    expect(formatIso(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe('2026-01-02T03:04:05.006Z');
  });
  it('leaves out of a short time what is the same as now', () => {
    const of = (year: number, month: number, day: number) => new Date(year, month, day, 9, 12, 40).getTime();
    table(
      (ms: number) => formatShortTime(ms, at),
      [
        [of(2026, 10, 20), '09:12:40'],
        [of(2026, 10, 18), '18 Nov, 09:12:40'],
        [of(2026, 0, 2), '2 Jan, 09:12:40'],
        [of(2025, 10, 20), '20 Nov 2025'],
      ],
    );
  });
  it('says how long ago, never less than now', () => {
    table(
      (ms: number) => formatAgo(at - ms, at),
      [
        [-5000, 'now'],
        [999, 'now'],
        [4_200, '4 s ago'],
        [59_999, '59 s ago'],
        [60_000, '1 min ago'],
        [3_600_000, '1 h ago'],
        [86_400_000, '1 day ago'],
        [432_000_000, '5 days ago'],
      ],
    );
  });
  it('writes offsets from the first attempt', () => {
    table(formatOffset, [
      [0, 'at once'],
      [10_000, '+10 s'],
      [40_000, '+40 s'],
      [100_000, '+1 min 40 s'],
      [120_000, '+2 min'],
      [7_500_000, '+2 h 05 min'],
      [14_400_000, '+4 h'],
      [-10_000, '\u221210 s'],
    ]);
  });
  it('writes planned spans without needless parts', () => {
    table(formatSpan, [
      [250, '250 ms'],
      [5_000, '5 s'],
      [1_200_000, '20 min'],
      [14_400_000, '4 h'],
      [5_400_000, '1 h 30 min'],
      [259_200_000, '3 days'],
    ]);
  });
  it('counts down to now', () => {
    table(formatCountdown, [
      [-1, 'now'],
      [999, 'now'],
      [1_000, '0:01'],
      [12_900, '0:12'],
      [760_000, '12:40'],
      [3_849_000, '1:04:09'],
    ]);
  });
  it('writes measured durations with three figures at most', () => {
    table(formatDuration, [
      [0.4, '0.4 ms'],
      [9.96, '10 ms'],
      [184.4, '184 ms'],
      [999.6, '1.00 s'],
      [1_240, '1.24 s'],
      [5_000, '5.00 s'],
      [59_996, '1 min'],
      [72_000, '1 min 12 s'],
    ]);
  });
});

describe('numbers', () => {
  it('counts sizes on the base of the limits, 1 KB = 1,024 B', () => {
    table(formatSize, [
      [0, '0 B'],
      [313, '313 B'],
      [1023, '1023 B'],
      [1024, '1 KB'],
      [32_768, '32 KB'],
      [42_189, '41.2 KB'],
      [626_688, '612 KB'],
      [1_048_575, '1 MB'],
      [50_541_363, '48.2 MB'],
    ]);
    expect(formatExactSize(42_189)).toBe('42,189 bytes');
    expect(formatExactSize(1)).toBe('1 byte');
  });
  it('groups thousands and uses the minus sign', () => {
    table(formatCount, [
      [0, '0'],
      [999, '999'],
      [12_408, '12,408'],
      [1_000_000, '1,000,000'],
      [-1_234, '\u22121,234'],
    ]);
  });
  it('shortens badges from 100,000', () => {
    table(formatCountShort, [
      [99_999, '99,999'],
      [128_640, '128K'],
      [999_999, '999K'],
      [1_000_000, '1M'],
      [1_260_000, '1.2M'],
      [12_600_000, '12M'],
    ]);
  });
  it('never rounds a share up to 100% or down to 0%', () => {
    const share = ([part, whole]: readonly [number, number]) => formatPercent(part, whole);
    table(share, [
      [[20, 24], '83%'],
      [[23, 24], '95.8%'],
      [[9999, 10_000], '99.9%'],
      [[99_999, 100_000], '99.9%'],
      [[1, 100_000], '<0.1%'],
      [[230, 100_000], '0.2%'],
      [[999, 100_000], '1%'],
      [[0, 24], '0%'],
      [[24, 24], '100%'],
      [[0, 0], '0%'],
    ]);
  });
  it('writes one and many', () => {
    expect([plural(1, 'message'), plural(0, 'message'), plural(1200, 'message')]).toEqual([
      '1 message',
      '0 messages',
      '1,200 messages',
    ]);
  });
});

describe('ids and addresses', () => {
  it('keeps short ids and both ends of long ones', () => {
    expect(shortId('usr_8f21')).toBe('usr_8f21');
    expect(shortId('9d41f0aa-6b1e-4c57-9a3d-2f0be8c407aa')).toBe('9d41\u202607aa');
  });
  it('cuts the middle of a long URL to the given length', () => {
    const url = `https://long.acme.test/${'segment/'.repeat(240)}end`;
    const cut = middleEllipsis(url, 60);
    expect(cut).toHaveLength(60);
    expect(cut.startsWith('https://long.acme.test/')).toBe(true);
    expect(cut.endsWith('/end')).toBe(true);
    expect(middleEllipsis('http://a.test', 60)).toBe('http://a.test');
  });
});
