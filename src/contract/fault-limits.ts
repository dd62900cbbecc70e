/** Limits and names of ingest faults. The interface shows the same limits that the engine enforces. */
export const FAULT_LIMITS = {
  rules: 20,
  /** The longest time that a request is held, so that nobody waits for ever. */
  delayMs: 60_000,
  stallMs: 120_000,
  retryAfterSeconds: 86_400,
  requests: 10_000,
  bytesPerSecond: 100_000,
  /**
   * How many requests delays, stalls and slow answers may hold at a time. A further request is answered as if there
   * were no fault.
   */
  held: 500,
  /** How many of the newest tries are kept for the report; one for each call of a request. */
  tries: 20_000,
  clients: 200,
} as const;

/** What a request can be for. Health checks and everything that is not ingest never misbehave. */
export const faultPaths = [
  'identify',
  'track',
  'page',
  'screen',
  'group',
  'alias',
  'batch',
  'pixel',
  'settings',
] as const;
export type FaultPath = (typeof faultPaths)[number];

export const CONTENT_TYPE_PATTERN = /^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/;
