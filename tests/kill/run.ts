/**
 * `npm run kill -- --runs N` kills `hookbench serve` N times at random under load and judges what is left.
 * `--failpoints` ends it N times at each failpoint instead (`--only NAME`: at this one). Prints a line for every 10
 * kills and a JSON summary; exit code 1 on any violation. Takes the build in out/, for failpoints the one in
 * out-failpoints/, each made when it is stale, or `--cli PATH`.
 */
import { parseArgs } from 'node:util';
import { FAILPOINTS } from '../../src/core/failpoint.ts';
import { builtCli } from './built-cli.ts';
import { runKills } from './harness.ts';
import { failpointNamed, failpointPlan, type LifePlan, randomOf, randomPlan } from './plan.ts';
import type { KillReport } from './report.ts';
import { sabotagedCli } from './sabotage.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    rate: { type: 'string', default: '400' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    failpoints: { type: 'boolean', default: false },
    only: { type: 'string' },
    /** Another build than this one. */
    cli: { type: 'string' },
    /** A copy of the build with a planted fault, to see that the judge finds it. */
    sabotage: { type: 'string' },
  },
});

const runs = Number(values.runs ?? (values.failpoints ? 20 : 100));
const seed = Number(values.seed);
const built = values.cli ?? (await builtCli(values.failpoints ? 'failpoints' : 'shipped'));
const sabotaged = values.sabotage === undefined ? null : sabotagedCli(built, values.sabotage);
const cli = sabotaged?.cli ?? built;

const run = (plan: readonly LifePlan[]): Promise<KillReport> =>
  runKills({
    plan,
    perSecond: Number(values.rate),
    seed,
    cli,
    settleMs: 60_000 + 500 * plan.length,
    say: (line) => console.log(line),
  });

async function runFailpoints(): Promise<KillReport[]> {
  const names = values.only === undefined ? FAILPOINTS : [failpointNamed(values.only)];
  const reports: KillReport[] = [];
  for (const name of names) {
    console.log(name);
    reports.push(await run(failpointPlan([name], runs, randomOf(seed))));
  }
  return reports;
}

const HEADS = 'failpoint | kills | missed | acknowledged | lost | final re-sent | duplicates | in flight | integrity';

function tableOf(reports: readonly KillReport[]): string {
  const lines = reports.map(({ failpoints: [at], ...report }) => [
    at!.name,
    at!.kills,
    at!.missed,
    report.acknowledged,
    report.lost,
    report.finalResent,
    report.duplicates,
    report.inFlightAtKills.total,
    report.integrity,
  ]);
  const heads = HEADS.split(' | ');
  return [heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

try {
  const reports = values.failpoints ? await runFailpoints() : [await run(randomPlan(runs))];
  for (const report of reports) console.log(JSON.stringify(report, null, 2));
  if (values.failpoints) console.log(tableOf(reports));
  process.exitCode = reports.every(({ violations }) => violations.length === 0) ? 0 : 1;
} finally {
  sabotaged?.remove();
}
