/** Makes, signs and sends one attempt, and says what of its result is kept. Used by rounds and replays alike. */
import type { AttemptResult } from '../model/attempt.ts';
import type { Header } from '../model/header.ts';
import { signatureOf } from '../model/signature.ts';
import { isSecretHeader } from '../model/static-headers.ts';
import type { Transport } from '../ports.ts';
import type { StoredResult } from '../store/deliveries.ts';
import type { DeliveryWebhook } from './webhooks.ts';

export const USER_AGENT = 'Hookbench/1.0';

export interface SenderSettings {
  /** The shared secret, or null when none is configured. Never called while the secret is unreadable. */
  secret(): string | null;
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

  send(webhook: DeliveryWebhook, wire: Uint8Array): Promise<AttemptResult> {
    return this.#transport.send({
      url: webhook.url,
      headers: deliveryHeaders(wire, this.#settings.secret(), webhook.headers),
      body: wire,
      limitMs: this.#settings.timeoutMs(),
    });
  }
}

/** Values of secret headers are kept as a length only, so that no store, list or export holds them. */
export function hideSecrets(
  headers: readonly Header[],
): Array<{ name: string; value: string } | { name: string; hiddenLength: number }> {
  return headers.map(([name, value]) =>
    isSecretHeader(name) ? { name, hiddenLength: value.length } : { name, value },
  );
}

/** A result as it is stored beside the columns. */
export function toStored(result: AttemptResult, queueMs: number | null): StoredResult {
  const { outcome: _o, status: _s, durationMs: _d, responseBody: _b, requestHeaders, ...rest } = result;
  return { ...rest, phases: { ...result.phases, queueMs }, requestHeaders: hideSecrets(requestHeaders) };
}
