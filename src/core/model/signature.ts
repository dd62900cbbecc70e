import { createHmac } from 'node:crypto';

/**
 * The value of X-Signature: lowercase hex HMAC-SHA1 of exactly the bytes sent, keyed with the UTF-8 bytes of the shared
 * secret (delivery specification, section 5). The caller leaves the header out when there is no secret.
 */
export function signatureOf(secret: string, body: Uint8Array): string {
  return createHmac('sha1', secret).update(body).digest('hex');
}

/**
 * The value of webhook-signature as Standard Webhooks has it: `v1,` and the base64 HMAC-SHA256 of
 * `id.timestamp.body`. A secret that begins with `whsec_` is base64 after it; any other is taken as UTF-8.
 */
export function standardSignatureOf(secret: string, id: string, atSeconds: number, body: Uint8Array): string {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  return `v1,${createHmac('sha256', key).update(`${id}.${atSeconds}.`).update(body).digest('base64')}`;
}
