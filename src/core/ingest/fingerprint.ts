/** A fingerprint that two tries of one refused request share, and that two different requests do not. */
import { createHash } from 'node:crypto';
import type { NewRequest } from '../model/records.ts';

type Parts = Omit<NewRequest, 'receivedAt' | 'headers' | 'body' | 'fingerprint'>;

/**
 * `body` is the whole body, or the first bytes of one that was too long to read. Headers are left out, because SDKs
 * count their tries in them. Null for a request that was not refused: no client sends that again.
 */
export function fingerprintOf(request: Parts, body: Uint8Array): Uint8Array | null {
  if (request.status < 400) return null;
  const { method, path, encoding, decodedBytes, writeKey, sourceId, status, code } = request;
  return createHash('sha256')
    .update(JSON.stringify([method, path, encoding, decodedBytes, writeKey, sourceId, status, code]))
    .update(body)
    .digest();
}
