/** Histories that the real engine makes: what receivers answer, letter by letter, and a message after seven rounds. */
import type { Config } from '../../../src/contract/config.ts';
import { DEFAULT_RETRY } from '../../../src/core/model/vocabulary.ts';
import { type Behaviour, result } from '../../helpers/sim-transport.ts';
import type { Stage } from './mount.tsx';
import { hooks, KINDS, type Kind } from './scenes.ts';

/** Its Authorization header has 26 characters. */
export const KEY = 'wk_dev_7f3a9c';
export const SPEED = 60;

export const SOURCES: Config['sources'] = [
  { name: 'checkout-api', writeKey: KEY, kind: 'server', enabled: true, webhooks: true },
];
/** Rounds come 10 s, 20 s, 40 s … apart on the retry clock. */
export const RETRY = { ...DEFAULT_RETRY, jitter: 0 };
/** The fifth is off. */
export const WEBHOOKS: NonNullable<Config['webhooks']> = {
  entries: hooks.map(({ name, url, enabled }) => ({ name, url, enabled, headers: {} })),
  sharedSecret: 'a secret that ends in 12',
  retry: RETRY,
};
export const CONFIG: Config = { sources: SOURCES, webhooks: WEBHOOKS, clock: { speed: SPEED } };
/** One webhook only, the first. */
export const ONE_WEBHOOK: Config = { ...CONFIG, webhooks: { ...WEBHOOKS, entries: WEBHOOKS.entries!.slice(0, 1) } };

export const ORDER = {
  messageId: '9d41a0d4-6b1e-4c57-9a3d-2f0be8c407aa',
  event: 'Order Completed',
  userId: 'usr_8f21',
  properties: { orderId: 'A-10482', total: 184.5, currency: 'EUR' },
};

export const PHASES = {
  queueMs: 2.1,
  dnsMs: 2.8,
  tcpMs: 6.4,
  tlsMs: 21,
  certificateMs: 0.6,
  sendMs: 0.4,
  waitMs: 142.2,
  readMs: 2.7,
};

interface Answers extends Partial<ReturnType<typeof result>> {
  readonly body?: string;
  /** 0 when left out, whatever the duration that the result tells. */
  readonly afterMs?: number;
}

/** One letter a request, the last one for ever. An `s` never answers. */
export function answers(
  letters: string,
  { body = '{"message":"hello"}', afterMs = 0, ...over }: Answers = {},
): Behaviour {
  let sent = 0;
  return ({ headers }) => {
    const letter = letters[Math.min(sent, letters.length - 1)] as Kind;
    sent += 1;
    const {
      outcome,
      reason = null,
      detail = null,
      status = null,
      statusText = '',
      durationMs,
      certificate,
    } = KINDS[letter];
    if (outcome == null) return null;
    return {
      afterMs,
      result: result(outcome, {
        reason: reason as ReturnType<typeof result>['reason'],
        detail,
        status,
        statusText: statusText ?? '',
        durationMs: durationMs ?? 0,
        certificate: certificate ?? null,
        requestHeaders: letter === 'r' || letter === 'n' ? [] : headers,
        responseHeaders: status === null ? [] : [['Content-Type', 'application/json']],
        ...(status !== null && { responseBody: Buffer.from(body), responseBytes: body.length }),
        phases: PHASES,
        ...over,
      }),
    };
  };
}

/** What each webhook answers from now on, as {@link answers} in the order of their slots. */
export function answering({ engine }: Stage, ...letters: string[]): void {
  letters.forEach((one, slot) => void engine.transport.on(hooks[slot]!.url, answers(one)));
}

/** Offset of the seventh round, in seconds of the retry clock. */
const SEVENTH_S = 10 + 20 + 40 + 80 + 160 + 320;

/** A message that waits for its eighth round. */
export async function retrying(stage: Stage, call: object = ORDER): Promise<void> {
  answering(stage, 'f', 'nnnnt', '5', 'r');
  await stage.post(call);
  await stage.skip((SEVENTH_S * 1_000) / SPEED);
}
