/**
 * `npm run sim:bugs`: plants each known bug in a copy of the engine and runs the simulation on it. Prints how many
 * worlds it took to find each; exit code 1 when one was not found (docs/simulation.md).
 */
import { parseArgs } from 'node:util';
import { AUDIENCE_BUGS } from './audiences/bug-list.ts';
import { PLANTED_BUGS } from './bug-list.ts';
import { changesIn } from './planted-bug.ts';
import { hunt, OF_AUDIENCES } from './workbench.ts';
import { storeOf } from './world-store.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    /** `sqlite` or `memory`; by default `memory` for those of audiences, where nothing needs a file. */
    store: { type: 'string' },
    /** Only the bugs whose name contains this. */
    only: { type: 'string', default: '' },
    /** Those of audiences and deletions, in their worlds. */
    audiences: { type: 'boolean', default: false },
  },
});

const store = storeOf(values.store ?? (values.audiences ? 'memory' : 'sqlite'));
const worlds = values.audiences ? OF_AUDIENCES : undefined;
const wanted = (values.audiences ? AUDIENCE_BUGS : PLANTED_BUGS).filter(({ name }) => name.includes(values.only));
const possible = wanted.filter((bug) => changesIn(bug, store) !== null);
const width = Math.max(...wanted.map(({ name }) => name.length));
const row = (name: string, worlds: string | number, as: string): void =>
  console.log(`${name.padEnd(width)} | ${String(worlds).padStart(18)} | ${as}`);
let missed = 0;
row('bug', 'worlds until found', 'as');
for (const bug of wanted) {
  if (!possible.includes(bug)) {
    row(bug.name, '-', 'in SQLite alone');
    continue;
  }
  const hunting = { seeds: Number(values.seeds), from: Number(values.from), store, worlds };
  const { worlds: ran, what } = await hunt(bug, hunting);
  if (ran === null) missed += 1;
  row(bug.name, ran ?? 'not found', what);
}
const others = wanted.length - possible.length;
console.log(
  `${possible.length - missed} of ${possible.length} found within ${values.seeds} ${store} worlds` +
    (others === 0 ? '' : `; ${others} are bugs in SQLite alone`),
);
process.exitCode = missed > 0 || wanted.length === 0 ? 1 : 0;
