/**
 * `npm run kill -- --runs N`: kills `hookbench serve` N times under load and judges what is left. Prints a line for
 * every 10 kills and a JSON summary; exit code 1 on any violation. Takes the build in out/, made when missing.
 */
import { parseArgs } from 'node:util';
import { builtCli } from './built-cli.ts';
import { runKills } from './harness.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    rate: { type: 'string', default: '400' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** Another build than this one, to see it fail. */
    cli: { type: 'string' },
  },
});

const report = await runKills({
  runs: Number(values.runs),
  perSecond: Number(values.rate),
  seed: Number(values.seed),
  cli: values.cli ?? builtCli(),
  settleMs: 60_000 + 500 * Number(values.runs),
  say: (line) => console.log(line),
});
console.log(JSON.stringify(report, null, 2));
process.exitCode = report.violations.length === 0 ? 0 : 1;
