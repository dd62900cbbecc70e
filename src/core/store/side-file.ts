/**
 * A small file beside the store that says which store it was and how far its row ids had come: an emptied, deleted,
 * replaced or older file is told from the one that was here. It is written after commits and only ever lags behind, so
 * that a crash between the two is no mismatch. Requests stand for messages: none comes without one, and the newest
 * request always stays, while the newest call of an unknown key may go.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const COUNTED = ['requests', 'attempts', 'replays'] as const;

/** The largest row id of each. */
export type LastIds = Record<(typeof COUNTED)[number], number>;

export interface SideFile extends LastIds {
  /** The store's own id. */
  readonly store: string;
  /** Since when it is known to be damaged, as epoch milliseconds. */
  readonly damagedAt?: number;
}

export const sideFilePath = (workspace: string): string => join(workspace, 'store.json');

/** Null when there is none, or none that can be read: then there is nothing to compare with. */
export function readSideFile(workspace: string): SideFile | null {
  try {
    const value = JSON.parse(readFileSync(sideFilePath(workspace), 'utf8')) as Partial<SideFile>;
    const { store, damagedAt } = value;
    if (typeof store !== 'string' || COUNTED.some((name) => typeof value[name] !== 'number')) return null;
    const { requests, attempts, replays } = value as SideFile;
    return { store, requests, attempts, replays, ...(typeof damagedAt === 'number' && { damagedAt }) };
  } catch {
    return null;
  }
}

/** In one step: a crash leaves the old one or the new one. */
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

/** What speaks against a file that SQLite has not opened yet, or null. */
export function missingFile(path: string): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return 'is gone';
  return size === 0 ? 'is empty' : null;
}

/** What speaks against an open store, or null. An id of null is of a store from before ids, or of a new one. */
export function mismatch(side: SideFile, store: string | null, last: LastIds): string | null {
  if (store !== side.store) return 'is another store than the one that was here';
  const behind = COUNTED.find((name) => last[name] < side[name]);
  if (behind === undefined) return null;
  return `is older than the one that was here: it ends at ${last[behind]} of ${side[behind]} ${behind}`;
}
