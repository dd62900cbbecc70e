/**
 * The receivers, the position in each sequence, and the requests that they got. It knows no sockets: a whole request
 * goes in, and what to answer comes out.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../ports.ts';
import { type Hit, HitLog, type LogSummary, type Outcome } from './hit-log.ts';
import { hitName } from './hit-name.ts';
import { type Position, positionOf, type Receiver, type Response, type Step, sameProgram } from './program.ts';
import { type Checked, checkSignature } from './signature-check.ts';

/** A body longer than this is answered 413. */
export const MAX_BODY_BYTES = 1024 * 1024;

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  /** The value of X-Signature; Node joins several with commas. */
  readonly signature: string | undefined;
  readonly body: Buffer;
  /** How many bytes arrived: more than `body` has if it was too long. */
  readonly bodyBytes: number;
  /** Its place on the wire, made by `wireKey`. */
  readonly wire?: string;
}

export interface Taken {
  readonly hit: Hit;
  readonly answer: Step;
}

export interface ReceiverState extends LogSummary {
  readonly id: string;
  readonly position: Position;
}

const fixed = (status: number, code: string, message: string): Step => ({
  times: 1,
  delayMs: 0,
  response: {
    kind: 'status',
    status,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    body: JSON.stringify({ error: code, message }),
  },
});
const REJECTED = fixed(401, 'bad_signature', 'X-Signature is not the digest of this body with the shared secret.');
const TOO_LARGE = fixed(413, 'body_too_large', 'A receiver takes bodies up to 1 MiB.');

export class ReceiverSet {
  readonly #clock: Clock;
  readonly log: HitLog;
  /** Differs from every shared secret that a person could have set. */
  readonly #wrongSecret = randomBytes(32).toString('hex');
  readonly #receivers = new Map<string, Receiver>();
  /** How many requests the sequence has answered. */
  readonly #served = new Map<string, number>();
  #secret: string | null = null;

  constructor(clock: Clock, log: HitLog = new HitLog()) {
    this.#clock = clock;
    this.log = log;
  }

  /** Replaces the whole set. A sequence restarts when its steps changed, and a removed receiver loses its log. */
  configure(receivers: readonly Receiver[]): void {
    const wanted = new Set(receivers.map(({ id }) => id));
    for (const id of [...this.#receivers.keys()]) if (!wanted.has(id)) this.#forget(id);
    for (const receiver of receivers) {
      const before = this.#receivers.get(receiver.id);
      if (before === undefined || !sameProgram(before, receiver)) this.#served.set(receiver.id, 0);
      this.#receivers.set(receiver.id, receiver);
    }
  }

  #forget(id: string): void {
    this.#receivers.delete(id);
    this.#served.delete(id);
    this.log.clear(id);
  }

  /** Null when the destination has no secret. */
  setSecret(secret: string | null): void {
    this.#secret = secret;
  }

  get(id: string): Receiver | undefined {
    return this.#receivers.get(id);
  }

  get ids(): string[] {
    return [...this.#receivers.keys()];
  }

  restart(id: string): void {
    if (this.#receivers.has(id)) this.#served.set(id, 0);
  }

  state(id: string): ReceiverState {
    const receiver = this.#receivers.get(id)!;
    return { id, position: positionOf(receiver.steps, this.#served.get(id) ?? 0), ...this.log.summary(id) };
  }

  /** Logs a request and says how to answer it. A refused request does not move the sequence on. */
  take(receiver: Receiver, request: ReceivedRequest): Taken {
    const tooLarge = request.bodyBytes > MAX_BODY_BYTES;
    const checked = receiver.check.on && !tooLarge ? this.#check(receiver, request) : null;
    const { step, answer } = tooLarge
      ? { step: TOO_LARGE, answer: 'limit' as const }
      : this.#isTurnedAway(receiver, checked)
        ? { step: REJECTED, answer: 'signature' as const }
        : this.#nextStep(receiver);
    const hit = this.log.add(
      {
        receiver: receiver.id,
        at: this.#clock.wall(),
        method: request.method,
        path: request.path,
        ...(tooLarge ? { type: null, name: '' } : hitName(request.body)),
        status: plannedStatus(step.response),
        answer,
        verdict: checked?.verdict ?? null,
        reserialises: checked?.reserialises ?? null,
        bodyBytes: request.bodyBytes,
        durationMs: null,
        gone: false,
      },
      request.rawHeaders,
      request.body,
      request.wire,
    );
    return { hit, answer: step };
  }

  #check({ check }: Receiver, { signature, body }: ReceivedRequest): Checked {
    return checkSignature(check.secret === 'wrong' ? this.#wrongSecret : this.#secret, signature, body);
  }

  #isTurnedAway({ check }: Receiver, checked: Checked | null): boolean {
    if (checked === null || check.onMismatch === 'mark') return false;
    return checked.verdict === 'mismatch' || checked.verdict === 'unsigned';
  }

  #nextStep(receiver: Receiver): { step: Step; answer: Outcome['answer'] } {
    const n = this.#served.get(receiver.id) ?? 0;
    this.#served.set(receiver.id, n + 1);
    const step = receiver.steps[positionOf(receiver.steps, n).step]!;
    return { step, answer: step.response.kind };
  }
}

/** The status that the answer will have, or null when its status line and headers are never complete. */
export function plannedStatus(response: Response): number | null {
  switch (response.kind) {
    case 'status':
    case 'redirect':
    case 'endless':
      return response.status;
    case 'throttle':
      return 429;
    case 'huge_headers':
      return 200;
    case 'drip':
      return response.part === 'body' ? response.status : null;
    case 'reset_during':
      return response.part === 'body' ? 200 : null;
    case 'hang':
    case 'reset':
    case 'close':
    case 'invalid_http':
      return null;
  }
}
