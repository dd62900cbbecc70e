/** The pure parts of the import of members. */
import { describe, expect, it } from 'vitest';
import type { ImportColumn, ImportRow, ImportView } from '../../../src/contract/audiences.ts';
import { piecesOf, textOf } from '../../../src/renderer/screens/audiences/import/pieces.ts';
import {
  badFileName,
  badRowsText,
  columnsWith,
  importingText,
  outcomeOf,
  spacedText,
} from '../../../src/renderer/screens/audiences/import/words.ts';

describe('pieces of a text', () => {
  it.each([
    ['', 4, ['']],
    ['abcd', 4, ['abcd']],
    ['abcde', 4, ['abcd', 'e']],
    ['abc😀e', 4, ['abc', '😀e']],
    ['ab😀cd', 4, ['ab😀', 'cd']],
  ])('of %j', (text, most, pieces) => {
    expect([...piecesOf(text, most)]).toEqual(pieces);
  });

  it('a text that is not UTF-8 is none; a byte order mark is left out', () => {
    expect(textOf(new Uint8Array([0xff, 0x41]).buffer)).toBeNull();
    expect(textOf(new Uint8Array([0xef, 0xbb, 0xbf, 0x41]).buffer)).toBe('A');
  });
});

const column = (name: string, use: ImportColumn['use']): ImportColumn => ({ name, use, sample: '' });
const COLUMNS = [column('id', 'userId'), column('a,b', 'label'), column('x', 'unused')];

describe('columns', () => {
  it.each([
    [2, 'userId', { userId: 2, label: 1 }],
    [1, 'userId', { userId: 1, label: null }],
    [2, 'label', { userId: 0, label: 2 }],
    [1, 'unused', { userId: 0, label: null }],
    [2, 'unused', { userId: 0, label: 1 }],
  ] as const)('column %i used as %s', (index, use, wanted) => {
    expect(columnsWith(COLUMNS, index, use)).toEqual(wanted);
  });
});

it('bad rows are saved as they stand, under the heading of their file', () => {
  const rows = [{ raw: ',kemi@example.org' }, { raw: '"usr_90b3,x' }] as ImportRow[];
  expect(badRowsText({ format: 'csv', separator: ',', columns: COLUMNS }, rows)).toBe(
    'id,"a,b",x\n,kemi@example.org\n"usr_90b3,x\n',
  );
  expect(badRowsText({ format: 'ndjson', separator: null, columns: COLUMNS }, [{ raw: '{' }] as ImportRow[])).toBe(
    '{\n',
  );
  expect(badFileName('beta-testers.csv', 'csv')).toBe('beta-testers.bad.csv');
  expect(badFileName('members', 'ndjson')).toBe('members.bad.ndjson');
  expect(badFileName(null, 'list')).toBe('members.bad.txt');
});

it('an import adds, or replaces: who comes and who goes', () => {
  const view = { members: 10, good: 6, add: { joins: 4 }, replace: { joins: 4, leaves: 8 } } as ImportView;
  expect(outcomeOf(view, 'add')).toEqual({ after: 14, joins: 4, leaves: 0 });
  expect(outcomeOf(view, 'replace')).toEqual({ after: 6, joins: 4, leaves: 8 });
});

it('ids with spaces are counted in words', () => {
  expect(spacedText(2)).toBe(
    '2 ids begin or end with a space. They are other users than those without it and are kept as found.',
  );
  expect(spacedText(1)).toBe(
    '1 id begins or ends with a space. It is another user than the one without it and is kept as found.',
  );
});

it('an import that runs says how many were added, never more than there are', () => {
  const view = { members: 10, add: { joins: 100 } } as ImportView;
  expect([10, 60, 200, 4].map((members) => importingText(view, members))).toEqual([
    'Importing: 0 of 100 added.',
    'Importing: 50 of 100 added.',
    'Importing: 100 of 100 added.',
    'Importing: 0 of 100 added.',
  ]);
});
