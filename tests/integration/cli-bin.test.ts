/** bin/hookbench.mjs and tools/start.mjs as a user starts them: from the build, through their launchers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildIfStale } from '../../tools/build-if-stale.mjs';
import { removeFolder } from '../../tools/remove-folder.mjs';
import type { Ready } from '../helpers/cli-process.ts';
import { processesWith } from '../helpers/processes.ts';

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'bin/hookbench.mjs');
const start = join(root, 'tools/start.mjs');
const isLinux = process.platform === 'linux';

let folder = '';
let children: ChildProcess[] = [];
beforeAll(async () => expect(await buildIfStale()).toBe(true), 60_000);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hb-bin-'));
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  await removeFolder(folder);
});

const freePorts = ['--ingest-port', '0', '--ui-port', '0'];
const serveArguments = () => ['--json', '--no-open', '--workspace', join(folder, 'w'), ...freePorts];

function run(script: string, args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  children.push(child);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = once(child, 'exit').then(([code]) => ({ code: code as number | null, stderr }));
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text));
  return { child, exited, line: Promise.race([line, exited.then(({ stderr: text }) => `ended: ${text}`)]) };
}

test('serve runs in the pinned Node and its first line is the ready line', async () => {
  const { child, exited, line } = run(bin, ['serve', ...serveArguments()]);
  const ready = JSON.parse(await line) as Ready;
  expect((await fetch(new URL('/', ready.ui))).status).toBe(200);
  child.kill('SIGTERM');
  expect((await exited).code).toBe(0);
});

test('exit codes pass through', async () => {
  expect((await run(bin, ['nonsense']).exited).code).toBe(2);
});

test.skipIf(!isLinux)('SIGTERM to the launcher leaves no process', async () => {
  const { child, exited, line } = run(bin, ['serve', ...serveArguments()]);
  await line;
  expect(processesWith(folder)).toHaveLength(2);
  child.kill('SIGTERM');
  await exited;
  expect(processesWith(folder)).toEqual([]);
});

test.skipIf(!isLinux)('SIGKILL of the launcher ends the server in order too', async () => {
  const { child, exited, line } = run(bin, ['serve', ...serveArguments()]);
  await line;
  child.kill('SIGKILL');
  await exited;
  await expect.poll(() => processesWith(folder)).toEqual([]);
  expect(existsSync(join(folder, 'w/control.sock'))).toBe(false);
});

describe('npm start', () => {
  test('with --headless serves, says nothing of Electron, and passes signals on', async () => {
    const { child, exited, line } = run(start, ['--headless', ...serveArguments()]);
    const ready = JSON.parse(await line) as Ready;
    expect((await fetch(new URL('/', ready.ui))).status).toBe(200);
    child.kill('SIGINT');
    expect(await exited).toMatchObject({ code: 0, stderr: expect.not.stringContaining('runs in the browser') });
  });

  test.skipIf(!isLinux)('without a display serves and says in one line why', async () => {
    const { child, exited, line } = run(start, serveArguments(), { DISPLAY: '', WAYLAND_DISPLAY: '' });
    await line;
    child.kill('SIGTERM');
    const { code, stderr } = await exited;
    expect(code).toBe(0);
    expect(stderr).toContain('Hookbench runs in the browser: there is no display.\n');
  });

  test('a taken ingest port does not end it: the interface shows it', async () => {
    const holder = run(bin, ['serve', ...serveArguments()]);
    const { ingest } = JSON.parse(await holder.line) as Ready;
    const args = ['--headless', '--json', '--no-open', '--workspace', join(folder, 'other'), '--ui-port', '0'];
    const { child, exited, line } = run(start, [...args, '--ingest-port', new URL(ingest).port]);
    expect(JSON.parse(await line)).toMatchObject({ ready: false, ingest: null, listener: { state: 'port_in_use' } });
    for (const each of [child, holder.child]) each.kill('SIGTERM');
    expect([(await exited).code, (await holder.exited).code]).toEqual([0, 0]);
  });
});

test('a source that is newer than the build is built, and a fresh build is not built again', async () => {
  // A copy, because other tests run the build meanwhile. What is built is copied last, so it is fresh.
  const copy = join(folder, 'copy');
  const inputs = ['src', 'tools', 'resources', 'package.json', 'package-lock.json'];
  for (const name of [...inputs, 'electron.vite.config.ts', 'tsconfig.json', 'out'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const tool = pathToFileURL(join(copy, 'tools/build-if-stale.mjs')).href;
  const own = (await import(/* @vite-ignore */ tool)) as typeof import('../../tools/build-if-stale.mjs');

  const output = join(copy, 'out/main/cli.js');
  const builtAt = () => statSync(output).mtimeMs;
  const before = builtAt();
  expect(await own.buildIfStale()).toBe(true);
  expect(builtAt()).toBe(before);
  utimesSync(output, new Date(0), new Date(0));
  expect(await own.buildIfStale()).toBe(true);
  expect(builtAt()).toBeGreaterThan(0);
});
