/** Limits of a receiver; the interface shows and the engine enforces the same ones. */
export const RECEIVER_LIMITS = {
  /** Made by a person; the built-in ones come on top. */
  receivers: 50,
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
