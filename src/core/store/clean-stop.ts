/**
 * Whether a store needs its check at a start. A stop notes the closed file in the side file. While nobody has written to
 * that file since, not even to put an older one in its place, a check would read what the last run used anyway.
 */
import { statSync } from 'node:fs';
import { readSideFile, writeSideFile } from './side-file.ts';

/** Null while there is a log with content: then the last run did not stop in order. */
function stampOf(path: string): string | null {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  const file = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (file === undefined || (log?.size ?? 0) > 0) return null;
  // A copy may keep the time of the last change, but no program sets the time of the last change of its inode.
  return [file.ino, file.size, file.mtimeNs, file.ctimeNs].join('-');
}

/** Called before SQLite opens the file. `path` is the main file. A store that was damaged is checked each time. */
export function isAsLeft(workspace: string, path: string): boolean {
  const side = readSideFile(workspace);
  return side?.soundAs !== undefined && side.damagedAt === undefined && side.soundAs === stampOf(path);
}

/** Called after the file is closed and before the folder is unlocked. Without the note the next start checks. */
export function noteAsLeft(workspace: string, path: string): void {
  try {
    const side = readSideFile(workspace);
    const soundAs = stampOf(path);
    if (side !== null && soundAs !== null) writeSideFile(workspace, { ...side, soundAs });
  } catch {}
}
