import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const STORE = join(import.meta.dirname, '../../../src/core/store');
/** Up to the condition, which may ask for a state. */
const SETS_STATE = /UPDATE messages SET((?!\bWHERE\b)[^`])*?\bstate = /;

test('only the statements of moves set the state of a stored message', () => {
  const setting = globSync('**/*.ts', { cwd: STORE, exclude: ['schema/**'] }).filter((file) =>
    SETS_STATE.test(readFileSync(join(STORE, file), 'utf8')),
  );
  expect(setting).toEqual(['message-moves.ts']);
});
