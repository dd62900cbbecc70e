// npm test: every stage runs whatever the others did; the last line is the sum of their counts.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closingLine, exitCodeOf, folderVariable, readCounts, readNotes, sum } from './closing-line.mjs';
import { environment, root } from './pinned-node.mjs';
import { removeAtExit } from './remove-folder.mjs';

const folder = mkdtempSync(join(tmpdir(), 'hookbench-counts-'));
removeAtExit(folder);

const reporters = ['--reporter=default', '--reporter=./tools/closing-line-vitest.mjs'];
const stages = [
  { name: 'lint', command: ['biome', 'ci', '.'] },
  { name: 'types', command: ['tsc', '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'lock file', command: ['node', 'tools/lockcheck.cjs'] },
  { name: 'build', command: ['npm', 'run', 'build'] },
  { name: 'vitest', command: ['vitest', 'run', ...reporters], counts: true },
  { name: 'playwright', command: ['playwright', 'test'], counts: true },
];

let current = null;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    current?.kill(signal);
    current?.once('exit', () => process.exit(130));
    if (current === null) process.exit(130);
  });
}

const run = ([command, ...args]) =>
  new Promise((resolve) => {
    current = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...environment(), [folderVariable]: folder },
      shell: process.platform === 'win32',
    });
    current.on('error', (error) => {
      console.error(error.message);
      resolve(127);
    });
    current.on('exit', (code) => resolve(code ?? 1));
  });

const results = [];
const endings = [];
for (const { name, command, counts } of stages) {
  console.log(`\n== ${name}`);
  const exitCode = await run(command);
  current = null;
  if (exitCode !== 0) {
    endings.push(`FAILED: ${name} (exit code ${exitCode})`);
    console.log(endings.at(-1));
  }
  if (counts) results.push(readCounts(folder, name, exitCode));
  else results.push({ passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 });
}
const total = sum(results);
console.log();
for (const ending of endings) console.log(ending);
for (const { name } of stages) for (const note of readNotes(folder, name)) console.log(note);
console.log(`\n${closingLine(total)}`);
process.exitCode = exitCodeOf(total);
