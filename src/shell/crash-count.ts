/** How often something may crash before it is left alone. */

const WINDOW_MS = 60_000;

export interface CrashCount {
  /** Counts a crash. True when there have been too many within a minute. */
  add(): boolean;
  /** Starts counting again, because a person asked for another try. */
  forget(): void;
}

export function crashCount(limit: number, now: () => number): CrashCount {
  let crashes: number[] = [];
  return {
    add: () => {
      crashes = [...crashes.filter((at) => now() - at < WINDOW_MS), now()];
      return crashes.length >= limit;
    },
    forget: () => {
      crashes = [];
    },
  };
}
