/** Overwrites places of a store's file, as a failing disk does. Nobody may have the store open. */
import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { storePath } from '../../src/core/store/database.ts';

export const PAGE = 4096;

/** Pages that hold the rows of a table or the entries of an index; leaves alone. */
export function leavesOf(folder: string, name: string): number[] {
  const bytes = readFileSync(storePath(folder));
  const db = new Database(storePath(folder), { readonly: true });
  const root = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name) as number;
  db.close();
  const leaves = (page: number): number[] => {
    const at = (page - 1) * PAGE;
    if (bytes[at]! >= 10) return [page];
    const cells = Array.from({ length: bytes.readUInt16BE(at + 3) }, (_, i) => bytes.readUInt16BE(at + 12 + 2 * i));
    return [...cells.map((cell) => bytes.readUInt32BE(at + cell)), bytes.readUInt32BE(at + 8)].flatMap(leaves);
  };
  return leaves(root);
}

/** Makes one leaf of a table or an index unreadable: the middle one, unless `which` chooses another. */
export function tear(folder: string, name: string, which = (leaves: readonly number[]) => leaves.length >> 1): void {
  const leaves = leavesOf(folder, name);
  const bytes = readFileSync(storePath(folder));
  bytes.fill(0xfc, (leaves[which(leaves)]! - 1) * PAGE, (leaves[which(leaves)]! - 1) * PAGE + 8);
  writeFileSync(storePath(folder), bytes);
}
