/**
 * Builds, signs and sends one attempt, and decides which parts of its result are kept. Rounds and replays both use it.
 */
import type { AttemptResult } from '../model/attempt.ts';
import type { Header } from '../model/header.ts';
import type { DeliveryRules } from '../model/rules.ts';
import { signatureOf, standardSignatureOf } from '../model/signature.ts';
import { keepSentHeaders, type StaticHeader } from '../model/static-headers.ts';
import type { StoredResult } from '../model/stored.ts';
import type { SentAttempt } from '../model/wire-place.ts';
import type { AttemptRequest, Clock, Transport, WireRequest } from '../ports.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/** The limit of browsers and fetch. */
const MAX_REDIRECTS = 20;

/** An attempt ends by its time limit at the latest. A stop waits this much longer. */
export const AFTER_LIMIT_MS = 1_000;

/** An attempt whose row was written but which was no longer wanted. No connection was opened. */
export const NOT_SENT: AttemptResult = {
  outcome: 'interrupted',
  reason: null,
  detail: null,
  status: null,
  statusText: '',
  requestHeaders: [],
  responseHeaders: [],
  responseBody: new Uint8Array(),
  responseBytes: 0,
  responseCut: false,
  phases: {
    queueMs: null,
    dnsMs: null,
    tcpMs: null,
    tlsMs: null,
    certificateMs: null,
    sendMs: null,
    waitMs: null,
    readMs: null,
  },
  durationMs: 0,
  certificate: null,
};

export interface SenderSettings {
  /** The shared secret. Null when none is configured, undefined when there is one that cannot be read. */
  secret(): string | null | undefined;
  rules(): Pick<DeliveryRules, 'timeoutMs' | 'userAgent' | 'signature' | 'redirects'>;
  /** Called when a request of an attempt goes to the wire. */
  onWire?(attempt: SentAttempt, request: WireRequest): void;
}

/** What the headers of one delivery are made from. */
export interface DeliveryHead {
  readonly wire: Uint8Array;
  /** Row id of the message. It is the same in every attempt and replay. */
  readonly messageRow: number;
  readonly secret: string | null;
  /** Seconds since 1970. */
  readonly atSeconds: number;
  readonly statics: readonly StaticHeader[];
  readonly rules: Pick<DeliveryRules, 'userAgent' | 'signature'>;
}

/** Headers of a delivery (delivery specification, section 2.3): ours, the signature over exactly these bytes, then the static ones. */
export function deliveryHeaders(head: DeliveryHead): Header[] {
  const headers: Header[] = [
    ['User-Agent', head.rules.userAgent],
    ['Content-Type', 'application/json'],
    ...(head.rules.signature === 'x-signature' ? xSignature(head) : standardWebhooks(head)),
  ];
  if (head.statics.length === 0) return headers;
  const ours = new Set(headers.map(([name]) => name.toLowerCase()));
  for (const [name, value] of head.statics) if (!ours.has(name.toLowerCase())) headers.push([name, value]);
  return headers;
}

const xSignature = ({ secret, wire }: DeliveryHead): Header[] =>
  secret === null ? [] : [['X-Signature', signatureOf(secret, wire)]];

function standardWebhooks({ secret, wire, messageRow, atSeconds }: DeliveryHead): Header[] {
  const id = `msg_${messageRow}`;
  const headers: Header[] = [
    ['webhook-id', id],
    ['webhook-timestamp', String(atSeconds)],
  ];
  if (secret !== null) headers.push(['webhook-signature', standardSignatureOf(secret, id, atSeconds, wire)]);
  return headers;
}

export class Sender {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #settings: SenderSettings;
  #open = 0;
  #closed = false;
  #idle: () => void = () => {};

  constructor(transport: Transport, clock: Clock, settings: SenderSettings) {
    this.#transport = transport;
    this.#clock = clock;
    this.#settings = settings;
  }

  /** The headers that Hookbench itself would send with these bytes now. */
  ownHeaders(wire: Uint8Array, messageRow: number, signed: boolean): Header[] {
    const secret = signed ? (this.#settings.secret() ?? null) : null;
    const atSeconds = Math.floor(this.#clock.wall() / 1000);
    return deliveryHeaders({ wire, messageRow, secret, atSeconds, statics: [], rules: this.#settings.rules() });
  }

  /** Attempts on the wire. */
  get open(): number {
    return this.#open;
  }

  /** Sends nothing more. Resolves when no attempt is on the wire. */
  close(): Promise<void> {
    this.#closed = true;
    return new Promise((resolve) => {
      this.#idle = resolve;
      if (this.#open === 0) resolve();
    });
  }

  /**
   * Never rejects. When the secret cannot be read, sends nothing rather than an unsigned body (decisions, Delivered
   * body). Only a person can ask for an unsigned one.
   */
  async send(
    webhook: DeliveryWebhook,
    wire: Uint8Array,
    messageRow: number,
    { signed = true, attempt }: { readonly signed?: boolean; readonly attempt?: number } = {},
  ): Promise<AttemptResult> {
    const secret = signed ? this.#settings.secret() : null;
    if (secret === undefined || this.#closed) return NOT_SENT;
    this.#open += 1;
    try {
      return await this.#post(webhook, wire, { messageRow, secret, attempt });
    } finally {
      this.#open -= 1;
      if (this.#open === 0) this.#idle();
    }
  }

  #post(
    webhook: DeliveryWebhook,
    wire: Uint8Array,
    { messageRow, secret, attempt }: Pick<DeliveryHead, 'messageRow' | 'secret'> & { attempt: number | undefined },
  ): Promise<AttemptResult> {
    const rules = this.#settings.rules();
    const atSeconds = Math.floor(this.#clock.wall() / 1000);
    return this.#transport.send({
      url: webhook.url,
      headers: deliveryHeaders({ wire, messageRow, secret, atSeconds, statics: webhook.headers, rules }),
      body: wire,
      limitMs: rules.timeoutMs,
      ...(attempt !== undefined && this.#onWire({ attempt, message: messageRow, limitMs: rules.timeoutMs })),
      ...(rules.redirects === 'follow' && { maxRedirects: MAX_REDIRECTS }),
    });
  }

  #onWire(attempt: SentAttempt): Pick<AttemptRequest, 'onWire'> {
    const settings = this.#settings;
    return settings.onWire === undefined ? {} : { onWire: (request) => settings.onWire?.(attempt, request) };
  }
}

/** Times are measured to a thousandth of a millisecond. */
const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 1000) / 1000);

/**
 * A result as it is stored beside the columns. `statics` are the static headers of the attempt; their values are
 * secrets.
 */
export function toStored(
  result: AttemptResult,
  queueMs: number | null,
  statics: readonly StaticHeader[],
): StoredResult {
  const { reason, detail, statusText, responseHeaders, responseBytes, responseCut, certificate } = result;
  const { dnsMs, tcpMs, tlsMs, certificateMs, sendMs, waitMs, readMs } = result.phases;
  // Not by `map`, whose result V8 converts as soon as a null follows a number: 0.5 % of the engine's thread under load.
  const phases = [
    rounded(queueMs),
    rounded(dnsMs),
    rounded(tcpMs),
    rounded(tlsMs),
    rounded(certificateMs),
    rounded(sendMs),
    rounded(waitMs),
    rounded(readMs),
  ];
  const requestHeaders = keepSentHeaders(result.requestHeaders, statics);
  return {
    reason,
    detail,
    statusText,
    phases,
    requestHeaders,
    responseHeaders,
    responseBytes,
    responseCut,
    certificate,
  };
}
