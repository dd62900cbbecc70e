/**
 * Serves the browser library to a page's snippet: `/analytics.js/v1/KEY/analytics.min.js` and its bundles, from an
 * installed copy of @segment/analytics-next. It reads no file outside that folder.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { type Answer, errorAnswer } from './answers.ts';

const PACKAGE = join('node_modules', '@segment', 'analytics-next');
const BUILT = join('dist', 'umd');
const MAIN_FILE = 'standalone.js';

const MISSING =
  'The browser library is not installed beside Hookbench. Install @segment/analytics-next and name its folder as ' +
  'ingest.browserSdk in hookbench.json, or bundle the library with the page.';

export interface BrowserSdk {
  /**
   * The file that the snippet loads first, with the write key in it. `origin` is the address of ingest, such as
   * `http://localhost:8765`.
   */
  main(writeKey: string, origin: string): Promise<Answer>;
  bundle(name: string): Promise<Answer>;
}

/** `folder` gives the package (or its `dist/umd`) that the setting names, or null for the one installed beside us. */
export function createBrowserSdk(folder: () => string | null): BrowserSdk {
  const read = async (name: string): Promise<Buffer | null | undefined> => {
    const root = await builtFolder(folder());
    return root === null ? undefined : readWithin(root, name);
  };
  return {
    main: async (writeKey, origin) => {
      const code = await read(MAIN_FILE);
      if (code === undefined || code === null) return errorAnswer(404, 'not_found', MISSING);
      return script(`${pointedAt(origin)}${withKey(code.toString('utf8'), writeKey)}`);
    },
    bundle: async (name) => {
      const code = await read(name);
      if (code === undefined) return errorAnswer(404, 'not_found', MISSING);
      if (code === null) return errorAnswer(404, 'not_found', 'The installed browser library has no such bundle.');
      return script(code);
    },
  };
}

/** The folder of the built files, or null when there is none. */
async function builtFolder(given: string | null): Promise<string | null> {
  const candidates = given === null ? installed(import.meta.dirname) : [join(given, BUILT), given];
  for (const candidate of candidates) if (await isFile(join(candidate, MAIN_FILE))) return realpath(candidate);
  return null;
}

/** Where Node would look for the package, from `folder` upwards. */
function installed(folder: string): string[] {
  const parent = dirname(folder);
  return [join(folder, PACKAGE, BUILT), ...(parent === folder ? [] : installed(parent))];
}

/** Null when there is no such file, or it leads out of `root`. */
async function readWithin(root: string, name: string): Promise<Buffer | null> {
  try {
    const path = await realpath(join(root, name));
    return path.startsWith(root + sep) && (await isFile(path)) ? await readFile(path) : null;
  } catch {
    return null;
  }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * Over http the library ignores the address of its script tag (measured) and would ask the public host for its
 * settings. This line tells it the address, unless the page already has.
 */
function pointedAt(origin: string): string {
  return `(function(a){if(a&&!a._cdn)a._cdn=${JSON.stringify(origin)}})(window.analytics);\n`;
}

/** The global in which the library looks for that address. */
function withKey(code: string, writeKey: string): string {
  const escaped = JSON.stringify(writeKey).slice(1, -1).replaceAll("'", '\\u0027');
  return code.replaceAll('__WRITE_KEY__', () => escaped);
}

function script(code: string | Uint8Array): Answer {
  return {
    status: 200,
    code: null,
    body: code,
    headers: [
      ['Content-Type', 'text/javascript; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
  };
}
