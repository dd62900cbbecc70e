import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { ESTree, Plugin } from 'vite';

/** Kill runs take a build of their own with failpoints (tests/kill/built-cli.ts); what is shipped has none. */
const hasFailpoints = process.env.HOOKBENCH_BUILD === 'failpoints';
const outDir = (part: string): string => `${hasFailpoints ? 'out-failpoints' : 'out'}/${part}`;
const noFailpoints = {
  find: /^.*\/failpoint\.ts$/,
  replacement: fileURLToPath(new URL('src/core/failpoint-none.ts', import.meta.url)),
};

/** Each thread keeps the source of its script in memory. Node takes two bytes a character for one that is not all ASCII. */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle: (_, bundle) => {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = inAscii(file.code);
  },
};

/**
 * An `import` of one of Node's modules reads everything that the module exports, and Node then loads what it would only
 * load when asked for. For `node:http` that is fetch, with all of undici: 14 MB and 40 ms in a process that does nothing
 * else.
 */
const builtinsByName: Plugin = {
  name: 'builtins-by-name',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = withBuiltins(file.code, this.parse(file.code).body);
    }
  },
};

/** From the last one to the first, so that the places of the others stay. */
const withBuiltins = (code: string, body: readonly ESTree.Node[]): string =>
  body
    .filter((node) => node.type === 'ImportDeclaration')
    .filter(({ source }) => source.value.startsWith('node:'))
    .reduceRight(
      (rest, { start, end, specifiers, source }) =>
        `${rest.slice(0, start)}${specifiers.map((name) => binding(name, source.value)).join(' ')}${rest.slice(end)}`,
      code,
    );

const binding = (specifier: ESTree.ImportDeclarationSpecifier, source: string): string => {
  const builtin = `process.getBuiltinModule(${JSON.stringify(source)})`;
  if (specifier.type !== 'ImportSpecifier') return `const ${specifier.local.name} = ${builtin};`;
  const { imported, local } = specifier;
  return `const ${local.name} = ${builtin}.${imported.type === 'Literal' ? imported.value : imported.name};`;
};

const inAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Absolute, so that the dev server finds what to optimise. */
const page = fileURLToPath(new URL('src/renderer/index.html', import.meta.url));

export default defineConfig({
  main: {
    resolve: { alias: hasFailpoints ? [] : [noFailpoints] },
    plugins: [builtinsByName, asciiOnly],
    build: {
      outDir: outDir('main'),
      rolldownOptions: {
        input: { index: 'src/main/index.ts', headless: 'src/headless/index.ts', cli: 'src/cli/index.ts' },
        output: { comments: { legal: true, annotation: false, jsdoc: false } },
      },
    },
  },
  preload: {
    build: {
      outDir: outDir('preload'),
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [react()],
    // No data: URLs: the content security policy takes fonts from the app itself only.
    build: {
      outDir: outDir('renderer'),
      minify: true,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: page,
        // What the first screen needs is one file: one request, and one entry in a browser's cache of compiled code.
        output: { codeSplitting: { groups: [{ name: 'app', tags: ['$initial'] }] } },
      },
    },
  },
});
