/** Limits of a receiver. The interface shows the same limits that the engine enforces. */
export const RECEIVER_LIMITS = {
  /** How many the user may make, not counting the built-in ones. */
  receivers: 50,
  builtIn: 9,
  steps: 20,
  times: 10_000,
  delayMs: 60_000,
  holdMs: 60_000,
  bodyCharacters: 65_536,
  bytesPerSecond: 100_000,
  headerBytes: 1_048_576,
  /** Newest requests kept for each receiver. */
  hits: 1_000,
} as const;
