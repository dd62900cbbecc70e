import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctTime, formatTimestamp, parseTimestamp } from '../../../src/core/model/timestamp.ts';

const iso = (text: string): string | null => {
  const at = parseTimestamp(text);
  return at === null ? null : formatTimestamp(at);
};

describe('times that clients write', () => {
  it.each([
    ['Go version 2, local zone without colon', '2026-11-20T12:31:04-0500', '2026-11-20T17:31:04.000Z'],
    ['Go version 3, nanoseconds', '2026-11-20T11:59:57.708795692-05:00', '2026-11-20T16:59:57.708Z'],
    ['Python message', '2026-11-20T17:11:30.073+00:00', '2026-11-20T17:11:30.073Z'],
    ['Python sentAt, microseconds', '2026-11-20T17:11:30.573393+00:00', '2026-11-20T17:11:30.573Z'],
    ['PHP', '2026-11-20T12:13:53-05:00', '2026-11-20T17:13:53.000Z'],
    ['Ruby', '2026-11-20T17:13:53.602+00:00', '2026-11-20T17:13:53.602Z'],
    ['Ruby, whole second', '2026-11-20T17:13:53.000Z', '2026-11-20T17:13:53.000Z'],
    ['JavaScript', '2026-11-20T17:13:53.061Z', '2026-11-20T17:13:53.061Z'],
    ['C#, seven decimals', '2026-11-20T17:13:53.0617654Z', '2026-11-20T17:13:53.061Z'],
    ['no seconds', '2026-11-20T17:13Z', '2026-11-20T17:13:00.000Z'],
    ['one decimal', '2026-11-20T17:13:53.5Z', '2026-11-20T17:13:53.500Z'],
    ['a comma before the decimals', '2026-11-20T17:13:53,25Z', '2026-11-20T17:13:53.250Z'],
    ['a space instead of T, hours alone as zone', '2026-11-20 17:13:53+01', '2026-11-20T16:13:53.000Z'],
    ['lower case', '2026-11-20t17:13:53z', '2026-11-20T17:13:53.000Z'],
    ['no zone is UTC', '2026-11-20T17:13:53', '2026-11-20T17:13:53.000Z'],
    ['a date alone', '2020-01-01', '2020-01-01T00:00:00.000Z'],
    ['a half-hour zone over midnight', '2026-01-01T00:10:00+05:30', '2025-12-31T18:40:00.000Z'],
    ['a leap day', '2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['an import from long ago', '1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['hours alone as zone, behind UTC', '2026-11-20T17:13:53-02', '2026-11-20T19:13:53.000Z'],
    ['the zone farthest ahead', '2026-11-20T17:13:53+23:59', '2026-11-19T17:14:53.000Z'],
    ['the zone farthest behind', '2026-11-20T17:13:53-2359', '2026-11-21T17:12:53.000Z'],
    ['23 hours alone as zone', '2026-11-20T17:13:53+23', '2026-11-19T18:13:53.000Z'],
    ['no seconds, but a zone', '2026-11-20T17:13+02:30', '2026-11-20T14:43:00.000Z'],
    ['the last second of a day', '2026-12-31T23:59:59.9999Z', '2026-12-31T23:59:59.999Z'],
    ['ten milliseconds', '2026-11-20T17:13:53.01Z', '2026-11-20T17:13:53.010Z'],
    ['a hundred milliseconds', '2026-11-20T17:13:53.1Z', '2026-11-20T17:13:53.100Z'],
    ['a leap day of a century', '2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['the last day of a long month', '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['the first instant that can be written', '0000-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z'],
    ['the last one', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['the year 99', '0099-12-31', '0099-12-31T00:00:00.000Z'],
    ['the year 100', '0100-01-01', '0100-01-01T00:00:00.000Z'],
    ['the year 50', '0050-03-01T00:00:00Z', '0050-03-01T00:00:00.000Z'],
  ])('%s', (_, text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-13-01',
    '2026-11-00',
    '2026/11-20',
    '2026-11/20',
    '2026-06-31',
    '2026-09-31',
    '2026-11-31',
    '2026-12-32',
    '2026-11-20X17:13Z',
    '2026-11-20T17:13:53X',
    '2026-11-20T17:13:53+24',
    '2026-11-20T17:13:53*01:00',
    '2026-11-20T17:13:53+01:000',
    '2026-11-20T17:13:53+01:00Z',
    '2026-11-20T17:13:53+010',
    '2026-00-01',
    '2026-02-30',
    '2023-02-29',
    '2100-02-29',
    '2026-04-31T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T17:60:00Z',
    '2026-11-20T17:13:60Z',
    '2026-11-20T17:13:5',
    '2026-11-20T17',
    '2026-11-20T17:13:53.Z',
    '2026-11-20T17:13:53.061ZZ',
    '2026-11-20T17:13:53+24:00',
    '2026-11-20T17:13:53+00:60',
    '2026-11-20T17:13:53+0:00',
    '2026-11-20T17:13:53+00:0',
    ' 2026-11-20T17:13:53Z',
    '2026-11-20T17:13:53Z ',
    '2026/11/20',
    '20261120T171353Z',
    '+012345-01-01T00:00:00Z',
    '1795195970518',
    'Fri, 20 Nov 2026 17:13:53 GMT',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
  ])('refuses %j', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it('reads and writes every instant of four-digit years as JavaScript does', () => {
    const instant = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, (date) => {
        expect(parseTimestamp(date.toISOString())).toBe(date.getTime());
        expect(formatTimestamp(date.getTime())).toBe(date.toISOString());
      }),
    );
  });

  it('takes any text without throwing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseTimestamp(text)));
  });
});

describe('correcting a wrong clock', () => {
  const received = Date.UTC(2026, 10, 20, 12, 0, 0);

  it('moves the time by what lies between sending and receipt', () => {
    // The client is an hour slow: it says 10:59:50 for a call made ten seconds before it sent.
    const sent = received - 3_600_000;
    expect(correctTime(received, sent - 10_000, sent, 'wrong_clock')).toEqual({
      timestamp: received - 10_000,
      original: sent - 10_000,
      movedMs: 3_600_000,
    });
  });

  it('moves it back for a clock that is fast', () => {
    expect(correctTime(received, received + 60_000, received + 61_000, 'wrong_clock').timestamp).toBe(received - 1_000);
  });

  it.each([
    [-5_001, -5_001],
    [-5_000, 0],
    [-4_999, 0],
    [-1, 0],
    [0, 0],
    [412, 0],
    [4_999, 0],
    [5_000, 0],
    [5_001, 5_001],
  ])('takes up to 5 s for latency: a skew of %i ms moves a time of years ago by %i ms', (skew, movedMs) => {
    const past = Date.UTC(2010, 0, 1);
    const kept = { timestamp: past, original: past, movedMs: 0 };
    expect(correctTime(received, past, received - skew, 'wrong_clock')).toEqual({
      timestamp: past + movedMs,
      original: past,
      movedMs,
    });
    expect(correctTime(received, past, received - skew, 'never')).toEqual(kept);
    expect(correctTime(received, past, received - skew, 'always').timestamp).toBe(past + skew);
  });

  it.each([
    [4_001, false],
    [5_000, false],
    [5_001, true],
  ])('a call that was %i ms on its way from a client that writes whole seconds: wrong clock %s', (latency, wrong) => {
    // Received on a full second, so that the cut adds all it can: 999 ms to 4,001 ms.
    const sent = received - latency;
    const cut = Math.floor(sent / 1000) * 1000;
    expect(correctTime(received, cut, cut, 'wrong_clock').movedMs !== 0).toBe(wrong);
  });

  it('takes the time of receipt when there is none', () => {
    expect(correctTime(received, null, received - 50_000, 'always')).toEqual({
      timestamp: received,
      original: null,
      movedMs: 0,
    });
  });

  it('keeps the client time when it did not say when it sent', () => {
    expect(correctTime(received, 5, null, 'always')).toEqual({ timestamp: 5, original: 5, movedMs: 0 });
  });

  it('is not made when it would leave the calendar', () => {
    const sent = parseTimestamp('0001-01-01T00:00:00Z') as number;
    const past = parseTimestamp('9999-01-01T00:00:00Z') as number;
    for (const correction of ['wrong_clock', 'always'] as const)
      expect(correctTime(received, past, sent, correction).timestamp).toBe(past);
  });
});
