/** Preset responses: the menu of a step, and the programs of new receivers. */
import type { ReceiverResponse, ReceiverStep, SignatureCheck } from '../../../contract/receivers.ts';

export const status = (code: number): ReceiverResponse => ({ kind: 'status', status: code, headers: [], body: '' });

export const CHECK: SignatureCheck = { on: true, onMismatch: 'reject', secret: 'shared' };

const THROTTLE: ReceiverResponse = { kind: 'throttle', retryAfter: '10' };
const REDIRECT: ReceiverResponse = { kind: 'redirect', status: 302, location: '/r/ok' };
const HANG: ReceiverResponse = { kind: 'hang', holdMs: 30_000 };
const RESET: ReceiverResponse = { kind: 'reset' };
const RESET_HEAD: ReceiverResponse = { kind: 'reset_during', part: 'head' };
const RESET_BODY: ReceiverResponse = { kind: 'reset_during', part: 'body' };
const CLOSE: ReceiverResponse = { kind: 'close' };
const DRIP_HEAD: ReceiverResponse = { kind: 'drip', part: 'head', status: 200, bytesPerSecond: 5 };
const DRIP_BODY: ReceiverResponse = { kind: 'drip', part: 'body', status: 200, bytesPerSecond: 5 };
const ENDLESS: ReceiverResponse = { kind: 'endless', status: 200 };
const HUGE: ReceiverResponse = { kind: 'huge_headers', bytes: 65_536 };
const INVALID: ReceiverResponse = { kind: 'invalid_http', variant: 'banner' };

/** Groups of the response menu. */
export const QUICK_RESPONSES: ReadonlyArray<readonly ReceiverResponse[]> = [
  [200, 202, 204, 400, 404, 410, 500, 503].map(status),
  [THROTTLE, REDIRECT],
  [HANG, RESET, RESET_HEAD, RESET_BODY, CLOSE, DRIP_HEAD, DRIP_BODY, ENDLESS, HUGE, INVALID],
];

export interface Preset {
  readonly name: string;
  readonly about: string;
  readonly steps: readonly ReceiverStep[];
  readonly tls?: boolean;
}

const always = (response: ReceiverResponse, delayMs = 0): ReceiverStep[] => [{ response, times: 1, delayMs }];

export const PRESETS: readonly Preset[] = [
  { name: 'Accepts', about: '200 to everything', steps: always(status(200)) },
  {
    name: 'Recovers',
    about: '503 five times, then 200 for ever',
    steps: [
      { response: status(503), times: 5, delayMs: 0 },
      { response: status(200), times: 'forever', delayMs: 0 },
    ],
  },
  { name: 'Throttles', about: '429 with Retry-After 10', steps: always(THROTTLE) },
  { name: 'Answers late', about: '200 after 6 s, past the limit', steps: always(status(200), 6_000) },
  { name: 'Resets', about: 'Reset before the answer', steps: always(RESET) },
  { name: 'Resets in the headers', about: 'Reset after half a header', steps: always(RESET_HEAD) },
  { name: 'Resets in the body', about: '200, then a reset', steps: always(RESET_BODY) },
  { name: 'Closes', about: 'Ends without an answer', steps: always(CLOSE) },
  { name: 'Drips headers', about: 'Headers that never end', steps: always(DRIP_HEAD) },
  { name: 'Drips the body', about: '200, then 5 bytes a second', steps: always(DRIP_BODY) },
  { name: 'Endless body', about: '200, then bytes without end', steps: always(ENDLESS) },
  { name: 'Large headers', about: '64 KB of headers', steps: always(HUGE) },
  { name: 'Not HTTP', about: 'An SSH banner', steps: always(INVALID) },
  { name: 'Self-signed', about: 'HTTPS with a certificate that nobody trusts', steps: always(status(200)), tls: true },
];
