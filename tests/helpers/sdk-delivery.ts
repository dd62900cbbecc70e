/** What a receiver checks of a delivery, by the delivery specification: headers, digest, body. */
import { createHmac } from 'node:crypto';
import type { ReceivedRequest } from './receivers.ts';

const hmac = (secret: string, bytes: Uint8Array | string): string =>
  createHmac('sha1', secret).update(bytes).digest('hex');

export interface CheckedDelivery {
  readonly body: Record<string, unknown>;
  /** Names and values as received, without those of any connection: Host, Connection, Content-Length. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const CONNECTION = new Set(['host', 'connection', 'content-length']);

/**
 * Parses one delivery. Throws unless X-Signature is the digest of the bytes as received, and of the body parsed
 * and stringified again (delivery specification, section 5, rules 3 and 4).
 */
export function checkedDelivery(request: ReceivedRequest, secret: string): CheckedDelivery {
  const given = request.headers['x-signature'];
  const overBytes = hmac(secret, request.body);
  const body = JSON.parse(request.body.toString('utf8')) as Record<string, unknown>;
  const overParsed = hmac(secret, JSON.stringify(body));
  if (given !== overBytes) throw new Error(`X-Signature is ${String(given)}, over the bytes it is ${overBytes}`);
  if (given !== overParsed)
    throw new Error(`X-Signature is ${String(given)}, over the parsed body it is ${overParsed}`);
  if (request.headers['content-length'] !== String(request.body.length)) throw new Error('Content-Length is wrong');
  const headers: [string, string][] = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at]!;
    if (!CONNECTION.has(name.toLowerCase())) headers.push([name, request.rawHeaders[at + 1]!]);
  }
  return { body, headers };
}

export const signatureOver = hmac;
