import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editableSpan, parseSpan, parseSpanList } from '../../../src/renderer/lib/span.ts';
import { cpuMs } from '../../helpers/cpu-time.ts';

describe('a length of time as typed', () => {
  it.each([
    ['10', 10_000],
    ['10 s', 10_000],
    ['10s', 10_000],
    ['  1 MIN 30 s ', 90_000],
    ['2.5 h', 9_000_000],
    ['2,5 h', 9_000_000],
    ['500 ms', 500],
    ['1 d', 86_400_000],
    ['7 days', 604_800_000],
    ['0', 0],
  ])('%s is %i ms', (text, ms) => {
    expect(parseSpan(text)).toBe(ms);
  });

  it.each([
    '',
    ' ',
    'ten',
    '10 x',
    '-10 s',
    '1e3',
    '10 s 5',
    '5 5',
    '10..',
    '10 s!',
    '1:30',
    '__proto__',
    '5 constructor',
    'NaN',
    '9'.repeat(400),
  ])('%j is none', (text) => {
    expect(parseSpan(text)).toBeNull();
  });

  it('is written so that it reads back as itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 * 86_400_000 }), (ms) => {
        expect(parseSpan(editableSpan(ms))).toBe(ms);
      }),
    );
    expect([0, 10_000, 90_000, 14_400_000, 360_000_000, 86_400_000, 1_500].map(editableSpan)).toEqual([
      '0 s',
      '10 s',
      '1 min 30 s',
      '4 h',
      '100 h',
      '1 d',
      '1 s 500 ms',
    ]);
  });

  it('is read in time linear in the text', () => {
    const took = cpuMs(() => {
      expect(parseSpan(`${'1'.repeat(60_000)}!`)).toBeNull();
      expect(parseSpan('1 s '.repeat(20_000))).toBe(20_000_000);
    });
    expect(took).toBeLessThan(1_000);
  });

  it('lists are split at commas, semicolons and lines, and name the first that is wrong', () => {
    expect(parseSpanList('5 s, 5 min;30 min\n2 h,')).toEqual({ spans: [5_000, 300_000, 1_800_000, 7_200_000] });
    expect(parseSpanList('5 s, soon, never')).toEqual({ wrong: 'soon' });
    expect(parseSpanList('')).toEqual({ spans: [] });
  });
});
