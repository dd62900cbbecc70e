import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from '../../../src/renderer/message/line-diff.ts';

const sides = (left: string, right: string) =>
  diffLines(left, right).map((row) => [row.left?.text ?? null, row.right?.text ?? null, row.same]);

/** The length of the longest common subsequence. */
function mostInCommon(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return 0;
  let above = right.map(() => 0);
  for (const line of left) {
    const row: number[] = [];
    right.forEach((other, at) => {
      row.push(line === other ? (above[at - 1] ?? 0) + 1 : Math.max(above[at] ?? 0, row[at - 1] ?? 0));
    });
    above = row;
  }
  return above.at(-1) ?? 0;
}

describe('line diff', () => {
  it('faces equal lines and puts changed ones side by side', () => {
    expect(sides('{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 3,\n  "b": 2,\n  "c": 4\n}')).toEqual([
      ['{', '{', true],
      ['  "a": 1,', '  "a": 3,', false],
      ['  "b": 2', '  "b": 2,', false],
      [null, '  "c": 4', false],
      ['}', '}', true],
    ]);
  });

  it('finds common lines in the middle', () => {
    expect(sides('a\nx\nb', 'c\nx\nd\ne')).toEqual([
      ['a', 'c', false],
      ['x', 'x', true],
      ['b', 'd', false],
      [null, 'e', false],
    ]);
  });

  it('shows an empty side as nothing', () => {
    expect(sides('', 'a')).toEqual([[null, 'a', false]]);
    expect(sides('', '')).toEqual([]);
  });

  it('loses no line and numbers them from 1, whatever the texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '{', '}'), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const rows = diffLines(left.join('\n'), right.join('\n'));
        expect(rows.flatMap((row) => (row.left ? [row.left.text] : []))).toEqual(left);
        expect(rows.flatMap((row) => (row.right ? [row.right.text] : []))).toEqual(right);
        expect(rows.flatMap((row) => (row.left ? [row.left.number] : []))).toEqual(left.map((_, k) => k + 1));
        for (const row of rows) if (row.same) expect(row.left?.text).toBe(row.right?.text);
      }),
    );
  });

  it('keeps as many lines in place as it can', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd');
    const text = fc.array(line, { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const rows = diffLines(left.join('\n'), right.join('\n'));
        expect(rows.filter((row) => row.same)).toHaveLength(mostInCommon(left, right));
      }),
    );
  });

  it('faces the lines around more changes than it looks through', () => {
    const lines = (prefix: string) => ['{', ...Array.from({ length: 1_000 }, (_, k) => `${prefix}${k}`), '', '}'];
    const left = ['a', 'b', ...lines('l'), 'y', 'z'];
    const right = ['a', 'b', ...lines('r'), 'y', 'z'];
    const rows = diffLines(left.join('\n'), right.join('\n'));
    expect(rows.map((row) => row.same)).toEqual(left.map((text, k) => text === right[k]));
    const cut = diffLines(['a', ...lines('l'), 'b'].join('\n'), ['a', 'x', ...lines('r'), 'b'].join('\n'));
    expect(cut.filter((row) => row.same).map((row) => row.left?.text)).toEqual(['a', '', '}', 'b']);
  });

  it('stays quick for two long texts that share nothing', () => {
    const left = Array.from({ length: 20_000 }, (_, k) => `l${k}`).join('\n');
    const right = Array.from({ length: 20_000 }, (_, k) => `r${k}`).join('\n');
    const rows = diffLines(left, right);
    expect(rows).toHaveLength(20_000);
    expect(rows.every((row) => !row.same)).toBe(true);
  });
});
