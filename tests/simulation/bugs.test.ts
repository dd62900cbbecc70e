/** The simulation finds planted bugs. `npm run sim:bugs` plants all of them, in worlds on either store. */
import { expect, test } from 'vitest';
import { PLANTED_BUGS, PLANTED_IN_TESTS } from './bug-list.ts';
import { checkMatches, hunt } from './workbench.ts';

/** The first on a real file, the others in memory, which takes half the time. */
const worlds = PLANTED_IN_TESTS.map((name, n) => [name, n === 0 ? 'sqlite' : 'memory'] as const);

test.each(worlds)('a planted bug is found: %s, in worlds on %s', async (name, store) => {
  const bug = PLANTED_BUGS.find((one) => one.name === name);
  if (bug === undefined) throw new Error(`There is no bug called ${name}.`);
  const { worlds: found, what } = await hunt(bug, { seeds: 100, store });
  expect(found, what).not.toBeNull();
});

test('every planted bug still matches the source', () => {
  expect(PLANTED_BUGS.flatMap(checkMatches)).toEqual([]);
});
