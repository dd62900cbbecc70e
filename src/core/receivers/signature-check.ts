/** What a receiver finds out about X-Signature (delivery specification, sections 5.1 to 5.4). */
import { timingSafeEqual } from 'node:crypto';
import { signatureOf } from '../model/signature.ts';

export type Verdict = 'verified' | 'mismatch' | 'unsigned' | 'no_secret';

export interface Checked {
  readonly verdict: Verdict;
  /**
   * A receiver that follows section 5.4 to the letter digests the parsed and re-serialised body. False when that gives
   * another digest although the raw bytes verify; null when the raw bytes do not verify.
   */
  readonly reserialises: boolean | null;
}

/** `secret` is null when there is none. Only lowercase hex verifies. */
export function checkSignature(secret: string | null, header: string | undefined, body: Buffer): Checked {
  if (secret === null) return { verdict: 'no_secret', reserialises: null };
  if (header === undefined || header === '') return { verdict: 'unsigned', reserialises: null };
  if (!sameText(header, signatureOf(secret, body))) return { verdict: 'mismatch', reserialises: null };
  return { verdict: 'verified', reserialises: isFixedPoint(body) };
}

function sameText(given: string, wanted: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(wanted);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether `JSON.stringify(JSON.parse(body))` is the same bytes. */
function isFixedPoint(body: Buffer): boolean {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8')))).equals(body);
  } catch {
    // The body is not JSON, or is nested deeper than the stack allows.
    return false;
  }
}
