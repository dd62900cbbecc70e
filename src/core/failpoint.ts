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

let reached: ((name: Failpoint) => void) | null = null;

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
export function failpoint(name: Failpoint, before?: () => void): void {
  if (reached === null) return;
  before?.();
  reached(name);
}
