/** The table of Electron's calls in docs/development.md names all that the desktop shell uses, and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { electronUses } from '../../helpers/electron-uses.ts';

const root = join(import.meta.dirname, '../../..');

/** What stands in backticks in the first column. */
function named(): string[] {
  const text = readFileSync(join(root, 'docs/development.md'), 'utf8');
  const [, table = ''] = /### Every call of Electron\n([\s\S]*?)(?:\n#|$)/.exec(text) ?? [];
  const first = [...table.matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = '']) => cell);
  return first.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

test('each is named once', () => {
  expect(named().length).toBeGreaterThan(100);
  expect(new Set(named()).size).toBe(named().length);
});

test('it names what the sources use, and no more', () => {
  expect([...named()].sort()).toEqual(electronUses(root));
});
