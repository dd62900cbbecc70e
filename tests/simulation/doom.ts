/** The end of a process at a statement or a send. */
import type { StatementKind } from './world-store.ts';

/** When the process ends by itself: around its `left`-th statement of this kind, or at a send. */
export interface Doom {
  readonly at: 'beforeCommit' | 'afterCommit' | 'inTransaction' | 'send';
  left: number;
}

/** Whether it comes at this statement, which is about to run or is `done`. */
export function comesAt({ at }: Doom, kind: StatementKind, done: boolean): boolean {
  if (at === 'send') return false;
  if (at === 'inTransaction') return kind === 'write' && done;
  return kind === 'commit' && done === (at === 'afterCommit');
}
