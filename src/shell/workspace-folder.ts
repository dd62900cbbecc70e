/** Which folders can be opened as a workspace, and where a new one lies. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultWorkspace } from './start-options.ts';

/** Why a folder cannot be opened as a workspace, or null. Files of others are never mixed with ours. */
export function folderProblem(folder: string): string | null {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return `There is no folder ${folder}.`;
  if (existsSync(join(folder, 'store.sqlite')) || existsSync(join(folder, 'lock.sqlite'))) return null;
  try {
    return readdirSync(folder).length === 0
      ? null
      : `${folder} has other files and is no workspace. Choose a workspace or an empty folder.`;
  } catch {
    return `${folder} cannot be read.`;
  }
}

/** A name that is a folder on every system. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,59}$/u;

/** The folder of a new workspace, beside the default one. */
export function newWorkspace(
  name: string,
  place = dirname(defaultWorkspace()),
): { readonly folder: string } | { readonly problem: string } {
  const wanted = name.trim();
  if (!NAME.test(wanted)) return { problem: 'Use letters, digits, spaces, - and _, at most 60.' };
  const folder = join(place, wanted);
  return existsSync(folder) ? { problem: `There is a folder ${folder} already.` } : { folder };
}
