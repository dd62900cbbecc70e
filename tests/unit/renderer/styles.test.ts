/** Style sheets stand beside their components: every class that is named exists, and every class that exists is named. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const renderer = resolve(import.meta.dirname, '../../../src/renderer');
const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).map((name) => join(renderer, name));
const read = (path: string): string => readFileSync(path, 'utf8');
const sheets = files.filter((name) => name.endsWith('.css'));
const modules = sheets.filter((name) => name.endsWith('.module.css'));
const sources = files.filter((name) => /\.tsx?$/.test(name));

const MAX_HELPERS = 12;
const LAYERS = ['tokens', 'base', 'components', 'screens'];

const unique = (found: Iterable<RegExpMatchArray>): string[] => [...new Set([...found].map((one) => one[1]!))].sort();
/** Without comments, and without what stands in strings and declarations. */
const selectors = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/"[^"]*"/g, '')
    .replace(/[^{};]*;/g, '');
const CLASS = /\.([a-zA-Z][\w-]*)/g;
const globalsIn = (css: string): string =>
  [...selectors(css).matchAll(/:global\(([^)]*)\)/g)].map((one) => one[1]).join(' ');
const localsIn = (css: string): string[] =>
  unique(
    selectors(css)
      .replace(/:global\([^)]*\)/g, '')
      .matchAll(CLASS),
  );
const helpers = unique(selectors(read(join(renderer, 'styles/helpers.css'))).matchAll(CLASS));

/** `import css from './x.module.css'`: the name and the module's path. */
const importsOf = (path: string): { name: string; module: string }[] =>
  [...read(path).matchAll(/import (\w+) from '([^']*\.module\.css)'/g)].map((one) => ({
    name: one[1]!,
    module: resolve(path, '..', one[2]!),
  }));
/** What a source takes of a module: `css.line`. A computed `css[x]` may be any of its classes. */
const takenOf = (path: string, name: string): { names: string[]; any: boolean } => ({
  names: unique(read(path).matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))),
  any: new RegExp(`\\b${name}\\[`).test(read(path)),
});

describe('styles', () => {
  test('global class names are a dozen helpers at most, none of three letters or fewer', () => {
    expect(helpers.length).toBeLessThanOrEqual(MAX_HELPERS);
    expect(helpers.filter((name) => name.length <= 3)).toEqual([]);
    const elsewhere = sheets
      .filter((path) => !modules.includes(path) && !path.endsWith('helpers.css'))
      .flatMap((path) => unique(selectors(read(path)).matchAll(CLASS)));
    expect(elsewhere).toEqual([]);
  });

  test.each(modules.map((path) => [relative(renderer, path), path]))('%s reaches for helpers only', (_, path) => {
    const reached = unique(globalsIn(read(path)).matchAll(CLASS));
    expect(reached.filter((name) => !helpers.includes(name) && !name.startsWith('cm-'))).toEqual([]);
  });

  test('every class that a component takes stands in the module that it imports', () => {
    const missing = sources.flatMap((path) =>
      importsOf(path).flatMap(({ name, module }) => {
        const known = localsIn(read(module));
        return takenOf(path, name)
          .names.filter((one) => !known.includes(one))
          .map((one) => `${relative(renderer, path)}: ${name}.${one}`);
      }),
    );
    expect(missing).toEqual([]);
  });

  test('every class of a module is taken by a component', () => {
    const unused = modules.flatMap((module) => {
      const takers = sources.flatMap((path) =>
        importsOf(path)
          .filter((one) => one.module === module)
          .map(({ name }) => takenOf(path, name)),
      );
      if (takers.some(({ any }) => any)) return [];
      const taken = new Set(takers.flatMap(({ names }) => names));
      return localsIn(read(module))
        .filter((name) => !taken.has(name))
        .map((name) => `${relative(renderer, module)}: ${name}`);
    });
    expect(unused).toEqual([]);
  });

  test('every animation has its keyframes in its own sheet', () => {
    const without = sheets.flatMap((path) => {
      const css = read(path);
      return unique(css.matchAll(/animation: ([\w-]+)/g))
        .filter((name) => name !== 'none' && !css.includes(`@keyframes ${name} {`))
        .map((name) => `${relative(renderer, path)}: ${name}`);
    });
    expect(without).toEqual([]);
  });

  test('class names written as text are helpers', () => {
    const unknown = sources.flatMap((path) =>
      [...read(path).matchAll(/[cC]lassName="([^"]*)"|\bcx\(\s*'([^']*)'/g)]
        .flatMap((one) => (one[1] ?? one[2] ?? '').split(' '))
        .filter((name) => !helpers.includes(name))
        .map((name) => `${relative(renderer, path)}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  test('every sheet stands in a layer, and the layers are in order', () => {
    expect(read(join(renderer, 'index.html'))).toContain(`@layer ${LAYERS.join(', ')};`);
    const outside = sheets.filter((path) => {
      const layer = /@layer (\w+) \{/.exec(read(path))?.[1];
      return layer === undefined || !LAYERS.includes(layer);
    });
    expect(outside.map((path) => relative(renderer, path))).toEqual([]);
  });
});
