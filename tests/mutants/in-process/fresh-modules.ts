/**
 * Loads the project's modules anew, so that no mutant sees what an earlier one left in them. The query of a module's
 * address says to which load it belongs; packages are loaded once. Test files get `suite.ts` when they import vitest.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SUITE = new URL('./suite.ts', import.meta.url).href;

/** Imports a file below `root` with everything of the project that it imports. */
export type ImportFresh = (path: string, load: number) => Promise<void>;

export function freshModules(root: string): ImportFresh {
  const folder = pathToFileURL(`${root}/`).href;
  const scripts = new Map<string, string>();
  const isOurs = (url: string | undefined): url is string =>
    url?.startsWith(folder) === true && !url.includes('/node_modules/');

  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      if (!isOurs(parentURL)) return next(specifier, context);
      if (specifier === 'vitest') return { url: SUITE, shortCircuit: true };
      const resolved = next(specifier, context);
      return isOurs(resolved.url) ? { ...resolved, url: `${resolved.url}${new URL(parentURL).search}` } : resolved;
    },
    load(url, context, next) {
      if (!isOurs(url) || !new URL(url).pathname.endsWith('.ts')) return next(url, context);
      const path = fileURLToPath(url);
      const source = scripts.get(path) ?? stripTypeScriptTypes(readFileSync(path, 'utf8'));
      scripts.set(path, source);
      return { format: 'module', source, shortCircuit: true };
    },
  });

  return async (path, load) => {
    await import(`${pathToFileURL(path).href}?load=${load}`);
  };
}
