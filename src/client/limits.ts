/** What one request and one call may hold (client specification, section 8), and the defaults of the options. */

/**
 * One request body, in bytes of UTF-8. The smaller reading of "500 KB": cutting a batch earlier costs nothing.
 */
export const MAX_BATCH_BYTES = 500_000;

/**
 * One call as compact JSON, in bytes of UTF-8. The larger reading of "32 KB", which is what ingest takes: refusing
 * a call that the server would have taken loses data.
 */
export const MAX_CALL_BYTES = 32 * 1024;

/** Calls in one request; the server rejects a batch with more. */
export const MAX_BATCH_CALLS = 2_500;

/** Levels of arrays and objects in one call. The server accepts 512 in a request, and the envelope needs two. */
export const MAX_CALL_DEPTH = 510;

/** Characters of a messageId. */
export const MAX_MESSAGE_ID_CHARACTERS = 99;

/**
 * How many bytes may be on their way in requests that outlive their page. Browsers allow 64 KiB for the whole page, and
 * not all of them count headers; a little is left for other code.
 */
export const KEEPALIVE_BYTES = 60_000;

/** How many bytes of an answer are read: enough for any reason, and to reuse the connection. */
export const MAX_ANSWER_BYTES = 64 * 1024;

export const defaults = {
  /** Hookbench's ingest. */
  endpoint: 'http://localhost:8765',
  size: 20,
  flushAfterMs: 5_000,
  maxQueuedMessages: 10_000,
  maxQueuedBytes: 32 * 1024 * 1024,
  concurrency: 1,
  timeoutMs: 10_000,
  maxTries: 10,
  backoffMs: 100,
  backoffCapMs: 10_000,
  retryAfterCapMs: 300_000,
} as const;
