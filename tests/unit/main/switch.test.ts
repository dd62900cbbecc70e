/** Opening another workspace from the desktop window, over the double's dialogs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KnownWorkspaces } from '../../../src/shell/known-workspaces.ts';

vi.mock('electron', () => createRequire(import.meta.url)('../../../tools/electron-double/electron.cjs'));
const { WorkspaceSwitch } = await import('../../../src/main/switch.ts');

let own = '';
let starts: (readonly string[])[] = [];
let known: KnownWorkspaces;
let switching: InstanceType<typeof WorkspaceSwitch>;
beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'hb-switch-'));
  starts = [];
  known = new KnownWorkspaces(join(own, 'known'));
  switching = new WorkspaceSwitch({
    workspace: join(own, 'open'),
    known,
    argv: ['electron', '.', `--workspace=${join(own, 'open')}`, '--ingest-port=0'],
    startAgain: (args) => void starts.push(args),
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(own, { recursive: true, force: true });
});
const folder = (name: string, ...files: string[]): string => {
  mkdirSync(join(own, name));
  for (const file of files) writeFileSync(join(own, name, file), '');
  return join(own, name);
};

test('a folder that a person chose is opened by a new start', async () => {
  const chosen = folder('chosen');
  vi.stubEnv('ELECTRON_DOUBLE_OPENS', chosen);
  expect(await switching.choose(null)).toEqual({ end: 'chosen', folder: chosen });
  expect(switching.open(chosen)).toBeNull();
  expect(starts).toEqual([['.', '--ingest-port=0', `--workspace=${chosen}`]]);
});

test('a closed dialog and a folder with files of others open nothing', async () => {
  expect(await switching.choose(null)).toEqual({ end: 'cancelled' });
  const photos = folder('photos', 'a.jpg');
  vi.stubEnv('ELECTRON_DOUBLE_OPENS', photos);
  expect(await switching.choose(null)).toMatchObject({
    end: 'refused',
    problem: expect.stringContaining('other files'),
  });
  expect(switching.open(photos)).toBe('Choose the folder again.');
  expect(starts).toEqual([]);
});

test('the page names only what is known, while it is there', () => {
  const workspace = folder('mine', 'store.sqlite');
  expect(switching.open(workspace)).toBe('Choose the folder again.');
  known.remember(workspace);
  expect(switching.open(workspace)).toBeNull();
  rmSync(workspace, { recursive: true });
  expect(switching.open(workspace)).toContain('There is no folder');
  expect(starts).toHaveLength(1);
});
