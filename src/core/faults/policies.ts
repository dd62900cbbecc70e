/**
 * What each client publishes, or was seen to do, when a server misbehaves: a report compares with this table
 * (docs/faults.md, Policies). `ran` was measured with the real client; `read` was only read in its source.
 */

/** `429`, `4xx`, `300-399`; a narrower one wins over a wider one. `network`: no answer at all. */
export type AnswerRange = string;

export interface Policy {
  /** As people say it: `analytics-node 3.1.0`. */
  readonly name: string;
  readonly library: string;
  /** The version that this policy is about. */
  readonly version: string;
  readonly evidence: 'ran' | 'read';
  readonly success: readonly AnswerRange[];
  readonly dropped: readonly AnswerRange[];
  readonly retried: readonly AnswerRange[];
  /** What the client makes of a 200 whose body is empty or not JSON. */
  readonly unreadable: 'success' | 'dropped' | 'retried';
  /** How often the client tries a message that never succeeds; null when it keeps the message for later. */
  readonly tries: { readonly min: number; readonly max: number } | null;
  /**
   * The wait before retry n (from 1): between low and high x `min(capMs, baseMs x factor^(n-1))`; null when nothing
   * is said.
   */
  readonly waits: {
    readonly baseMs: number;
    readonly factor: number;
    readonly capMs: number;
    readonly low: number;
    readonly high: number;
  } | null;
  /** Null when the client ignores the header. `counted`: such a retry counts as one of `tries`. */
  readonly retryAfter: {
    readonly forms: readonly ('seconds' | 'date')[];
    readonly minSeconds: number;
    readonly maxSeconds: number;
    readonly counted: boolean;
    /** Honoured only with this status; null for every status that is retried. */
    readonly only: number | null;
  } | null;
  readonly sendsRetryCount: boolean;
  /** How long the client waits for an answer; null when that is for ever or not known. */
  readonly timeoutMs: number | null;
  /** What the columns cannot say. */
  readonly note?: string;
  /** Other clients that use this name. */
  readonly caution?: string;
}

const tries = (min: number, max = min) => ({ min, max });
const waits = (baseMs: number, factor: number, capMs: number, low: number, high: number) => ({
  baseMs,
  factor,
  capMs,
  low,
  high,
});
const IGNORED = { retryAfter: null, sendsRetryCount: false } as const;
const GO = {
  library: 'analytics-go',
  evidence: 'ran',
  dropped: [],
  unreadable: 'success',
  tries: tries(10),
  waits: waits(100, 2, 10_000, 1, 1),
  ...IGNORED,
} as const;
const AXIOS = {
  evidence: 'ran',
  success: ['2xx'],
  dropped: ['3xx', '4xx'],
  retried: ['429', '5xx', 'network'],
  unreadable: 'success',
  tries: tries(4),
  waits: waits(200, 2, 60_000, 1, 1.2),
  sendsRetryCount: false,
} as const;
const TAPI_RETRIED = ['408', '410', '429', '460', '5xx', 'network'] as const;
const TAPI_DROPPED = ['4xx', '501', '505', '511'] as const;
const NEXT_FLUSH = {
  evidence: 'read',
  unreadable: 'success',
  tries: null,
  waits: null,
  ...IGNORED,
  note: 'Keeps the batch on disk until its next flush (30 s or 20 events).',
} as const;

export const POLICIES: readonly Policy[] = [
  {
    ...GO,
    name: 'analytics-go 2.1.1',
    version: '2.1.1',
    success: ['2xx', '3xx'],
    retried: ['4xx', '5xx', 'network'],
    timeoutMs: null,
  },
  {
    ...GO,
    name: 'analytics-go 2.0.0',
    version: '2.0.0',
    success: ['2xx', '3xx'],
    dropped: ['4xx', '5xx', 'network'],
    retried: [],
    tries: tries(1),
    waits: null,
    timeoutMs: null,
  },
  {
    ...GO,
    name: 'analytics-go 3.3.0',
    version: '3.3.0',
    success: ['2xx'],
    retried: ['3xx', '4xx', '5xx', 'network'],
    timeoutMs: 10_000,
  },
  {
    name: 'analytics-node 3.1.0',
    library: '@segment/analytics-node',
    version: '3.1.0',
    evidence: 'ran',
    success: ['2xx', '3xx'],
    dropped: TAPI_DROPPED,
    retried: TAPI_RETRIED,
    unreadable: 'success',
    tries: tries(11),
    waits: waits(1_000, 2, 60_000, 1, 2),
    retryAfter: { forms: ['seconds'], minSeconds: 1, maxSeconds: 300, counted: false, only: 429 },
    sendsRetryCount: true,
    timeoutMs: 10_000,
    note: 'A 200 to another of its batches ends the wait after a 429 at once.',
  },
  {
    name: 'analytics-node 2.2.1',
    library: '@segment/analytics-node',
    version: '2.2.1',
    evidence: 'ran',
    success: ['2xx'],
    dropped: ['400'],
    retried: ['3xx', '4xx', '5xx', 'network'],
    unreadable: 'success',
    tries: tries(4),
    waits: waits(50, 2, 1_000, 1, 2),
    ...IGNORED,
    timeoutMs: 10_000,
    note: 'Reads X-RateLimit-Reset in place of Retry-After.',
  },
  {
    ...AXIOS,
    name: 'analytics-node 6.2.0 (legacy)',
    library: 'analytics-node',
    version: '6.2.0',
    retryAfter: null,
    timeoutMs: null,
  },
  {
    ...AXIOS,
    name: 'rudder-sdk-node 3.0.13',
    library: '@rudderstack/rudder-sdk-node',
    version: '3.0.13',
    retryAfter: { forms: ['seconds', 'date'], minSeconds: 0, maxSeconds: 86_400, counted: true, only: null },
    timeoutMs: null,
  },
  {
    name: 'analytics-next 1.84.3',
    library: 'analytics.js',
    version: '1.84.3',
    evidence: 'ran',
    success: ['2xx', '3xx'],
    dropped: TAPI_DROPPED,
    retried: TAPI_RETRIED,
    unreadable: 'success',
    tries: tries(10, 11),
    waits: null,
    retryAfter: { forms: ['seconds'], minSeconds: 0, maxSeconds: 300, counted: true, only: null },
    sendsRetryCount: true,
    timeoutMs: null,
    note: 'Waits measured: 0.3, 1.1, 3.8 s, doubling. Reads Retry-After only where CORS exposes it.',
  },
  {
    name: 'analytics-next 1.70.0',
    library: 'analytics.js',
    version: '1.70.0',
    evidence: 'ran',
    success: ['2xx', '3xx', '4xx', '5xx'],
    dropped: [],
    retried: ['network'],
    unreadable: 'success',
    tries: tries(10, 11),
    waits: null,
    ...IGNORED,
    timeoutMs: null,
  },
  {
    name: 'analytics-python 2.3.4',
    library: 'analytics-python',
    version: '2.3.4',
    evidence: 'ran',
    success: ['200'],
    dropped: ['4xx'],
    retried: ['201-299', '3xx', '429', '5xx', 'network'],
    unreadable: 'success',
    tries: tries(11),
    waits: waits(1_000, 2, 600_000, 0, 1),
    ...IGNORED,
    timeoutMs: 15_000,
    caution:
      "RudderStack's Python library names itself analytics-python too and is not told apart; no policy of it is known.",
  },
  {
    name: 'analytics-ruby 2.5.0',
    library: 'analytics-ruby',
    version: '2.5.0',
    evidence: 'ran',
    success: ['200'],
    dropped: ['201-299', '3xx', '4xx'],
    retried: ['429', '5xx', 'network'],
    unreadable: 'retried',
    tries: tries(10),
    waits: waits(100, 1.5, 10_000, 0.5, 1.5),
    ...IGNORED,
    timeoutMs: 8_000,
  },
  {
    name: 'analytics-php 3.8.2 (LibCurl)',
    library: 'analytics-php',
    version: '3.8.2',
    evidence: 'ran',
    success: ['200'],
    dropped: ['4xx', 'network'],
    retried: ['429', '5xx', '201-299', '3xx'],
    unreadable: 'success',
    tries: tries(7),
    waits: waits(100, 2, 6_400, 1, 1),
    ...IGNORED,
    timeoutMs: null,
    note: 'Any other 2xx and any 3xx are sent again without a wait, for ever.',
  },
  {
    name: 'analytics-java 3.5.5',
    library: 'analytics-java',
    version: '3.5.5',
    evidence: 'read',
    success: ['2xx'],
    dropped: TAPI_DROPPED,
    retried: TAPI_RETRIED,
    unreadable: 'retried',
    tries: tries(10, 11),
    waits: waits(500, 2, 60_000, 0.5, 2),
    retryAfter: { forms: ['seconds', 'date'], minSeconds: 0, maxSeconds: 300, counted: true, only: null },
    sendsRetryCount: false,
    timeoutMs: null,
  },
  {
    ...NEXT_FLUSH,
    name: 'analytics-swift 1.10.0',
    library: 'analytics-swift',
    version: '1.10.0',
    success: ['2xx'],
    dropped: ['400'],
    retried: ['3xx', '4xx', '5xx', 'network'],
    timeoutMs: 60_000,
  },
  {
    ...NEXT_FLUSH,
    name: 'analytics-kotlin 1.25.0',
    library: 'analytics-kotlin',
    version: '1.25.0',
    success: ['2xx'],
    dropped: ['4xx'],
    retried: ['3xx', '429', '5xx', 'network'],
    timeoutMs: 20_000,
  },
  {
    name: 'analytics-react-native 2.21.4',
    library: '@segment/analytics-react-native',
    version: '2.21.4',
    evidence: 'read',
    success: ['2xx'],
    dropped: ['3xx', '4xx', '501', '505'],
    retried: ['408', '410', '429', '460', '5xx', 'network'],
    unreadable: 'success',
    tries: null,
    waits: waits(500, 2, 300_000, 0.5, 2),
    retryAfter: { forms: ['seconds'], minSeconds: 0, maxSeconds: 86_400, counted: true, only: null },
    sendsRetryCount: false,
    timeoutMs: null,
    note: 'Waits 60 s after a 429 without Retry-After.',
  },
];
