/** The simulation finds planted bugs. `npm run sim:bugs` plants all of them. */
import { expect, test } from 'vitest';
import { PLANTED_BUGS, PLANTED_IN_TESTS } from './bug-list.ts';
import { checkMatches, hunt } from './workbench.ts';
import { STORES } from './world-store.ts';

const worlds = PLANTED_IN_TESTS.flatMap((name) => STORES.map((store) => [name, store] as const));

test.each(worlds)('a planted bug is found: %s, in worlds on %s', { timeout: 120_000 }, async (name, store) => {
  const bug = PLANTED_BUGS.find((one) => one.name === name);
  if (bug === undefined) throw new Error(`There is no bug called ${name}.`);
  const { worlds: found, what } = await hunt(bug, { seeds: 100, store });
  expect(found, what).not.toBeNull();
});

test('every planted bug still matches the source', () => {
  expect(PLANTED_BUGS.flatMap(checkMatches)).toEqual([]);
});
