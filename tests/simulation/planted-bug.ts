/**
 * A bug that a simulation must find: a change of the engine's source, applied to a copy. A change must match exactly
 * once, so that a bug that no longer fits the source is noticed.
 */
import type { StoreName } from './world-store.ts';

export interface SourceChange {
  /** Below src/core. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface PlantedBug {
  readonly name: string;
  /** Worlds in memory do not have what it breaks. */
  readonly needsFile?: boolean;
  readonly changes: readonly SourceChange[];
  /** What stands for its changes of SQLite's own files in the memory store, below tests/helpers/memory-store. */
  readonly inMemory?: readonly SourceChange[];
}

const CORE = 'src/core';
const MEMORY = 'tests/helpers/memory-store';

const below = (folder: string, changes: readonly SourceChange[] = []): SourceChange[] =>
  changes.map((change) => ({ ...change, file: `${folder}/${change.file}` }));

/** SQLite's own files: the store without its ports. */
const isSqlite = ({ file }: SourceChange): boolean => /^store\/(?!ports\/)/.test(file);

/**
 * What to change for worlds on this store, by path in the project. Null when these worlds cannot have the bug, because
 * it is SQLite's own.
 */
export function changesIn(
  { changes, inMemory, needsFile = false }: PlantedBug,
  store: StoreName,
): readonly SourceChange[] | null {
  if (store === 'sqlite') return below(CORE, changes);
  if (needsFile) return null;
  const shared = changes.filter((change) => !isSqlite(change));
  if (shared.length < changes.length && inMemory === undefined) return null;
  return [...below(CORE, shared), ...below(MEMORY, inMemory)];
}

export const one = (name: string, file: string, from: string, to: string, inMemory?: SourceChange): PlantedBug => ({
  name,
  changes: [{ file, from, to }],
  ...(inMemory !== undefined && { inMemory: [inMemory] }),
});
