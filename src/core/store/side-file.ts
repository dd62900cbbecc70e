/**
 * A small file beside the store with the store's id and its largest row ids. It shows when the store was emptied,
 * deleted, replaced or set back to an older file. It is written after commits and can only lag behind, so a crash
 * between the two is not a mismatch. Requests stand for messages: every message has one, and the newest request always
 * stays, while the newest call of an unknown key may be removed.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const COUNTED = ['requests', 'attempts', 'replays'] as const;

/** The largest row id of each. */
export type LastIds = Record<(typeof COUNTED)[number], number>;

export interface SideFile extends LastIds {
  /** The store's own id. */
  readonly store: string;
  /** When it was found to be damaged, in epoch milliseconds. */
  readonly damagedAt?: number;
  /** The closed file as a stop left it. Absent while it is open. */
  readonly soundAs?: string;
}

export const sideFilePath = (workspace: string): string => join(workspace, 'store.json');

/** Null when there is none or it cannot be read. Then there is nothing to compare with. */
export function readSideFile(workspace: string): SideFile | null {
  try {
    const value = JSON.parse(readFileSync(sideFilePath(workspace), 'utf8')) as Partial<SideFile>;
    const { store, damagedAt, soundAs } = value;
    if (typeof store !== 'string' || COUNTED.some((name) => typeof value[name] !== 'number')) return null;
    const { requests, attempts, replays } = value as SideFile;
    return {
      store,
      requests,
      attempts,
      replays,
      ...(typeof damagedAt === 'number' && { damagedAt }),
      ...(typeof soundAs === 'string' && { soundAs }),
    };
  } catch {
    return null;
  }
}

/** Replaces the file in one step, so that a crash leaves either the old one or the new one. */
export function writeSideFile(workspace: string, side: SideFile): void {
  const path = sideFilePath(workspace);
  const next = `${path}.next`;
  rmSync(next, { force: true });
  const file = openSync(next, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify(side)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
}

/** Why a file that SQLite has not opened yet is not the store of before, or null. */
export function missingFile(path: string): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return 'is gone';
  return size === 0 ? 'is empty' : null;
}

/** Why an open store is not the store of before, or null. An id of null means a store from before ids, or a new one. */
export function mismatch(side: SideFile, store: string | null, last: LastIds): string | null {
  if (store !== side.store) return 'is another store than the one that was here';
  const behind = COUNTED.find((name) => last[name] < side[name]);
  if (behind === undefined) return null;
  return `is older than the one that was here: it ends at ${last[behind]} of ${side[behind]} ${behind}`;
}
