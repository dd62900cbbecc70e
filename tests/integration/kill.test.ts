/** The short form of the kill runs; `npm run kill -- --runs 1000` is the long one. */
import { expect, test } from 'vitest';
import { builtCli } from '../kill/built-cli.ts';
import { runKills } from '../kill/harness.ts';

test('50 kills under load lose no acknowledged call and send no final message again', {
  timeout: 300_000,
}, async () => {
  const lines: string[] = [];
  const report = await runKills({
    runs: 50,
    perSecond: 360,
    seed: 20_260_101,
    cli: builtCli(),
    settleMs: 120_000,
    say: (line) => lines.push(line),
  });
  console.log([...lines, JSON.stringify(report)].join('\n'));
  expect(report.violations).toEqual([]);
  // It was a load, and kills met work in progress.
  expect(report.acknowledged).toBe(report.sent);
  expect(report.stored).toBe(report.sent);
  expect(report.inFlightAtKills.total).toBeGreaterThan(50);
});
