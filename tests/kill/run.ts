/**
 * `npm run kill -- --runs N`: kills `hookbench serve` N times under load and judges what is left. Prints a line for
 * every 10 kills and a JSON summary; exit code 1 on any violation. Needs a build: npm run build.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runKills } from './harness.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    rate: { type: 'string', default: '400' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    cli: { type: 'string', default: join(import.meta.dirname, '../../out/main/cli.js') },
  },
});

if (!existsSync(values.cli)) {
  console.error(`${values.cli} is not there: npm run build`);
  process.exit(1);
}
const report = await runKills({
  runs: Number(values.runs),
  perSecond: Number(values.rate),
  seed: Number(values.seed),
  cli: values.cli,
  settleMs: 60_000,
  say: (line) => console.log(line),
});
console.log(JSON.stringify(report, null, 2));
process.exitCode = report.violations.length === 0 ? 0 : 1;
