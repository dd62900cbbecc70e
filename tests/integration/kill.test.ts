/** The short form of the kill runs; `npm run kill -- --runs 1000` is the long one. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runKills } from '../kill/harness.ts';

const root = join(import.meta.dirname, '../..');
const cli = join(root, 'out/main/cli.js');

function buildWhenMissing(): void {
  if (existsSync(cli)) return;
  const tool = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
  const { status, stderr } = spawnSync(process.execPath, [tool, 'build'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`out/ could not be built: ${stderr}`);
}

test('50 kills under load lose no acknowledged call and send no final message again', {
  timeout: 300_000,
}, async () => {
  buildWhenMissing();
  const lines: string[] = [];
  const report = await runKills({
    runs: 50,
    perSecond: 400,
    seed: 20_260_101,
    cli,
    settleMs: 60_000,
    say: (line) => lines.push(line),
  });
  console.log([...lines, JSON.stringify(report)].join('\n'));
  expect(report.violations).toEqual([]);
  // It was a load, and kills met work in progress.
  expect(report.acknowledged).toBe(report.sent);
  expect(report.stored).toBe(report.sent);
  expect(report.inFlightAtKills.total).toBeGreaterThan(50);
});
