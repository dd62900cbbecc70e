/** What every launcher does with a signal, whatever it is doing at that moment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { optionsOfOurs } from '../../tools/run-child.mjs';
import { processesWith } from '../helpers/processes.ts';

const runChild = pathToFileURL(join(import.meta.dirname, '../../tools/run-child.mjs')).href;

let folder = '';
let started: ChildProcess | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hb-launcher-'));
});
afterEach(() => {
  started?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a launcher of these lines. */
function start(lines: string) {
  const child = join(folder, 'child.mjs');
  writeFileSync(child, 'setInterval(() => {}, 1000);');
  const launcher = join(folder, 'launcher.mjs');
  writeFileSync(
    launcher,
    `import { becomeChild, endAsAsked, passSignals, runStep } from ${JSON.stringify(runChild)};
const child = [process.execPath, [${JSON.stringify(child)}]];
passSignals();
${lines}`,
  );
  started = spawn(process.execPath, [launcher], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(started, 'exit');
  return { launcher: started, lines: createInterface({ input: started.stdout! }), exited, child };
}

/** Starts a launcher of these lines; resolves when its child is there. */
async function launch(lines: string) {
  const parts = start(lines);
  await expect.poll(() => processesWith(parts.child).length).toBe(1);
  return parts;
}

describe.skipIf(process.platform !== 'linux')('a signal to a launcher', () => {
  test('during a step ends the step, lets the launcher clean up, and ends the launcher by that signal', async () => {
    const { launcher, lines, exited, child } = await launch(`
try { await runStep(...child); } finally { console.log('cleaned up'); }
becomeChild(...child);`);
    launcher.kill('SIGTERM');
    expect(await once(lines, 'line')).toEqual(['cleaned up']);
    expect(await exited).toEqual([null, 'SIGTERM']);
    expect(processesWith(child)).toEqual([]);
  });

  test('while its program runs is passed on, and leaves no process', async () => {
    const { launcher, exited, child } = await launch('becomeChild(...child);');
    launcher.kill('SIGHUP');
    expect(await exited).toEqual([null, 'SIGHUP']);
    expect(processesWith(child)).toEqual([]);
  });

  test('with no child of the moment ends it', async () => {
    const { launcher, lines, exited, child } = start(`
const step = runStep(...child, { timeout: 300 });
await step;
setInterval(() => {}, 1000);
console.log('idle');`);
    await once(lines, 'line');
    expect(processesWith(child)).toEqual([]);
    launcher.kill('SIGINT');
    expect(await exited).toEqual([null, 'SIGINT']);
  });
});

/** What a program prints that a launcher starts. */
async function said(print: string, options: string, env: NodeJS.ProcessEnv): Promise<string> {
  const launcher = join(folder, 'launcher.mjs');
  const program = `process.stdout.write(String(${print})); process.disconnect?.()`;
  writeFileSync(
    launcher,
    `import { becomeChild } from ${JSON.stringify(runChild)};
becomeChild(process.execPath, ['-e', ${JSON.stringify(program)}], ${options});`,
  );
  started = spawn(process.execPath, [launcher], { stdio: ['ignore', 'pipe', 'inherit'], env });
  return Buffer.concat(await started.stdout!.toArray()).toString();
}

describe.skipIf(process.platform !== 'linux')('what a launcher tells malloc', () => {
  const threshold = (options: string, env: NodeJS.ProcessEnv = {}): Promise<string> =>
    said('process.env.MALLOC_MMAP_THRESHOLD_', options, env);

  test('is told for Hookbench, and a person who sets it is heard', async () => {
    expect(await threshold('{ watched: true }')).toBe('32768');
    expect(await threshold('{ watched: true }', { MALLOC_MMAP_THRESHOLD_: '65536' })).toBe('65536');
  });

  test('is not told for another program', async () => {
    expect(await threshold('{}')).toBe('undefined');
  });
});

describe("V8's own threads", () => {
  test.each([
    [1, ['--v8-pool-size=1']],
    [2, ['--v8-pool-size=1']],
    [4, ['--v8-pool-size=3']],
    [5, []],
    [16, []],
  ])('leave one of %d cores to the engine', (cores, options) => {
    expect(optionsOfOurs(cores, {})).toEqual(options);
  });

  test('are as many as a person chose', () => {
    expect(optionsOfOurs(2, { NODE_OPTIONS: '--enable-source-maps --v8-pool-size=3' })).toEqual([]);
    expect(optionsOfOurs(2, { NODE_OPTIONS: '--enable-source-maps' })).toEqual(['--v8-pool-size=1']);
  });

  test('are set for Hookbench and for no other program', async () => {
    const print = "process.execArgv.filter((option) => option.startsWith('--v8'))";
    expect(await said(print, '{ watched: true }', {})).toBe(optionsOfOurs().join());
    expect(await said(print, '{}', {})).toBe('');
  });
});
