/** The copy of the engine in which bugs are planted has every file that the simulation imports. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COPIED } from './workbench.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const isCopied = (path: string): boolean => COPIED.some((one) => path === one || path.startsWith(`${one}/`));

const importsOf = (path: string): string[] =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, name]) =>
    normalize(join(dirname(path), name!)).replaceAll('\\', '/'),
  );

/** Files that are imported, directly or not, each with one that imports it. */
function closure(paths: readonly string[]): Map<string, string> {
  const found = new Map(paths.map((path) => [path, 'the simulation']));
  for (const path of found.keys())
    for (const imported of importsOf(path)) if (!found.has(imported)) found.set(imported, path);
  return found;
}

test('nothing that it imports is left out', () => {
  const own = globSync('tests/simulation/**/*.ts', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'));
  const all = closure(own.filter((path) => !path.endsWith('.test.ts')));
  expect(all.size).toBeGreaterThan(own.length + 100);
  expect([...all].filter(([path]) => !isCopied(path)).map(([path, by]) => `${path}, for ${by}`)).toEqual([]);
});
