/** The stages of `npm test`, run by a process of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const stagesModule = pathToFileURL(join(import.meta.dirname, '../../tools/run-stages.mjs')).href;

/** Runs a group of stages, each a script of Node; prints their names and exit codes as they come. */
function runGroup(scripts: Readonly<Record<string, string>>) {
  const stages = Object.entries(scripts).map(([name, code]) => ({ name, command: [process.execPath, '-e', code] }));
  const file = join(tempWorkspace(), 'run.mjs');
  writeFileSync(
    file,
    `import { endOnSignals, runGroup } from ${JSON.stringify(stagesModule)};
    endOnSignals();
    for await (const { name, exitCode } of runGroup(${JSON.stringify(stages)}, {})) console.log(name, exitCode);`,
  );
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code, output })) };
}

const path = (name: string): string => join(tempWorkspace(), name);
const writes = (file: string): string => `require('node:fs').writeFileSync(${JSON.stringify(file)}, '');`;

test('stages of a group run beside each other, and are shown in their order with all that they wrote', async () => {
  const file = path('second-ran');
  const { ended } = runGroup({
    first: `const look = () => require('node:fs').existsSync(${JSON.stringify(file)}) ? console.log('of the first') : setImmediate(look); look();`,
    second: `${writes(file)} console.error('of the second'); process.exitCode = 3;`,
  });
  expect(await ended).toEqual({
    code: 0,
    output: '\n== first\nof the first\nfirst 0\n\n== second\nof the second\nsecond 3\n',
  });
});

test('a stage that is alone is shown at once', async () => {
  const { ended } = runGroup({ only: "console.log('written'); process.exitCode = 1;" });
  expect((await ended).output).toBe('\n== only\nwritten\nonly 1\n');
});

test('a signal ends every stage that runs, then this process', async () => {
  const files = [path('first'), path('second')];
  const script = (file: string): string =>
    `process.on('SIGTERM', () => { ${writes(`${file}-ended`)} process.exit(); }); ${writes(file)} setInterval(() => {}, 1e6);`;
  const { child, ended } = runGroup({ first: script(files[0]!), second: script(files[1]!) });
  await expect.poll(() => files.every((file) => existsSync(file))).toBe(true);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(130);
  expect(files.map((file) => existsSync(`${file}-ended`))).toEqual([true, true]);
});
