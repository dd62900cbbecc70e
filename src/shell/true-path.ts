import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The canonical path of a folder that may not exist yet, with links and the case of letters resolved. */
export function truePath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(truePath(parent), basename(path));
  }
}
