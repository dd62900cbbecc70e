/** Which folders can be opened as a workspace. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withWorkspace } from '../../../src/shell/start-options.ts';
import { folderProblem, newWorkspace } from '../../../src/shell/workspace-folder.ts';

let own = '';
beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'hb-folder-'));
});
afterEach(() => rmSync(own, { recursive: true, force: true }));

test('a workspace and an empty folder can be opened; a missing one, a file and a folder of others cannot', () => {
  expect(folderProblem(own)).toBeNull();
  writeFileSync(join(own, 'photo.jpg'), '');
  expect(folderProblem(own)).toContain('has other files and is no workspace');
  writeFileSync(join(own, 'store.sqlite'), '');
  expect(folderProblem(own)).toBeNull();
  expect(folderProblem(join(own, 'gone'))).toContain('There is no folder');
  expect(folderProblem(join(own, 'photo.jpg'))).toContain('There is no folder');
});

test('a new workspace lies beside the default one, and never where there is something', () => {
  expect(newWorkspace(' Käufer 2 ', own)).toEqual({ folder: join(own, 'Käufer 2') });
  mkdirSync(join(own, 'shop'));
  expect(newWorkspace('shop', own)).toEqual({ problem: `There is a folder ${join(own, 'shop')} already.` });
  for (const name of ['', ' ', '..', '../x', 'a/b', 'a\\b', '.known', '-x', 'a\nb', 'x'.repeat(61)])
    expect([name, newWorkspace(name, own)]).toEqual([name, { problem: expect.stringContaining('at most 60') }]);
  expect(readdirSync(own)).toEqual(['shop']);
});

test('the arguments of a start keep all but what belongs to the workspace before', () => {
  const before = ['.', '--workspace', '/a', '--config=/c.json', '--accept-store', '--ingest-port', '0', '--key-file'];
  const more = ['--workspace=/b', '--no-receivers', '--user-data-dir=/u'];
  const next = ['.', '--ingest-port', '0', '--no-receivers', '--user-data-dir=/u', '--workspace=/next one'];
  expect(withWorkspace([...before, ...more], '/next one')).toEqual(next);
  expect(withWorkspace(next, '/third')).toEqual([...next.slice(0, -1), '--workspace=/third']);
});
