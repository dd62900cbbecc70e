import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type LastIds,
  mismatch,
  missingFile,
  readSideFile,
  sideFilePath,
  writeSideFile,
} from '../../../src/core/store/side-file.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let workspace: string;
beforeEach(() => {
  workspace = tempWorkspace();
});

const SIDE = { store: 'abc', requests: 3, attempts: 0, replays: 2 };

describe('the side file', () => {
  test.each([SIDE, { ...SIDE, damagedAt: 0 }, { ...SIDE, damagedAt: 1_700_000_000_000, soundAs: '1-2-3-4' }])(
    'is read as it was written: %j',
    (side) => {
      writeSideFile(workspace, side);
      expect(readSideFile(workspace)).toEqual(side);
      expect(readFileSync(join(workspace, 'store.json'), 'utf8')).toBe(`${JSON.stringify(side)}\n`);
    },
  );

  test('is written over, and over what a crash left beside it; only its owner may read it', () => {
    writeFileSync(`${sideFilePath(workspace)}.next`, 'half');
    writeSideFile(workspace, SIDE);
    writeSideFile(workspace, { ...SIDE, requests: 4 });
    expect(readSideFile(workspace)).toEqual({ ...SIDE, requests: 4 });
    expect(readdirSync(workspace)).toEqual(['store.json']);
    if (process.platform !== 'win32') expect(statSync(sideFilePath(workspace)).mode & 0o777).toBe(0o600);
  });

  test('stays as it was when it cannot be put in its place', () => {
    mkdirSync(sideFilePath(workspace));
    expect(() => writeSideFile(workspace, SIDE)).toThrow();
    expect(existsSync(sideFilePath(workspace))).toBe(true);
    expect(readSideFile(workspace)).toBeNull();
  });

  test.each([
    ['no JSON', '{"store"'],
    ['null', 'null'],
    ['no store', JSON.stringify({ ...SIDE, store: undefined })],
    ['a store that is no text', JSON.stringify({ ...SIDE, store: 5 })],
    ['no requests', JSON.stringify({ ...SIDE, requests: undefined })],
    ['attempts that are no number', JSON.stringify({ ...SIDE, attempts: '0' })],
    ['no replays', JSON.stringify({ ...SIDE, replays: null })],
  ])('with %s is no side file', (_, text) => {
    writeFileSync(sideFilePath(workspace), text);
    expect(readSideFile(workspace)).toBeNull();
  });

  test('that is not there is none', () => {
    expect(readSideFile(workspace)).toBeNull();
  });

  test('gives what it knows, and nothing else', () => {
    writeFileSync(sideFilePath(workspace), JSON.stringify({ ...SIDE, damagedAt: 'now', soundAs: 5, more: 1 }));
    expect(readSideFile(workspace)).toEqual(SIDE);
  });
});

describe('a file that SQLite has not opened', () => {
  test('is gone, is empty, or is there', () => {
    const path = join(workspace, 'store.sqlite');
    expect(missingFile(path)).toBe('is gone');
    writeFileSync(path, '');
    expect(missingFile(path)).toBe('is empty');
    writeFileSync(path, 'x');
    expect(missingFile(path)).toBeNull();
  });
});

describe('an open store', () => {
  const at = (requests: number, attempts: number, replays: number): LastIds => ({ requests, attempts, replays });
  const older = (what: string): string => `is older than the one that was here: it ends at ${what}`;

  test.each([
    ['abc', at(3, 0, 2), null],
    ['abc', at(9, 9, 9), null],
    ['abc', at(2, 0, 2), older('2 of 3 requests')],
    ['abc', at(3, 0, 1), older('1 of 2 replays')],
    ['abc', at(0, 0, 0), older('0 of 3 requests')],
    ['abd', at(9, 9, 9), 'is another store than the one that was here'],
    [null, at(3, 0, 2), 'is another store than the one that was here'],
  ])('%s at %j: %s', (store, last, what) => {
    expect(mismatch(SIDE, store, last)).toBe(what);
  });

  test('that has fewer attempts is older too', () => {
    expect(mismatch({ ...SIDE, attempts: 7 }, 'abc', at(3, 6, 2))).toBe(older('6 of 7 attempts'));
  });
});
