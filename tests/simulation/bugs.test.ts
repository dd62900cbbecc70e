/** The simulation finds planted bugs. `npm run sim:bugs` plants all of them. */
import { expect, test } from 'vitest';
import { PLANTED_BUGS, PLANTED_IN_TESTS } from './bug-list.ts';
import { checkMatches, hunt } from './workbench.ts';

test.each(PLANTED_IN_TESTS)('a planted bug is found: %s', { timeout: 120_000 }, async (name) => {
  const bug = PLANTED_BUGS.find((one) => one.name === name);
  if (bug === undefined) throw new Error(`There is no bug called ${name}.`);
  const { worlds, what } = await hunt(bug, 100);
  expect(worlds, what).not.toBeNull();
});

test('every planted bug still matches the source', () => {
  expect(PLANTED_BUGS.flatMap(checkMatches)).toEqual([]);
});
