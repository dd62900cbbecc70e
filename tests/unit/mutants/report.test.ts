import { expect, test } from 'vitest';
import { compare, percent, type Report, scoreOf } from '../../mutants/report.ts';

const mutant = (status: string, line: number, replacement: string) => ({
  mutatorName: 'StringLiteral',
  status,
  replacement,
  location: { start: { line, column: 3 }, end: { line, column: 9 } },
});
const report: Report = {
  files: {
    'src/a.ts': {
      source: "  one('x');\n  two();",
      mutants: [
        mutant('Killed', 1, '""'),
        mutant('Timeout', 1, 'three'),
        mutant('Survived', 1, 'four'),
        mutant('NoCoverage', 2, 'five'),
        mutant('CompileError', 2, 'six'),
        mutant('Ignored', 2, 'seven'),
      ],
    },
  },
};

test('killed and timed out count as noticed, survived and uncovered as not, the rest not at all', () => {
  const score = scoreOf(report);
  expect(score.killed).toBe(2);
  expect(score.survivors).toEqual([
    { file: 'src/a.ts', line: "one('x');", replacement: 'four', at: 'src/a.ts:1:3' },
    { file: 'src/a.ts', line: 'two();', replacement: 'five', at: 'src/a.ts:2:3' },
  ]);
  expect(percent(score)).toBe(50);
});

test('a score is rounded down, so that 89.99 is not 90', () => {
  const survivors = Array.from({ length: 1001 }, () => ({ file: 'a', line: '', replacement: '', at: '' }));
  expect(percent({ killed: 8999, survivors })).toBe(89.9);
  expect(percent({ killed: 0, survivors: [] })).toBe(0);
});

test('a survivor needs a reason of its own, and a reason needs its survivor', () => {
  const reason = { file: 'src/a.ts', line: 'two();', replacement: 'five', why: 'equal' };
  const gone = { ...reason, line: 'gone();' };
  const { unexplained, outdated } = compare(scoreOf(report), [reason, gone]);
  expect(unexplained.map(({ at }) => at)).toEqual(['src/a.ts:1:3']);
  expect(outdated).toEqual([gone]);
});
