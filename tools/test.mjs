// npm test: every stage runs whatever the others did; the last line is the sum of their counts.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closingLine, exitCodeOf, folderVariable, readCounts, readNotes, sum } from './closing-line.mjs';
import { environment, root } from './pinned-node.mjs';
import { removeAtExit } from './remove-folder.mjs';
import { endOnSignals, runGroup } from './run-stages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'hookbench-counts-'));
removeAtExit(folder);

const reporters = ['--reporter=default', '--reporter=./tools/closing-line-vitest.mjs'];
const groups = [
  [
    { name: 'lint', command: ['biome', 'ci', '.'] },
    // More checkers take more processor time, because each reads most types again.
    { name: 'types', command: ['tsc', '--noEmit', '--checkers', '1', '-p', 'tsconfig.json'] },
    { name: 'lock file', command: ['node', 'tools/lockcheck.cjs'] },
    { name: 'build', command: ['npm', 'run', 'build'] },
  ],
  // Each of these two keeps all cores busy.
  [{ name: 'vitest', command: ['vitest', 'run', ...reporters], counts: true }],
  [{ name: 'playwright', command: ['playwright', 'test'], counts: true }],
];

endOnSignals();
const options = {
  cwd: root,
  env: { ...environment(), [folderVariable]: folder },
  shell: process.platform === 'win32',
};

const results = [];
const endings = [];
for (const group of groups)
  for await (const { name, counts, exitCode } of runGroup(group, options)) {
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
for (const { name } of groups.flat()) for (const note of readNotes(folder, name)) console.log(note);
console.log(`\n${closingLine(total)}`);
process.exitCode = exitCodeOf(total);
