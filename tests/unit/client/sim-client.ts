/** A client on a simulated clock, and a server in memory that answers as it is told. */
import {
  Client,
  type ClientOptions,
  type FetchAnswer,
  type FetchInit,
  type LossError,
} from '../../../src/client/index.ts';
import { countingIds, SimTime } from '../../helpers/sim-ports.ts';

export interface SimRequest {
  /** Milliseconds since the client was made. */
  readonly at: number;
  readonly url: string;
  readonly init: FetchInit;
  readonly bytes: number;
  readonly body: { readonly batch: readonly SimMessage[]; readonly messageId: string; readonly sentAt: string };
  /** From 1, of those with this envelope messageId. */
  readonly tries: number;
}

export interface SimMessage {
  readonly type: string;
  readonly messageId: string;
  readonly timestamp: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** `network` fails like a refused connection, `hang` never ends and heeds no signal. */
export type SimAnswer =
  | 'network'
  | 'hang'
  | { readonly status: number; readonly retryAfter?: string; readonly afterMs?: number; readonly body?: string };

export interface SimClient {
  readonly client: Client;
  readonly time: SimTime;
  readonly requests: readonly SimRequest[];
  readonly losses: readonly LossError[];
  readonly log: readonly string[];
  setAnswer(answer: (request: SimRequest) => SimAnswer): void;
}

const OK: SimAnswer = { status: 200, body: '{"success":true}' };

function streamOf(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

const answerOf = (status: number, retryAfter: string | undefined, body: string): FetchAnswer => ({
  status,
  headers: { get: (name) => (name === 'retry-after' ? (retryAfter ?? null) : null) },
  body: streamOf(body),
});

export function simClient(options: ClientOptions = {}): SimClient {
  const time = new SimTime();
  const requests: SimRequest[] = [];
  const losses: LossError[] = [];
  const log: string[] = [];
  let answer: (request: SimRequest) => SimAnswer = () => OK;
  const fetch = (url: string, init: FetchInit): Promise<FetchAnswer> => {
    const body = JSON.parse(init.body) as SimRequest['body'];
    const tries = requests.filter((other) => other.body.messageId === body.messageId).length + 1;
    const bytes = new TextEncoder().encode(init.body).length;
    const request = { at: time.mono(), url, init, bytes, body, tries };
    requests.push(request);
    const chosen = answer(request);
    if (chosen === 'network') return Promise.reject(new TypeError('fetch failed'));
    if (chosen === 'hang') return new Promise(() => {});
    const { status, retryAfter, afterMs = 0, body: text = '' } = chosen;
    if (afterMs === 0) return Promise.resolve(answerOf(status, retryAfter, text));
    return new Promise((resolve) => {
      time.after(afterMs, () => resolve(answerOf(status, retryAfter, text)));
    });
  };
  const client = new Client('wk', {
    clock: time,
    timers: time,
    ids: countingIds(),
    fetch,
    logger: (level, text) => log.push(`${level} ${text}`),
    onError: (loss) => losses.push(loss),
    ...options,
  });
  return {
    client,
    time,
    requests,
    losses,
    log,
    setAnswer: (next) => {
      answer = next;
    },
  };
}

/** The `n` of every message that arrived, in order of arrival. */
export const numbersOf = (requests: readonly SimRequest[]): unknown[] =>
  requests.flatMap(({ body }) => body.batch.map(({ properties }) => properties?.n));

/** A track call that carries a number. */
export const numbered = (n: number, over: object = {}) => ({ userId: 'u', event: 'E', properties: { n, ...over } });
