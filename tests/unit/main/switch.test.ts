/** Opening another workspace from the desktop window, over the double's dialogs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KnownWorkspaces } from '../../../src/shell/known-workspaces.ts';
import { defaultWorkspace } from '../../../src/shell/start-options.ts';

vi.mock('electron', () => createRequire(import.meta.url)('../../../tools/electron-double/electron.cjs'));
interface Opened {
  readonly canceled: boolean;
  readonly filePaths: readonly string[];
}
const { BrowserWindow, dialog } = (await import('electron')) as unknown as {
  BrowserWindow: { getFocusedWindow(): object | null };
  dialog: { showOpenDialog(...args: unknown[]): Promise<Opened> };
};
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
  vi.restoreAllMocks();
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

test('the dialog stands over the window in front, where there is one', async () => {
  const options = { title: 'Open a workspace', properties: ['openDirectory', 'createDirectory'] };
  const asked = vi.spyOn(dialog, 'showOpenDialog');
  const focused = vi.spyOn(BrowserWindow, 'getFocusedWindow').mockReturnValue(null);
  await switching.choose(null);
  const window = {};
  focused.mockReturnValue(window);
  await switching.choose(null);
  expect(asked.mock.calls).toEqual([[options], [window, options]]);
  expect(asked.mock.calls[1]![0]).toBe(window);
});

test.each([
  { canceled: true, filePaths: ['/chosen'] },
  { canceled: false, filePaths: [] },
])('a dialog that ends with %j chose nothing', async (ended) => {
  vi.spyOn(dialog, 'showOpenDialog').mockResolvedValue(ended);
  expect(await switching.choose(null)).toEqual({ end: 'cancelled' });
});

test('a new workspace lies beside the default one, and its name must be that of a folder', async () => {
  const name = 'A name that nobody has';
  const made = join(dirname(defaultWorkspace()), name);
  expect(await switching.choose(name)).toEqual({ end: 'chosen', folder: made });
  expect(switching.open(made)).toBeNull();
  expect(starts).toHaveLength(1);
  expect(await switching.choose('../up')).toEqual({
    end: 'refused',
    problem: 'Use letters, digits, spaces, - and _, at most 60.',
  });
});

test('the page names no workspace that is unknown, though others are known', () => {
  known.remember(folder('mine', 'store.sqlite'));
  expect(switching.open(folder('other', 'store.sqlite'))).toBe('Choose the folder again.');
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
