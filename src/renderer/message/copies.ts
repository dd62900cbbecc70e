/** What the copy keys and buttons of a message copy. Pure. */

import type { CurlRequest } from '../../contract/curl.ts';
import { type CurlShell, curlFor } from '../../contract/curl-file.ts';
import type { DestinationView, HeaderView, MessageDetail, WebhookView } from '../../contract/values.ts';
import { ownAttempts } from './attempts.ts';

/** The two sides of the Payload tab. */
export type Side = 'received' | 'delivered';

/** The exact bytes of a side as text, or null when there are none. */
export const bodyOf = (detail: MessageDetail, side: Side): string | null =>
  side === 'received' ? detail.callJson : detail.deliveredJson;

const TYPED = new Set(['identify', 'track', 'page', 'screen', 'group', 'alias']);

/** Sends the call to Hookbench again, as a client would. */
function ingestRequest(detail: MessageDetail, port: number): CurlRequest | null {
  if (detail.callJson === null) return null;
  const { type } = detail.message;
  const single = TYPED.has(type);
  return {
    url: `http://localhost:${port}/v1/${single ? type : 'batch'}`,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    body: single ? detail.callJson : `{"batch":[${detail.callJson}]}`,
    ...(detail.request?.writeKey != null && { user: detail.request.writeKey }),
  };
}

/** Headers of a delivery to a webhook that was not tried yet, as the engine writes them (decisions, Delivery). */
function plannedHeaders(detail: MessageDetail, webhook: WebhookView): HeaderView[] {
  return [
    { name: 'User-Agent', value: 'Hookbench/1.0' },
    { name: 'Content-Type', value: 'application/json' },
    ...(detail.signature === null ? [] : [{ name: 'X-Signature', value: detail.signature }]),
    ...webhook.headers,
  ];
}

/** Delivers the bytes as the newest attempt did, or to the first enabled webhook when there was no attempt. */
function deliveryRequest(detail: MessageDetail, webhooks: readonly WebhookView[]): CurlRequest | null {
  const body = detail.deliveredJson;
  if (body === null) return null;
  const sent = ownAttempts(detail.attempts).filter((attempt) => attempt.requestHeaders.length > 0);
  const last = sent.at(-1);
  if (last !== undefined) return { url: last.url, headers: last.requestHeaders, body };
  const webhook = webhooks.find((one) => one.enabled) ?? webhooks[0];
  return webhook === undefined ? null : { url: webhook.url, headers: plannedHeaders(detail, webhook), body };
}

/** The request of a side, or null when there is nothing to send or nowhere to send it. */
export const requestOf = (
  detail: MessageDetail,
  side: Side,
  webhooks: readonly WebhookView[],
  port: number,
): CurlRequest | null => (side === 'received' ? ingestRequest(detail, port) : deliveryRequest(detail, webhooks));

/** The curl command of a side. */
export function curlOf(
  detail: MessageDetail,
  side: Side,
  webhooks: readonly WebhookView[],
  port: number,
  shell: CurlShell = 'sh',
): string | null {
  const request = requestOf(detail, side, webhooks, port);
  return request === null ? null : curlFor(shell, request);
}

/** The command that delivers the message, or sends the call in again when it has no delivered body. */
export const curlOfMessage = (
  detail: MessageDetail,
  webhooks: readonly WebhookView[],
  port: number,
  shell: CurlShell,
): string | null =>
  curlOf(detail, bodyOf(detail, 'delivered') === null ? 'received' : 'delivered', webhooks, port, shell);

/** The text of the signature block when there is no digest. */
export const unsignedText = (secret: DestinationView['secret']): string =>
  secret.state === 'unreadable'
    ? 'The shared secret cannot be read, so delivery is paused. Set it again in Webhooks.'
    : 'Requests are not signed. Add a shared secret to send X-Signature.';
