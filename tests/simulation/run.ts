/**
 * `npm run sim` runs simulated worlds, one per seed, each on a store of the chosen kind. Prints each violation with the seed and the end of its log, and
 * the speed. Exit code 1 on any violation (docs/simulation.md).
 */
import { parseArgs } from 'node:util';
import { seedOfHash, sourceHash } from './git.ts';
import { keepRegression, regressions } from './regressions.ts';
import { type Report, World } from './world.ts';
import { storeOf } from './world-store.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    /** `sqlite` or `memory`. */
    store: { type: 'string', default: 'sqlite' },
    /** One seed alone. */
    seed: { type: 'string' },
    /** Prints the whole log of each world. */
    trace: { type: 'boolean', default: false },
    /** Runs each seed twice. The logs must be equal. */
    twice: { type: 'boolean', default: false },
    /** Ignores regressions.json and the seed of the commit. */
    plain: { type: 'boolean', default: false },
    /** Does not write regressions.json. */
    keep: { type: 'boolean', default: false },
    /** Ends at the first violation. */
    stop: { type: 'boolean', default: false },
    /** One line of JSON at the end. */
    json: { type: 'boolean', default: false },
  },
});

// Through `exit`, so that the folder of the worlds is removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const store = storeOf(values.store);

const LAST_LINES = 30;
const failed: Array<{ seed: number; what: string; detail: string }> = [];
const totals = { worlds: 0, messages: 0, sends: 0, lives: 0 };
const faults = new Set<string>();

function seedsToRun(): number[] {
  if (values.seed !== undefined) return [Number(values.seed)];
  const from = Number(values.from);
  const asked = Array.from({ length: Number(values.seeds) }, (_, i) => from + i);
  return values.plain ? asked : [...regressions(store).map(({ seed }) => seed), ...asked, seedOfHash(sourceHash())];
}

async function runSeed(seed: number): Promise<void> {
  const report = await new World(seed, { store }).run();
  count(report);
  if (values.trace) console.log(report.log.join('\n'));
  if (values.trace || values.seed !== undefined) console.log(`${report.hash}  seed ${seed}`);
  if (report.violations.length > 0) return told(report);
  if (!values.twice) return;
  const again = await new World(seed, { store }).run();
  if (again.hash !== report.hash)
    told({ ...report, violations: [{ what: 'not the same twice', detail: firstDifference(report, again) }] });
}

function count(report: Report): void {
  totals.worlds += 1;
  totals.messages += report.messages;
  totals.sends += report.sends;
  totals.lives += report.lives;
  for (const fault of report.faults) faults.add(fault);
}

function told({ seed, violations, log }: Report): void {
  const [{ what, detail } = { what: 'unknown', detail: '' }] = violations;
  failed.push({ seed, what, detail });
  console.log(`seed ${seed}: ${what}: ${detail}`);
  if (!values.trace && !values.json)
    console.log(
      log
        .slice(-LAST_LINES)
        .map((line) => `  ${line}`)
        .join('\n'),
    );
  if (!values.plain && !values.keep && values.seed === undefined)
    keepRegression({ seed, store, what, found: sourceHash() });
}

function firstDifference(a: Report, b: Report): string {
  const at = a.log.findIndex((line, i) => line !== b.log[i]);
  return `line ${at}: "${a.log[at]}" and "${b.log[at]}"`;
}

const began = performance.now();
const cpuBefore = process.cpuUsage();
const seeds = seedsToRun();
for (const seed of seeds) {
  await runSeed(seed);
  if (values.stop && failed.length > 0) break;
}
const seconds = (performance.now() - began) / 1000;
const cpu = process.cpuUsage(cpuBefore);
const cpuSeconds = (cpu.user + cpu.system) / 1_000_000;
const summary = {
  git: sourceHash(),
  store,
  ...totals,
  faults: faults.size,
  seconds: Math.round(seconds * 10) / 10,
  perSecond: Math.round((totals.worlds / seconds) * 10) / 10,
  perCpuSecond: Math.round((totals.worlds / cpuSeconds) * 10) / 10,
  violations: failed,
};
if (values.json) console.log(JSON.stringify(summary));
else {
  const { worlds, messages, sends, lives } = totals;
  console.log(
    `${worlds} ${store} worlds, ${messages} messages, ${sends} sends, ${lives} lives in ${seconds.toFixed(1)} s: ` +
      `${summary.perSecond} worlds a second (${summary.perCpuSecond} of processor time), ${failed.length} with violations (source ${summary.git})`,
  );
}
process.exitCode = failed.length > 0 ? 1 : 0;
