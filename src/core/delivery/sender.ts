/** Makes, signs and sends one attempt, and says what of its result is kept. Used by rounds and replays alike. */
import type { AttemptResult } from '../model/attempt.ts';
import type { Header } from '../model/header.ts';
import { signatureOf } from '../model/signature.ts';
import { keepHeaders } from '../model/static-headers.ts';
import type { Transport } from '../ports.ts';
import type { StoredResult } from '../store/deliveries.ts';
import type { DeliveryWebhook } from './webhooks.ts';

export const USER_AGENT = 'Hookbench/1.0';

/** An attempt whose row was written but that was not wanted any more: no connection was asked for. */
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
  /** The shared secret, null when none is configured, undefined when there is one that cannot be read. */
  secret(): string | null | undefined;
  /** Real milliseconds for one attempt. */
  timeoutMs(): number;
}

/** Headers of a delivery (delivery specification, section 2.3): ours, the signature over exactly these bytes, then the static ones. */
export function deliveryHeaders(wire: Uint8Array, secret: string | null, statics: readonly Header[]): Header[] {
  const headers: Header[] = [
    ['User-Agent', USER_AGENT],
    ['Content-Type', 'application/json'],
  ];
  if (secret !== null) headers.push(['X-Signature', signatureOf(secret, wire)]);
  return [...headers, ...statics];
}

export class Sender {
  readonly #transport: Transport;
  readonly #settings: SenderSettings;

  constructor(transport: Transport, settings: SenderSettings) {
    this.#transport = transport;
    this.#settings = settings;
  }

  /** Never rejects. With a secret that cannot be read nothing is sent: never unsigned (decisions, Delivered body). */
  send(webhook: DeliveryWebhook, wire: Uint8Array): Promise<AttemptResult> {
    const secret = this.#settings.secret();
    if (secret === undefined) return Promise.resolve(NOT_SENT);
    return this.#transport.send({
      url: webhook.url,
      headers: deliveryHeaders(wire, secret, webhook.headers),
      body: wire,
      limitMs: this.#settings.timeoutMs(),
    });
  }
}

/** A thousandth of a millisecond is as fine as it is measured. */
const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 1000) / 1000);

/** A result as it is stored beside the columns. */
export function toStored(result: AttemptResult, queueMs: number | null): StoredResult {
  const { reason, detail, statusText, responseHeaders, responseBytes, responseCut, certificate } = result;
  const { dnsMs, tcpMs, tlsMs, certificateMs, sendMs, waitMs, readMs } = result.phases;
  const phases = [queueMs, dnsMs, tcpMs, tlsMs, certificateMs, sendMs, waitMs, readMs].map(rounded);
  const requestHeaders = keepHeaders(result.requestHeaders);
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
