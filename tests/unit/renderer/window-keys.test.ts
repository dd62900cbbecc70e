/** Keys of the window are heard in one place, which says from when. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const renderer = resolve(import.meta.dirname, '../../../src/renderer');

it('nothing but useWindowKeys listens for keys of the window', () => {
  const listening = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .filter((name) => /addEventListener\(\s*'key/.test(readFileSync(join(renderer, name), 'utf8')));
  expect(listening).toEqual(['frame/use-window-keys.ts']);
});
