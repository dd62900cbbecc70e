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
    ['  {"userId":"u"}\n', 'ndjson', null, ['userId']],
    ['{broken\n', 'ndjson', null, []],
    ['\n\na,b;c;d\n', 'csv', ';', ['a,b', 'c', 'd']],
    ['a,b;c\n', 'csv', ',', ['a', 'b;c']],
    ['"User-ID"\nu1', 'csv', ',', ['User-ID']],
    ['usr_1\nuserid', 'list', null, ['']],
    ['', 'list', null, []],
  ] as const)('of %j is %s', (text, format, separator, columns) => {
    const { file } = read(text);
    expect([file.format, file.separator, file.columns]).toEqual([format, separator, columns]);
  });
});

test.each([
  ['userId', true],
  ['Customer ID', true],
  ['external_id', true],
  ['Member-Id', true],
  ['contact_id', true],
  ['UID', true],
  ['id', true],
  ['User', true],
  ['customer', true],
  ['email', false],
  ['id2', false],
])('a single column named %s is a heading: %s', (name, isHeading) => {
  expect(read(`${name}\nu1\n`).rows.map(({ cells }) => cells[0])).toEqual(isHeading ? ['u1'] : [name, 'u1']);
});

test('the cells of the first row that has some are kept', () => {
  expect(read('id,x\nu1,\nu2,b\n').file.firstCells).toEqual(['u1', '']);
  expect(read('{"userId":1.5,"n":"a"}\n{"userId":"u","n":"b"}\n').file.firstCells).toEqual(['', 'a']);
  expect(read('{"userId":"u"}\nx\n').file.firstCells).toEqual(['u']);
  expect(read('x\n').file.firstCells).toEqual(['x']);
  expect(read('').file.firstCells).toEqual([]);
});

test('only the first character of a file may be a byte order mark', () => {
  const file = new MemberFile();
  const rows = [...file.read('', false), ...file.read('\uFEFFx1\n', false), ...file.read('\uFEFFx2\n', true)];
  expect(rows.map(({ cells }) => cells[0])).toEqual(['x1', '\uFEFFx2']);
});

test('a byte order mark inside the first row is part of it', () => {
  expect(read('usr\uFEFF1\n').rows[0]!.cells).toEqual(['usr\uFEFF1']);
});

test('ids of a list may look like anything', () => {
  expect(read('usr_1\nnull\n"q').rows.map(({ cells, problem }) => [cells, problem])).toEqual([
    [['usr_1'], null],
    [['null'], null],
    [['"q'], null],
  ]);
});

test('a cell that is closed with too few columns takes no further line to have enough', () => {
  const [first] = read('x,y,z\n"a\nb",1\n2,3\n').rows;
  expect([first!.problem, first!.text]).toEqual(['quote_not_closed', '"a']);
});

test('a row has its text as it is in the file', () => {
  const texts = (text: string) => read(text).rows.map((row) => row.text);
  expect(texts('id,x\nu1,"a\nb"\nu2\n')).toEqual(['u1,"a\nb"', 'u2']);
  expect(texts('{"id":1}\nx\n')).toEqual(['{"id":1}', 'x']);
  expect(texts('one\r\n')).toEqual(['one']);
});

test('NDJSON rows are objects with own fields', () => {
  const found = read('{"id":"a","toString":"x"}\n{"id":"b"}\n[1]\nnull\n7\n').rows;
  expect(found.map(({ cells, problem }) => [cells, problem])).toEqual([
    [['a', 'x'], null],
    [['b', undefined], null],
    [[], 'not_json'],
    [[], 'not_json'],
    [[], 'not_json'],
  ]);
});

test('cells between separators, with and without quotes', () => {
  const cells = (row: string) => read(`a,b,c\n${row}\n`).rows.map((one) => [one.cells, one.problem]);
  expect(cells('1,2,3')).toEqual([[['1', '2', '3'], null]]);
  expect(cells(',,')).toEqual([[['', '', ''], null]]);
  expect(cells('1,"",3')).toEqual([[['1', '', '3'], null]]);
  expect(cells('1,"a,""b""",3')).toEqual([[['1', 'a,"b"', '3'], null]]);
  expect(cells('1,a"b,3')).toEqual([[['1', 'a"b', '3'], null]]);
  expect(cells('1,2')).toEqual([[['1', '2'], 'wrong_columns']]);
  expect(cells('1,2,3,4')).toEqual([[['1', '2', '3', '4'], 'wrong_columns']]);
  expect(cells('1,"a"b,3')).toEqual([[['1', 'a'], 'text_after_quote']]);
  expect(cells('1,"a,3')).toEqual([[['1', '"a'], 'quote_not_closed']]);
  expect(cells('1,2,"3')).toEqual([[['1', '2', '"3'], 'quote_not_closed']]);
});

test('a quoted cell may go on over 20 lines, not over 21', () => {
  const rows = (lines: number) => {
    const cell = Array.from({ length: lines }, (_, i) => `l${i}`).join('\n');
    return read(`id,x\nu1,"${cell}"\n`).rows.map(({ problem }) => problem);
  };
  expect(rows(20)).toEqual([null]);
  expect(rows(21)[0]).toBe('quote_not_closed');
});

test('an open quote waits for lines that are still to come, but not for more than 20', () => {
  const file = new MemberFile();
  expect(file.read('id,x\nu1,"a\n', false)).toEqual([]);
  expect(file.read(`${'b\n'.repeat(18)}`, false)).toEqual([]);
  const rows = file.read('b\n', false);
  expect(rows[0]).toMatchObject({ line: 2, problem: 'quote_not_closed' });
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

test('a row of NDJSON says what is wrong with its id', () => {
  const lines = new Map<string, number>();
  const text = ['{"id":"a"}', '{}', '{"id":true}', 'x', '{"id":"\\ud800"}', `{"id":"${'x'.repeat(1_001)}"}`];
  const words = (column: string) =>
    read(text.join('\n')).rows.map((row) =>
      rowText(judgeRow(row, { userId: 0, label: null }, lines), column, 1, row.cells.length),
    );
  expect(words('id').slice(1)).toEqual([
    'id is missing',
    'id is not a text or a whole number',
    'is not a JSON object',
    'id has half a character',
    '1001 characters, at most 1000',
  ]);
  expect(words('')[1]).toBe('The id is missing');
});

test('one column is told in the singular, and a bad row keeps its text', () => {
  const [row] = read('a,b\nu1\n').rows;
  const judged = judgeRow(row!, { userId: 0, label: 1 }, new Map());
  expect(judged).toEqual({
    line: 2,
    userId: 'u1',
    label: null,
    result: 'bad',
    problem: 'wrong_columns',
    sameAs: null,
    text: 'u1',
  });
  expect(rowText(judged, 'a', 2, 1)).toBe('1 column, 2 expected');
});

test('a good row and a duplicate keep nothing of their text', () => {
  const rows = judge('id,n\nu1,a\nu1,\n', { userId: 0, label: 1 });
  expect(rows).toEqual([
    { line: 2, userId: 'u1', label: 'a', result: 'good', problem: null, sameAs: null, text: '' },
    { line: 3, userId: 'u1', label: null, result: 'duplicate', problem: null, sameAs: 2, text: '' },
  ]);
  expect(rowText(rows[0]!, 'id', 2, 2)).toBe('');
});
