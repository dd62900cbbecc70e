/** Limits of replays, for both sides. */
export const REPLAY_LIMITS = {
  /** Receivers, and other URLs, of one replay. */
  elsewhere: 10,
  /** Bytes of an edited body. */
  bodyBytes: 1_048_576,
  /** Message ids in one command. */
  ids: 10_000,
  /** Messages of one job. */
  messages: 100_000,
  /** Messages a second. */
  rate: 100,
  defaultRate: 10,
} as const;

/** Replays of many messages go as they were received, or the newest first. */
export const REPLAY_ORDERS = ['oldest', 'newest'] as const;
export type ReplayOrder = (typeof REPLAY_ORDERS)[number];
