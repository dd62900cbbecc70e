/**
 * `npm run sim:audiences` runs worlds of audiences and deletions, one per seed, against a simple model. Prints each
 * violation with the seed and the end of its log. Exit code 1 on any violation (docs/simulation.md).
 */
import { parseArgs } from 'node:util';
import { sourceHash } from '../git.ts';
import { storeOf } from '../world-store.ts';
import { AudienceWorld, type Report } from './world.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    /** `sqlite` or `memory`. */
    store: { type: 'string', default: 'sqlite' },
    /** One seed alone. */
    seed: { type: 'string' },
    /** Prints the whole log of each world. */
    trace: { type: 'boolean', default: false },
    /** Runs each seed twice. The logs must be equal. */
    twice: { type: 'boolean', default: false },
    /** Ends at the first violation. */
    stop: { type: 'boolean', default: false },
    /** One line of JSON at the end. */
    json: { type: 'boolean', default: false },
  },
});

// Through `exit`, so that the folder of the worlds is removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const LAST_LINES = 30;
const store = storeOf(values.store);
const violations: Array<{ seed: number; what: string; detail: string }> = [];
const COUNTED = ['messages', 'sends', 'syncs', 'lives', 'rulesChecked', 'imports', 'removed', 'refused'] as const;
const totals = {
  worlds: 0,
  messages: 0,
  sends: 0,
  syncs: 0,
  lives: 0,
  rulesChecked: 0,
  imports: 0,
  removed: 0,
  refused: 0,
};

async function runSeed(seed: number): Promise<void> {
  const report = await new AudienceWorld(seed, store).run();
  totals.worlds += 1;
  for (const key of COUNTED) totals[key] += report[key];
  if (values.trace) console.log(report.log.join('\n'));
  if (values.trace || values.seed !== undefined) console.log(`${report.hash}  seed ${seed}`);
  if (report.violations.length > 0) return told(report);
  if (!values.twice) return;
  const again = await new AudienceWorld(seed, store).run();
  if (again.hash !== report.hash) told({ ...report, violations: [{ what: 'not the same twice', detail: again.hash }] });
}

function told({ seed, violations: [first], log }: Report): void {
  violations.push({ seed, ...first! });
  console.log(`seed ${seed}: ${first!.what}: ${first!.detail}`);
  if (values.trace || values.json) return;
  for (const line of log.slice(-LAST_LINES)) console.log(`  ${line}`);
}

const began = performance.now();
const from = Number(values.from);
const seeds =
  values.seed === undefined ? Array.from({ length: Number(values.runs) }, (_, i) => from + i) : [Number(values.seed)];
for (const seed of seeds) {
  await runSeed(seed);
  if (values.stop && violations.length > 0) break;
}
const seconds = Math.round((performance.now() - began) / 100) / 10;
const summary = { git: sourceHash(), store, ...totals, seconds, violations };
const { worlds, messages, sends, syncs, lives, imports, removed, refused, rulesChecked } = totals;
console.log(
  values.json
    ? JSON.stringify(summary)
    : `${worlds} ${store} worlds, ${syncs} syncs, ${messages} messages, ${sends} sends, ${lives} lives, ${imports} imports, ` +
        `${removed} messages removed, ${refused} statements refused, ${rulesChecked} users of rules compared in ${seconds} s, ` +
        `${violations.length} with violations (source ${summary.git})`,
);
process.exitCode = violations.length > 0 ? 1 : 0;
