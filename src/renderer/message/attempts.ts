import type { AttemptView } from '../../contract/values.ts';

/** The attempts of a message's own delivery, without those of replays. */
export function ownAttempts(attempts: readonly AttemptView[]): AttemptView[] {
  return attempts.filter((attempt) => attempt.replayId === null);
}

/** Retry-clock time of the first request. Offsets count from it. */
export function firstStart(attempts: readonly AttemptView[]): number | null {
  const own = ownAttempts(attempts);
  return own.length === 0 ? null : Math.min(...own.map(({ clockAt }) => clockAt));
}
