import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockTime, realWait, wallTime } from '../../../src/renderer/lib/clock.ts';
import { prettyJson } from '../../../src/renderer/lib/json.ts';
import { splitMarks } from '../../../src/renderer/lib/marks.ts';

describe('retry clock', () => {
  const clock = { speed: 60, wallAt: 1_000_000, clockAt: 5_000_000 };
  it('runs at its speed from the instant where both clocks were read', () => {
    expect(clockTime(clock, 1_010_000)).toBe(5_600_000);
    expect(wallTime(clock, 5_600_000)).toBe(1_010_000);
  });
  it('says the real wait, and 0 once the time has passed', () => {
    expect(realWait(clock, 5_720_000, 1_000_000)).toBe(12_000);
    expect(realWait(clock, 5_720_000, 1_020_000)).toBe(0);
  });
});

describe('prettyJson', () => {
  it('changes white space only: numbers, escapes and duplicate keys stay as sent', () => {
    const text = '{"n":12345678901234567890,"n":1e400,"e":"\\u202e\\"{,}","a":[],"o":{}}';
    expect(prettyJson(text)).toBe(
      '{\n  "n": 12345678901234567890,\n  "n": 1e400,\n  "e": "\\u202e\\"{,}",\n  "a": [],\n  "o": {}\n}',
    );
  });
  it('agrees with JSON.stringify on every value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });
  it('leaves text that is not JSON alone', () => {
    expect(prettyJson('{"a": nope')).toBe('{"a": nope');
  });
});

describe('splitMarks', () => {
  it('boxes control, zero-width and bidi characters', () => {
    expect(splitMarks('Pay\u202Efdp.exe')).toEqual(['Pay', { code: 'U+202E' }, 'fdp.exe']);
    expect(splitMarks('\u0000a\u200B\uFEFF')).toEqual([
      { code: 'U+0000' },
      'a',
      { code: 'U+200B' },
      { code: 'U+FEFF' },
    ]);
    expect(splitMarks('x\u{E0041}')).toEqual(['x', { code: 'U+E0041' }]);
  });
  it('leaves joiners inside emoji and words, and boxes stray ones', () => {
    expect(splitMarks('👩‍👩‍👧')).toEqual(['👩‍👩‍👧']);
    expect(splitMarks('می‌خواهم')).toEqual(['می‌خواهم']);
    expect(splitMarks('a\u200D b')).toEqual(['a', { code: 'U+200D' }, ' b']);
  });
  it('keeps every visible character in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = splitMarks(text)
          .map((part) =>
            typeof part === 'string' ? part : String.fromCodePoint(Number.parseInt(part.code.slice(2), 16)),
          )
          .join('');
        expect(shown).toBe(text);
      }),
    );
  });
  it('takes a 32 KB run of joiners in a moment', () => {
    const started = performance.now();
    expect(splitMarks('\u200D'.repeat(32_000))).toHaveLength(32_000);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
