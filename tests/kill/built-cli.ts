/** The built command line. Builds it when it is missing or older than the sources. */
import { join } from 'node:path';
import { buildIfStale } from '../../tools/build-if-stale.mjs';

const root = join(import.meta.dirname, '../..');

/** Path of `cli.js`, of the normal build or of the one with failpoints. Throws when it cannot be built. */
export async function builtCli(kind: 'shipped' | 'failpoints' = 'shipped'): Promise<string> {
  if (!(await buildIfStale(kind))) throw new Error('The build failed.');
  return join(root, kind === 'shipped' ? 'out' : 'out-failpoints', 'main/cli.js');
}
