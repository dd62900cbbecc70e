import { createHmac } from 'node:crypto';

/**
 * The value of X-Signature: lowercase hex HMAC-SHA1 of exactly the bytes sent, keyed with
 * the UTF-8 bytes of the shared secret (delivery specification, section 5).
 * The caller leaves the header out when there is no secret.
 */
export function signatureOf(secret: string, body: Uint8Array): string {
  return createHmac('sha1', secret).update(body).digest('hex');
}
