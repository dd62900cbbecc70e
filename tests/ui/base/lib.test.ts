import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldLongStrings } from '../../../src/renderer/components/string-folding.ts';
import { clockTime, realWait, wallTime } from '../../../src/renderer/lib/clock.ts';
import { headOf, longStrings, prettyJson } from '../../../src/renderer/lib/json.ts';
import { MARKED_IN_CODE, splitMarks } from '../../../src/renderer/lib/marks.ts';
import { quoted } from '../../../src/renderer/lib/shell-word.ts';
import { cpuMs } from '../../helpers/cpu-time.ts';

describe('retry clock', () => {
  const clock = { speed: 60, paused: false, wallAt: 1_000_000, clockAt: 5_000_000 };
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
  it('indents no deeper than 60 levels, so brackets alone cannot fill the memory', () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const shown = prettyJson(deep);
    expect(shown.length).toBeLessThan(40_000 * 122);
    expect(shown.replaceAll(/\s/g, '')).toBe(deep);
  });
  it('leaves text that is not JSON alone', () => {
    expect(prettyJson('{"a": nope')).toBe('{"a": nope');
  });
});

describe('longStrings', () => {
  it('finds the insides of strings over the limit, whatever is escaped in them', () => {
    const text = '{"short":"abc","long":"ab\\\\\\"cdefgh","k":1}';
    const over = (value: number, key: number) =>
      longStrings(text, { value, key }).map(({ from, to, isKey }) => [text.slice(from, to), isKey]);
    expect(over(5, 5)).toEqual([['ab\\\\\\"cdefgh', false]]);
    expect(over(4, 4)).toEqual([
      ['short', true],
      ['ab\\\\\\"cdefgh', false],
    ]);
    expect(over(100, 4)).toEqual([['short', true]]);
    expect(over(4, 100)).toEqual([['ab\\\\\\"cdefgh', false]]);
  });
  it('folds keys far sooner than values, so that what stands behind a key stays in sight', () => {
    const folded = (text: string) => foldLongStrings(text).map(({ value: { from, to } }) => [from, to]);
    expect(folded(`{"${'k'.repeat(120)}":"${'v'.repeat(2_000)}"}`)).toEqual([]);
    expect(folded(`{"${'k'.repeat(121)}": "${'v'.repeat(2_000)}"}`)).toEqual([[62, 123]]);
    expect(folded(`{"${'k'.repeat(2_000)}":1}`)).toEqual([[62, 2_002]]);
    expect(folded(`["${'v'.repeat(2_001)}"]`)).toEqual([[202, 2_003]]);
  });
  it('takes a string that is cut off as long as the text goes on', () => {
    expect(longStrings('{"a":"bcdef', { value: 4, key: 4 })).toEqual([{ from: 6, to: 11, isKey: false }]);
    expect(longStrings('"abcdef\\', { value: 4, key: 4 })).toEqual([{ from: 1, to: 8, isKey: false }]);
  });
  it('cuts beside a surrogate pair, not through it', () => {
    expect(headOf('a🚀b', 2)).toBe('a');
    expect(headOf('a🚀b', 3)).toBe('a🚀');
    expect(headOf('ab', 5)).toBe('ab');
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
    for (const joined of ['👨🏽‍💻', '🏳️‍🌈', '❤️‍🔥', '🏃🏽‍♀️‍➡️', '🐻‍❄️', 'क्‍ष']) expect(splitMarks(joined)).toEqual([joined]);
    expect(splitMarks('👩\u200D\u200D👧')).toEqual(['👩', { code: 'U+200D' }, { code: 'U+200D' }, '👧']);
    expect(splitMarks('\u200D👩\u200D')).toEqual([{ code: 'U+200D' }, '👩', { code: 'U+200D' }]);
    expect('👩‍👩‍👧‍👦 می‌خواهم'.match(MARKED_IN_CODE)).toBeNull();
    expect('a\u200D b'.match(MARKED_IN_CODE)).toEqual(['\u200D']);
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
  it('takes 32 KB of joiners in a moment, stray or between pictographs', () => {
    const took = cpuMs(() => {
      expect(splitMarks('\u200D'.repeat(32_000))).toHaveLength(32_000);
      expect(splitMarks('👩\u200D'.repeat(16_000))).toHaveLength(2);
    });
    expect(took).toBeLessThan(500);
  });
});

it('a command line quotes a name for a shell', () => {
  expect(['vip', 'Newsletter Readers', 'a "b" $c', "d's $e", '日本'].map(quoted)).toEqual([
    'vip',
    '"Newsletter Readers"',
    `'a "b" $c'`,
    String.raw`'d'\''s $e'`,
    '"日本"',
  ]);
});
