import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { earlierPlace, earlierWorkspaceText, takeEarlierWorkspace } from '../../../src/main/earlier-workspace.ts';

let folder = '';
let from = '';
let to = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookbench-earlier-'));
  from = earlierPlace(join(folder, 'app'));
  to = join(folder, 'home/.hookbench/default');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fill = (place: string, text: string): void => {
  mkdirSync(join(place, 'sub'), { recursive: true });
  writeFileSync(join(place, 'store.sqlite'), text);
  writeFileSync(join(place, 'sub/key'), text, { mode: 0o600 });
};
const stored = (place: string): string => readFileSync(join(place, 'store.sqlite'), 'utf8');
const failing = (code: string) => () => {
  throw Object.assign(new Error(`${code}: no`), { code });
};

test('is moved once, whole, and then there is none', () => {
  fill(from, 'old');
  const found = takeEarlierWorkspace(from, to);
  expect(found).toEqual({ kind: 'moved', from, to });
  expect([stored(to), existsSync(from)]).toEqual(['old', false]);
  expect(statSync(dirname(to)).mode & 0o777).toBe(0o700);
  expect(takeEarlierWorkspace(from, to)).toEqual({ kind: 'none' });
  expect(earlierWorkspaceText(found)).toMatchObject({ message: 'Your workspace was moved.' });
  expect(earlierWorkspaceText(found)?.detail).toBe(
    `It is now in ${to}, where the command line looks for it too. It was in ${from}.`,
  );
});

test.each(['nothing is there', 'an empty folder is there'])('%s: none', (title) => {
  if (title.startsWith('an')) mkdirSync(from, { recursive: true });
  const found = takeEarlierWorkspace(from, to);
  expect([found, existsSync(to), earlierWorkspaceText(found)]).toEqual([{ kind: 'none' }, false, null]);
});

test('lay in the folder of the app', () => {
  expect(earlierPlace(join('app'))).toBe(join('app', 'workspaces', 'default'));
});

test('takes the place of an empty folder, also where a system renames onto nothing that is there', () => {
  const onto = (one: string, other: string): void => {
    if (existsSync(other)) failing('EPERM')();
    renameSync(one, other);
  };
  fill(from, 'old');
  mkdirSync(to, { recursive: true });
  expect(takeEarlierWorkspace(from, to, onto as typeof renameSync).kind).toBe('moved');
  expect(stored(to)).toBe('old');
});

test('is left where another one is there already: neither is touched, and a person is told once', () => {
  fill(from, 'old');
  fill(to, 'new');
  const found = takeEarlierWorkspace(from, to);
  expect(found).toEqual({ kind: 'both', from, to, isNew: true });
  expect([stored(from), stored(to)]).toEqual(['old', 'new']);
  expect(takeEarlierWorkspace(from, to)).toMatchObject({ kind: 'both', isNew: false });
  expect([readFileSync(`${from}.left`, 'utf8'), statSync(`${from}.left`).mode & 0o777]).toEqual(['', 0o600]);
  expect(earlierWorkspaceText(found)).toEqual({
    message: 'There are two workspaces.',
    detail:
      `Hookbench opens ${to}, as the command line does. The one of an earlier version was left as it is in ${from}; ` +
      `to open it, start Hookbench with --workspace ${JSON.stringify(from)}.`,
  });
});

describe('to another disk', () => {
  const rename = failing('EXDEV');

  test('it is copied whole, then removed here', async () => {
    fill(from, 'old');
    const written = new Date('2026-01-02T03:04:05Z');
    utimesSync(join(from, 'store.sqlite'), written, written);
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(join(from, 'control.sock'), resolve));
    expect(takeEarlierWorkspace(from, to, rename).kind).toBe('moved');
    socket.close();
    expect([stored(to), readFileSync(join(to, 'sub/key'), 'utf8'), existsSync(from)]).toEqual(['old', 'old', false]);
    expect(statSync(join(to, 'store.sqlite')).mtime).toEqual(written);
    expect(statSync(join(to, 'sub/key')).mode & 0o777).toBe(0o600);
    expect(existsSync(`${to}.moving`)).toBe(false);
  });

  test('what an interrupted copy left is written over', () => {
    fill(from, 'old');
    fill(`${to}.moving`, 'half');
    writeFileSync(join(`${to}.moving`, 'stale'), '');
    takeEarlierWorkspace(from, to, rename);
    expect([stored(to), existsSync(join(to, 'stale'))]).toEqual(['old', false]);
  });
});

test('one that cannot be moved stays, and the error names both places and the way on', () => {
  fill(from, 'old');
  expect(() => takeEarlierWorkspace(from, to, failing('EPERM'))).toThrow(
    `The workspace of an earlier version in ${from} could not be moved to ${to}: EPERM: no. Nothing was changed. ` +
      `Move the folder yourself, or start with --workspace ${JSON.stringify(from)}.`,
  );
  expect(stored(from)).toBe('old');
});

test('a file where the new one has to stand is an error, and stays', () => {
  fill(from, 'old');
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, 'mine');
  const rename = vi.fn();
  expect(() => takeEarlierWorkspace(from, to, rename)).toThrow('ENOTDIR');
  expect(rename).not.toHaveBeenCalled();
  expect([stored(from), readFileSync(to, 'utf8')]).toEqual(['old', 'mine']);
});
