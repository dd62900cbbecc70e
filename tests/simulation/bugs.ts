/**
 * `npm run sim:bugs`: plants each known bug in a copy of the engine and runs the simulation on it. Prints how many
 * worlds it took to find each; exit code 1 when one was not found (docs/simulation.md).
 */
import { parseArgs } from 'node:util';
import { PLANTED_BUGS } from './bug-list.ts';
import { hunt } from './workbench.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    /** Only the bugs whose name contains this. */
    only: { type: 'string', default: '' },
  },
});

const wanted = PLANTED_BUGS.filter(({ name }) => name.includes(values.only));
const width = Math.max(...wanted.map(({ name }) => name.length));
let missed = 0;
console.log(`${'bug'.padEnd(width)} | worlds until found | as`);
for (const bug of wanted) {
  const { worlds, what } = await hunt(bug, Number(values.seeds), Number(values.from));
  if (worlds === null) missed += 1;
  console.log(`${bug.name.padEnd(width)} | ${String(worlds ?? 'not found').padStart(18)} | ${what}`);
}
console.log(`${wanted.length - missed} of ${wanted.length} found within ${values.seeds} seeds`);
process.exitCode = missed > 0 || wanted.length === 0 ? 1 : 0;
