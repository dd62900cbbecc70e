/** The short form of the kill runs; `npm run kill -- --runs 1000` and `-- --failpoints` are the long ones. */
import { expect, test } from 'vitest';
import { FAILPOINTS } from '../../src/core/failpoint.ts';
import { builtCli } from '../kill/built-cli.ts';
import { runKills } from '../kill/harness.ts';
import { failpointPlan, type LifePlan, randomOf, randomPlan } from '../kill/plan.ts';
import type { KillReport } from '../kill/report.ts';

const SEED = 20_260_101;

async function killed(cli: string, plan: readonly LifePlan[]): Promise<KillReport> {
  const lines: string[] = [];
  const report = await runKills({
    plan,
    perSecond: 360,
    seed: SEED,
    cli,
    settleMs: 120_000,
    say: (line) => lines.push(line),
  });
  console.log([...lines, JSON.stringify(report)].join('\n'));
  expect(report.violations).toEqual([]);
  // It was a load, and kills met work in progress.
  expect(report.acknowledged).toBe(report.sent);
  expect(report.stored).toBe(report.sent);
  return report;
}

test('5 kills under load lose no acknowledged call and send no final message again', {
  timeout: 900_000,
}, async () => {
  const report = await killed(await builtCli(), randomPlan(5));
  expect(report.inFlightAtKills.total).toBeGreaterThan(5);
});

test('a kill at each failpoint loses nothing either, and a migration is done or undone', {
  timeout: 900_000,
}, async () => {
  const report = await killed(await builtCli('failpoints'), failpointPlan(FAILPOINTS, 1, randomOf(SEED)));
  expect(report.failpoints).toEqual(FAILPOINTS.map((name) => ({ name, kills: 1, missed: 0 })));
  expect(report.replays).toBeGreaterThan(0);
  expect(report.halfRequests).toBeGreaterThan(0);
});
