import { describe, expect, test } from 'vitest';
import { MemberFile } from '../../../src/core/model/member-file.ts';
import {
  type ChosenColumns,
  idProblem,
  type JudgedRow,
  judgeRow,
  rowText,
} from '../../../src/core/model/member-rows.ts';

function read(text: string, pieces = 1): { file: MemberFile; rows: ReturnType<MemberFile['read']> } {
  const file = new MemberFile();
  const size = Math.ceil(text.length / pieces) || 1;
  const rows: ReturnType<MemberFile['read']> = [];
  for (let at = 0; at < text.length || at === 0; at += size)
    rows.push(...file.read(text.slice(at, at + size), at + size >= text.length));
  return { file, rows };
}

function judge(text: string, columns: ChosenColumns): JudgedRow[] {
  const lines = new Map<string, number>();
  return read(text).rows.map((row) => judgeRow(row, columns, lines));
}

const short = ({ line, userId, result, problem, sameAs }: JudgedRow) => [line, userId, result, problem ?? sameAs];

describe('the format', () => {
  test.each([
    ['a,b\n1,2\n', 'csv', ',', ['a', 'b']],
    ['a;b,x;c\n', 'csv', ';', ['a', 'b,x', 'c']],
    ['a\tb\n', 'csv', '\t', ['a', 'b']],
    ['"a,1","b"\n', 'csv', ',', ['a,1', 'b']],
    ['\uFEFFuser_id\nusr_1\n', 'csv', ',', ['user_id']],
    ['usr_1\nusr_2', 'list', null, ['']],
    ['{"userId":"u","email":"e"}\n', 'ndjson', null, ['userId', 'email']],
  ] as const)('of %j is %s', (text, format, separator, columns) => {
    const { file } = read(text);
    expect([file.format, file.separator, file.columns]).toEqual([format, separator, columns]);
  });
});

test('ids of a list stay as they are found, and empty lines are no rows', () => {
  expect(judge('a\r\n\n b\nb\nä\n\ta\na', { userId: 0, label: null }).map(short)).toEqual([
    [1, 'a', 'good', null],
    [3, ' b', 'good', null],
    [4, 'b', 'good', null],
    [5, 'ä', 'good', null],
    [6, '\ta', 'good', null],
    [7, 'a', 'duplicate', 1],
  ]);
});

test('bad rows of a CSV file never stop the good ones', () => {
  const text = [
    'customer_id,email,plan',
    'u1,a@b,pro',
    ',kemi@example.org,pro',
    'u2',
    '"u3,ivo@example.com,pro',
    'u4,"x, ""y""",pro',
    'u1,,',
    '"u5"x,a,b',
    ' ,a,b',
    'u6,a,b',
  ].join('\n');
  expect(judge(text, { userId: 0, label: 1 }).map(short)).toEqual([
    [2, 'u1', 'good', null],
    [3, null, 'bad', 'empty'],
    [4, 'u2', 'bad', 'wrong_columns'],
    [5, '"u3', 'bad', 'quote_not_closed'],
    [6, 'u4', 'good', null],
    [7, 'u1', 'duplicate', 2],
    [8, 'u5', 'bad', 'text_after_quote'],
    [9, ' ', 'bad', 'empty'],
    [10, 'u6', 'good', null],
  ]);
  expect(judge(text, { userId: 0, label: 1 })[4]!.label).toBe('x, "y"');
});

test('a quoted cell may go on in the next lines, when the row then has its columns', () => {
  const text = 'id,address\nu1,"a street\n1234 town"\nu2,b\n';
  expect(judge(text, { userId: 0, label: 1 }).map((row) => [...short(row), row.label])).toEqual([
    [2, 'u1', 'good', null, 'a street\n1234 town'],
    [4, 'u2', 'good', null, 'b'],
  ]);
});

test('an open quote takes no more than 20 lines with it, even when another quote closes it', () => {
  const rest = Array.from({ length: 40 }, (_, i) => `u${i},x`);
  const rows = judge(['id,x', 'bad,"x', ...rest, '",y'].join('\n'), { userId: 0, label: null });
  expect(rows.filter(({ result }) => result === 'good')).toHaveLength(40);
  expect(rows.filter(({ result }) => result === 'bad').map(({ line }) => line)).toEqual([2, 43]);
});

test('NDJSON takes texts and whole numbers', () => {
  const text = [
    '{"userId":"a","n":1}',
    '{"userId":12}',
    '{"userId":1.5}',
    '{"n":1}',
    'x',
    '"a"',
    '{"userId":"\\ud800"}',
  ];
  expect(judge(text.join('\n'), { userId: 0, label: 1 }).map(short)).toEqual([
    [1, 'a', 'good', null],
    [2, '12', 'good', null],
    [3, null, 'bad', 'not_an_id'],
    [4, null, 'bad', 'no_field'],
    [5, null, 'bad', 'not_json'],
    [6, null, 'bad', 'not_json'],
    [7, '\ud800', 'bad', 'not_text'],
  ]);
});

test('the pieces that a file arrives in change nothing', () => {
  const text = '\uFEFFid,x\r\nu1,"a\r\nb"\r\n"u2,c\r\nu3,d\r\nü4,"e"\r\n';
  const whole = read(text).rows;
  expect(whole).toHaveLength(4);
  for (let pieces = 2; pieces <= text.length; pieces++) expect(read(text, pieces).rows).toEqual(whole);
});

test('an empty file has no rows', () => {
  expect(read('').rows).toEqual([]);
  expect(read('\n\n').rows).toEqual([]);
});

test('an id may be long, but not too long', () => {
  expect([idProblem('x'.repeat(1_000)), idProblem('x'.repeat(1_001))]).toEqual([null, 'too_long']);
});

test('a row says what is wrong with it', () => {
  const words = (text: string): string[] => {
    const lines = new Map<string, number>();
    return read(text).rows.map((row) =>
      rowText(judgeRow(row, { userId: 0, label: null }, lines), 'customer_id', 3, row.cells.length),
    );
  };
  expect(words('customer_id,b,c\n,b,c\nu1,b\n"u,b,c\n u2,b,c\n u3 ,b,c\nu4 ,b,c\nu4 ,b,c\n"u"5,b,c\n')).toEqual([
    'customer_id is empty',
    '2 columns, 3 expected',
    'a quote is opened and never closed',
    'begins with a space, kept as found',
    'begins and ends with a space, kept as found',
    'ends with a space, kept as found',
    'same as line 7, kept once',
    'text follows a closing quote',
  ]);
});
