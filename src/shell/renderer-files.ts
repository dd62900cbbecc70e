/**
 * The built interface as a fixed map from URL path to bytes, read once at start. Both shells serve only this map: a
 * path is looked up as received and never joined to a folder (reliability, U6).
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface RendererFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** True when the name changes with the bytes, so that a browser may keep the file. */
  readonly isLasting: boolean;
}

export type RendererFiles = ReadonlyMap<string, RendererFile>;

/** The place in index.html where each answer gets its own nonce. */
export const NONCE_PLACEHOLDER = '__NONCE__';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The build puts a hash of the bytes into these names. */
const LASTING_NAME = /^\/assets\/[^/]+-[\w-]{8}\.(?:css|js|woff2)$/;

/** Reads every regular file under `folder`; links are left out. Throws when there is no index.html. */
export function readRendererFiles(folder: string): RendererFiles {
  const files = new Map<string, RendererFile>();
  const read = (path: string, url: string): void => {
    const stat = lstatSync(path);
    if (stat.isDirectory()) for (const name of readdirSync(path)) read(join(path, name), `${url}/${name}`);
    else if (stat.isFile())
      files.set(url, {
        type: types[extname(path).toLowerCase()] ?? 'application/octet-stream',
        bytes: readFileSync(path),
        isLasting: LASTING_NAME.test(url),
      });
  };
  read(folder, '');
  const index = files.get('/index.html');
  if (index === undefined) throw new Error(`The interface is not built: ${folder} has no index.html.`);
  files.set('/', index);
  return files;
}

/** The bytes to send: a page gets the nonce of its answer. */
export const fileBytes = (file: RendererFile, nonce: string): Buffer =>
  file.type.startsWith('text/html')
    ? Buffer.from(file.bytes.toString('utf8').replaceAll(NONCE_PLACEHOLDER, nonce), 'utf8')
    : file.bytes;
