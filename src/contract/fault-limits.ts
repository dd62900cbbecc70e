/** Limits and names of ingest faults; the interface shows and the engine enforces the same ones. */
export const FAULT_LIMITS = {
  rules: 20,
  /** A request is never held for longer, so that nobody waits for ever. */
  delayMs: 60_000,
  stallMs: 120_000,
  retryAfterSeconds: 86_400,
  requests: 10_000,
  bytesPerSecond: 100_000,
  /** Requests held at one time by delays, stalls and slow answers; a further one is answered as if there were no fault. */
  held: 500,
  /** Newest tries kept for the report; one for each call of a request. */
  tries: 20_000,
  clients: 200,
} as const;

/** What a request can be for. Health and everything that is not ingest never misbehave. */
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
