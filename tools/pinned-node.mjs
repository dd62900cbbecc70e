// Where the pinned Node is: a platform package of optionalDependencies. Plain JavaScript for any Node >= 18.
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isWindows = process.platform === 'win32';

// Beside the checkout's own packages, or beside this package where it is installed into another's.
const packageFolders = [join(root, 'node_modules'), dirname(root)];
const names = [
  `node-bin-${process.platform}-${process.arch}`,
  `node-${isWindows ? 'win' : process.platform}-${process.arch}`,
];

/** The folder of the pinned binary, or undefined. */
const pinnedFolder = packageFolders
  .flatMap((folder) => names.map((name) => join(folder, name, 'bin')))
  .find((folder) => existsSync(join(folder, isWindows ? 'node.exe' : 'node')));

function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

/** The Node to run everything with; ends the process with one line when there is none. */
export function nodeOrExit() {
  if (pinnedFolder !== undefined) return join(pinnedFolder, isWindows ? 'node.exe' : 'node');
  if (isNewEnough()) return process.execPath;
  console.error(
    `hookbench needs Node.js >= 22.19; this is ${process.version} and no pinned Node is installed for ${process.platform}-${process.arch}.`,
  );
  process.exit(1);
}

/** The environment with the pinned Node and the project's programs first on the path. */
export function environment() {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const path = [pinnedFolder, join(root, 'node_modules', '.bin'), process.env[key]].filter(Boolean).join(delimiter);
  return { ...process.env, [key]: path };
}
