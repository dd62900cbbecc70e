/**
 * Named places at which a kill run may end the process (tests/kill). Nothing is armed unless the engine's thread was
 * started with HOOKBENCH_FAILPOINT, and what is shipped is built with `failpoint-none.ts` in place of this file.
 */
export const FAILPOINTS = [
  /** A transaction is written and not committed. */
  'before_commit',
  /** A transaction is committed; nobody has been told. */
  'after_commit',
  /** An ingest answer was handed to the socket. */
  'answered',
  /** Attempt rows are committed; no connection was asked for. */
  'attempt_written',
  /** The head of a delivery was written to its socket. */
  'request_half_sent',
  /** An attempt ended; its result is not stored. */
  'result_received',
  /** A result is stored; others of its round may be open. */
  'result_written',
  /** A migration ran; its version is not set. */
  'migrating',
  /** What a crash left is being recovered. */
  'recovering',
  /** A replay and its attempts are committed; nothing is sent. */
  'replay_written',
  /** A new secret is written and not committed. */
  'secret_written',
  /** A clean stop began. */
  'stopping',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/** Places in a sync of an audience, which the load of the kill runs does not reach (tests/kill/sync-kills.ts). */
export const SYNC_FAILPOINTS = [
  /** A part of the plan is committed; others may be missing. */
  'sync_plan_written',
  /** A chunk is written and not committed: messages, what was told, how far it is. */
  'sync_chunk_written',
  /** A chunk is committed; delivery does not know of it. */
  'sync_chunk_committed',
  /** Outcomes are committed; whether the sync is done was not looked at. */
  'sync_outcomes_written',
  /** The end is committed; nobody has been told. */
  'sync_done',
] as const;
export type SyncFailpoint = (typeof SYNC_FAILPOINTS)[number];

/** Places in a deletion request (tests/kill/deletion-kills.ts). */
export const DELETION_FAILPOINTS = [
  /** The request with its suppressions is committed; nobody has been told. */
  'deletion_stored',
  /** Notices are written and not committed. */
  'deletion_notices_written',
  /** Notices are committed; delivery does not know of them. */
  'deletion_notices_committed',
  /** Messages are erased and their requests cut; not committed. */
  'deletion_step_written',
  /** A step of the erase is committed. */
  'deletion_step_committed',
  /** Audiences have lost the users; the request does not say so. */
  'deletion_audiences_erased',
  /** The store was searched; free parts of the files are as they were. */
  'deletion_searched',
  /** The files are clear; the request does not say so. */
  'deletion_files_cleared',
] as const;
export type DeletionFailpoint = (typeof DELETION_FAILPOINTS)[number];

/** Places in an import of calls (tests/kill/import-kills.ts). */
export const IMPORT_FAILPOINTS = [
  /** The calls of a piece are written and not committed. */
  'import_piece_written',
  /** They are committed; neither delivery nor the client knows of them. */
  'import_piece_committed',
] as const;
export type ImportFailpoint = (typeof IMPORT_FAILPOINTS)[number];

type AnyFailpoint = Failpoint | SyncFailpoint | DeletionFailpoint | ImportFailpoint;

let reached: ((name: AnyFailpoint) => void) | null = null;

/** `HOOKBENCH_FAILPOINT=name:n` ends the process the n-th time that the failpoint is reached. */
export function armFailpoint(setting = process.env.HOOKBENCH_FAILPOINT): void {
  if (setting === undefined) return;
  const [wanted, nth = '1'] = setting.split(':');
  let left = Number(nth);
  reached = (name) => {
    if (name !== wanted) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}

/** `before` runs only when failpoints are armed: it brings about what the name says. */
export function failpoint(name: AnyFailpoint, before?: () => void): void {
  if (reached === null) return;
  before?.();
  reached(name);
}
