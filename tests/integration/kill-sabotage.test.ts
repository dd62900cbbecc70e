/** The planted faults of kill runs still fit the build; the runs themselves take minutes (`npm run kill -- --sabotage`). */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtCli } from '../kill/built-cli.ts';
import { sabotagedCli, sabotages } from '../kill/sabotage.ts';

test.each(Object.keys(sabotages))('%s', async (name) => {
  const { cli, remove } = sabotagedCli(await builtCli(), name);
  expect(existsSync(cli)).toBe(true);
  remove();
});
