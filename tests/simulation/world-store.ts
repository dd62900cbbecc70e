/** The store of a world: what its processes open, what the watch reads, and how a process of it ends. */
import type { OpenStore } from '../../src/core/store/ports/store.ts';
import type { CommittedRows } from './committed-rows.ts';

export const STORES = ['sqlite', 'memory'] as const;
export type StoreName = (typeof STORES)[number];

/** The store with this name; throws when there is none. */
export function storeOf(text: string): StoreName {
  const found = STORES.find((name) => name === text);
  if (found === undefined) throw new Error(`There is no store ${text}, only ${STORES.join(' and ')}.`);
  return found;
}

export type StatementKind = 'begin' | 'commit' | 'write' | 'read';

/** Stands between a process and its store. */
export interface StatementGuard {
  /** May throw; then the statement does not run. `rollBack` is what the store does by itself after some errors. */
  before(kind: StatementKind, rollBack: () => void): void;
  /** The statement ran. May throw. */
  after(kind: StatementKind): void;
}

/** The store as one process has it. */
export interface ProcessStore {
  readonly open: OpenStore;
  /** What the system does when the process has ended. */
  kill(): void;
}

export interface WorldStore {
  /** The workspace folder of its processes. */
  readonly folder: string;
  /** True when a second process cannot open it. */
  readonly isLocked: boolean;
  readonly rows: CommittedRows;
  /** A new process, each of whose statements passes the guard. */
  process(guard: StatementGuard): ProcessStore;
  /** What a statement throws that fails with this code. */
  failure(code: string): Error;
  /** Names of the places where the text stands as it is. */
  placesOf(text: string): string[];
  /** Ends the watch's reading and removes everything. */
  remove(): void;
}
