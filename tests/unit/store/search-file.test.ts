/** The file of the search index: what it keeps, what a save takes out, and which file is made again. */
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import type { SearchBatch, SearchFile, SearchStores } from '../../../src/core/store/ports/search.ts';
import { deleteSearchFile, openSearch, searchPath } from '../../../src/core/store/search-file.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let workspace: string;
let stores: SearchStores;
beforeEach(() => {
  workspace = tempWorkspace();
  openStore(workspace).close();
  stores = openSearch(workspace);
  onTestFinished(() => stores.source.close());
});

function opened(): SearchFile {
  const file = stores.openFile();
  onTestFinished(() => file.close());
  return file;
}

const MARKS = { storeId: 'one', nextBlock: 3, attempt: 9 };
const NOTHING: SearchBatch = { marks: MARKS, blocks: [], counts: [], parts: [], dropBlocks: 0, dropSegments: 0 };
const bytes = (...values: number[]): Buffer => Buffer.from(values);
const block = (n: number, value = n) => ({ block: n, signature: bytes(value) });
const segment = (n: number, value = n) => ({ segment: n, counts: bytes(value) });
const part = (inSegment: number, n: number) => ({ segment: inSegment, part: n, bytes: bytes(inSegment, n) });

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** What another program finds in the file. */
function pragmaOf(name: string): unknown {
  const db = new Database(searchPath(workspace), { readonly: true });
  onTestFinished(() => void db.close());
  return db.pragma(name, { simple: true });
}

describe('a new file', () => {
  test('holds nothing', () => {
    const file = opened();
    expect([file.marks(), file.blocks(), file.counts(), file.part(0, 0)]).toEqual([null, [], [], undefined]);
  });

  test('names its kind and version, and keeps a log', () => {
    opened();
    expect(['application_id', 'user_version', 'page_size', 'journal_mode'].map(pragmaOf)).toEqual([
      0x486b6273,
      3,
      4_096,
      'wal',
    ]);
  });
});

describe.skipIf(process.platform === 'win32')('the file', () => {
  test('is for its owner alone, and one that others may read is closed to them', () => {
    opened().close();
    expect(modeOf(searchPath(workspace))).toBe(0o600);
    chmodSync(searchPath(workspace), 0o644);
    opened();
    expect(modeOf(searchPath(workspace))).toBe(0o600);
  });
});

describe('a save', () => {
  test('is there for the next handle, each list in its order', () => {
    const file = opened();
    file.save({
      ...NOTHING,
      blocks: [block(8), block(2)],
      counts: [segment(5), segment(1)],
      parts: [part(1, 0), part(1, 1_023), part(2, 0)],
    });
    file.close();
    const again = opened();
    expect(again.marks()).toEqual(MARKS);
    expect(again.blocks()).toEqual([block(2), block(8)]);
    expect(again.counts()).toEqual([segment(1), segment(5)]);
    expect([again.part(1, 0), again.part(1, 1_023), again.part(2, 0)]).toEqual([
      bytes(1, 0),
      bytes(1, 1_023),
      bytes(2, 0),
    ]);
    expect([again.part(1, 1), again.part(0, 0), again.part(2, 1_023)]).toEqual([undefined, undefined, undefined]);
  });

  test('takes the place of what was there', () => {
    const file = opened();
    file.save({ ...NOTHING, blocks: [block(1)], counts: [segment(1)], parts: [part(1, 1)] });
    const marks = { storeId: null, nextBlock: 4, attempt: 10 };
    const newPart = { ...part(1, 1), bytes: bytes(77) };
    file.save({ ...NOTHING, marks, blocks: [block(1, 7)], counts: [segment(1, 7)], parts: [newPart] });
    expect([file.marks(), file.blocks(), file.counts(), file.part(1, 1)]).toEqual([
      marks,
      [block(1, 7)],
      [segment(1, 7)],
      bytes(77),
    ]);
  });

  test('drops blocks and segments below a number, and not those it brings', () => {
    const file = opened();
    file.save({
      ...NOTHING,
      blocks: [block(1), block(2), block(3)],
      counts: [segment(0), segment(1), segment(2)],
      parts: [part(0, 1_023), part(1, 5), part(2, 0)],
    });
    file.save({ ...NOTHING, blocks: [block(0)], dropBlocks: 3, dropSegments: 2 });
    expect(file.blocks()).toEqual([block(0), block(3)]);
    expect(file.counts()).toEqual([segment(2)]);
    expect([file.part(0, 1_023), file.part(1, 5), file.part(2, 0)]).toEqual([undefined, undefined, bytes(2, 0)]);
  });

  test('that fails in its middle leaves the file as it was', () => {
    const file = opened();
    file.save({ ...NOTHING, blocks: [block(1)] });
    const bad = { segment: 1, counts: null as unknown as Uint8Array };
    expect(() => file.save({ ...NOTHING, blocks: [block(2)], counts: [bad], dropBlocks: 9 })).toThrow(/NOT NULL/);
    expect([file.blocks(), file.counts()]).toEqual([[block(1)], []]);
  });

  test('that drops a block leaves none of its bytes in a file, once it is settled', () => {
    const file = opened();
    const signature = Buffer.from('canary'.repeat(20));
    file.save({ ...NOTHING, blocks: [{ block: 1, signature }] });
    file.settle();
    const holding = (): string[] =>
      readdirSync(workspace).filter((name) => readFileSync(join(workspace, name)).includes('canarycanary'));
    expect(holding()).toEqual(['search.sqlite']);
    file.save({ ...NOTHING, dropBlocks: 2 });
    file.settle();
    expect(holding()).toEqual([]);
  });
});

test('closed, it gives nothing any more', () => {
  const file = opened();
  file.close();
  expect(() => file.marks()).toThrow('not open');
});

test('its bytes are those of its pages', () => {
  const file = opened();
  file.save({ ...NOTHING, blocks: [{ block: 1, signature: Buffer.alloc(50_000) }] });
  file.settle();
  expect(file.bytes()).toBeGreaterThan(50_000);
  expect(file.bytes()).toBe(statSync(searchPath(workspace)).size);
});

describe('a file is made again', () => {
  const filled = (): void => {
    const file = opened();
    file.save({ ...NOTHING, blocks: [block(1)] });
    file.close();
  };
  const spoiled = (sql: string): void => {
    const db = new Database(searchPath(workspace));
    db.exec(sql);
    db.close();
  };

  test.each<[string, () => void]>([
    ['of an earlier version', () => spoiled('PRAGMA user_version = 2')],
    ['of a later version', () => spoiled('PRAGMA user_version = 4')],
    ['of another program, whatever it calls its version', () => spoiled('PRAGMA application_id = 7')],
    ['that is no database', () => writeFileSync(searchPath(workspace), 'x'.repeat(5_000))],
  ])('%s', (_, spoil) => {
    filled();
    spoil();
    const file = opened();
    expect([file.marks(), file.blocks()]).toEqual([null, []]);
    file.save({ ...NOTHING, blocks: [block(2)] });
    expect(file.blocks()).toEqual([block(2)]);
  });

  test('and no other', () => {
    filled();
    expect(opened().blocks()).toEqual([block(1)]);
  });

  test('but not while another program holds it', () => {
    filled();
    const other = new Database(searchPath(workspace));
    onTestFinished(() => void other.close());
    other.pragma('journal_mode = DELETE');
    other.exec('BEGIN EXCLUSIVE');
    expect(() => stores.openFile()).toThrow('locked');
    other.exec('COMMIT');
    expect(opened().blocks()).toEqual([block(1)]);
  });
});

test.each<[string, Error, boolean]>([
  ['that is busy', new Database.SqliteError('', 'SQLITE_BUSY'), true],
  ['that another program repairs', new Database.SqliteError('', 'SQLITE_BUSY_RECOVERY'), true],
  ['whose table is in use', new Database.SqliteError('', 'SQLITE_LOCKED'), true],
  ['that is damaged', new Database.SqliteError('', 'SQLITE_CORRUPT'), false],
  ['whose error only contains such a code', new Database.SqliteError('', 'NO_SQLITE_BUSY'), false],
  ['that meets an error of another kind', Object.assign(new Error(), { code: 'SQLITE_BUSY' }), false],
])('a file %s is locked or not', (_, error, locked) => {
  expect(stores.isLocked(error)).toBe(locked);
});

describe('deleting', () => {
  test('takes the file with its log and its journal, and nothing else of the workspace', () => {
    const before = readdirSync(workspace).sort();
    for (const ending of ['', '-wal', '-shm', '-journal']) writeFileSync(searchPath(workspace) + ending, 'x');
    deleteSearchFile(workspace);
    expect(readdirSync(workspace).sort()).toEqual(before);
    deleteSearchFile(workspace);
  });

  test('is offered with the stores', () => {
    opened().close();
    stores.deleteFile();
    expect(readdirSync(workspace)).not.toContain('search.sqlite');
  });
});
