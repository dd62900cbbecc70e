/** The program of a receiver: its steps, and which of them answers a request. No I/O. */

export type InvalidAnswer = 'banner' | 'bad_status' | 'two_lengths' | 'bad_header';
export type AnswerPart = 'head' | 'body';

/** What one step answers (docs/receivers.md, Responses). */
export type Response =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>;
      readonly body: string;
    }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'hang'; readonly holdMs: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'reset_during'; readonly part: AnswerPart }
  | { readonly kind: 'close' }
  | { readonly kind: 'drip'; readonly part: AnswerPart; readonly status: number; readonly bytesPerSecond: number }
  | { readonly kind: 'endless'; readonly status: number }
  | { readonly kind: 'huge_headers'; readonly bytes: number }
  | { readonly kind: 'invalid_http'; readonly variant: InvalidAnswer }
  | { readonly kind: 'throttle'; readonly retryAfter: string };
export type ResponseKind = Response['kind'];

export interface Step<R = Response> {
  readonly response: R;
  /** How many requests the step answers, from 1; for ever means that no later step is reached. */
  readonly times: number | 'forever';
  /** Milliseconds between the end of the request and the answer. */
  readonly delayMs: number;
}

/** Both count from 0: `{step: 0, hit: 1}` is the second request that the first step answers. */
export interface Position {
  readonly step: number;
  readonly hit: number;
}

/**
 * Which step answers the request with the number `n`, counted from 0 since the sequence began. Steps run in order,
 * each as often as it says, and after the last one the sequence begins again. `[500 ×3, 200 ×1]` answers 500, 500,
 * 500,
 * 200, 500, … A step that runs for ever answers every later request. Throws a RangeError for no steps.
 */
export function positionOf(steps: ReadonlyArray<Pick<Step<unknown>, 'times'>>, n: number): Position {
  if (steps.length === 0) throw new RangeError('A program has at least one step.');
  let left = steps.some(({ times }) => times === 'forever') ? n : n % lengthOf(steps);
  for (const [step, { times }] of steps.entries()) {
    if (times === 'forever' || left < times) return { step, hit: left };
    left -= times;
  }
  throw new RangeError('Unreachable: the number is below the sequence.');
}

const lengthOf = (steps: ReadonlyArray<Pick<Step<unknown>, 'times'>>): number =>
  steps.reduce((sum, { times }) => sum + (times === 'forever' ? 0 : times), 0);

/** What a receiver checks of X-Signature. */
export interface Check {
  readonly on: boolean;
  /** `reject` replies 401, `mark` answers as programmed. */
  readonly onMismatch: 'reject' | 'mark';
  /** The secret of the Webhooks destination, or one that never matches. */
  readonly secret: 'shared' | 'wrong';
}

export interface Receiver {
  /** The last part of its path, `/r/<id>`. */
  readonly id: string;
  readonly name: string;
  /** Served over HTTPS with a self-signed certificate, and not over HTTP. */
  readonly tls: boolean;
  readonly steps: readonly Step[];
  readonly check: Check;
}

/** Whether two programs give the same answers in the same order. */
export const sameProgram = (a: Receiver, b: Receiver): boolean => JSON.stringify(a.steps) === JSON.stringify(b.steps);
