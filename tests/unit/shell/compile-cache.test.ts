import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cacheFolder } from '../../../src/shell/compile-cache.ts';

test.each([
  ['linux', {}, '/home/a/.cache/hookbench'],
  ['linux', { XDG_CACHE_HOME: '/caches' }, '/caches/hookbench'],
  ['darwin', {}, '/home/a/Library/Caches/hookbench'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/hookbench/Cache'],
  ['win32', {}, '/home/a/AppData/Local/hookbench/Cache'],
] as const)('the cache folder on %s with %j', (platform, env, folder) => {
  expect(cacheFolder(env, platform, '/home/a')).toBe(folder);
});

const MODULE = new URL('../../../src/shell/compile-cache.ts', import.meta.url).href;
const PROGRAM = `
  const { keepCompiled } = await import('${MODULE}');
  keepCompiled(process.env, 'linux');
  const { getCompileCacheDir } = await import('node:module');
  const { Worker } = await import('node:worker_threads');
  const thread = "require('worker_threads').parentPort.postMessage(require('module').getCompileCacheDir())";
  const worker = new Worker(thread, { eval: true, execArgv: [] });
  worker.on('message', (thread) => console.log(JSON.stringify([getCompileCacheDir() ?? null, thread ?? null])));
`;

/** The cache folders of the main thread and of a thread that it starts. */
function used(env: Record<string, string>): Array<string | null> {
  const { NODE_COMPILE_CACHE: _own, NODE_DISABLE_COMPILE_CACHE: _off, ...rest } = process.env;
  const options = { env: { ...rest, ...env }, encoding: 'utf8' } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], options));
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'hookbench-cache-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('what is compiled is kept in the folder of the user, for this thread and those that it starts', () => {
  const home = folder();
  const [own, thread] = used({ XDG_CACHE_HOME: home });
  expect([own, thread]).toEqual([expect.stringContaining(join(home, 'hookbench', 'compiled')), own]);
  expect(readdirSync(join(home, 'hookbench', 'compiled'))).not.toEqual([]);
});

test('a folder that the user gave Node stays, and the cache can be turned off', () => {
  const [home, given] = [folder(), folder()];
  const [own, thread] = used({ XDG_CACHE_HOME: home, NODE_COMPILE_CACHE: given });
  expect([own, thread]).toEqual([expect.stringContaining(given), expect.stringContaining(given)]);
  expect(used({ XDG_CACHE_HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual([null, null]);
  expect(existsSync(join(home, 'hookbench'))).toBe(false);
});
