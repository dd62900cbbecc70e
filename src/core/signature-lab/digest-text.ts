/** Reads a digest as people paste it: hex in either case, with a prefix, or in base64. */
import type { DigestForm } from '../../contract/signature-lab.ts';
import { DIGEST_DIGITS } from './hashes.ts';

export type ReadDigest =
  | { readonly ok: true; readonly bytes: Buffer; readonly form: DigestForm }
  | { readonly ok: false; readonly problem: string };

const PREFIX = /^(?:hmac[-_])?(?:sha-?(?:1|224|256|384|512)|md5|v\d+)[=:,]\s*/i;
const HEX = /^[0-9a-f]+$/i;
const DASHED = /^[0-9a-f]{2}(-[0-9a-f]{2})+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const EXPECTED = 40;

export function readDigest(pasted: string): ReadDigest {
  const text = pasted.trim().replace(/^(["'])(.*)\1$/s, '$2');
  const digits = text.replace(PREFIX, '').replace(/[\s:]/g, '');
  const isDashed = DASHED.test(digits);
  const hex = isDashed ? digits.replaceAll('-', '') : digits;
  if (HEX.test(hex) && DIGEST_DIGITS.includes(hex.length))
    return { ok: true, bytes: Buffer.from(hex, 'hex'), form: hexForm(text, hex, isDashed) };
  const bytes = BASE64.test(digits) ? Buffer.from(digits, 'base64') : Buffer.alloc(0);
  const inner = bytes.toString('latin1');
  if (HEX.test(inner) && DIGEST_DIGITS.includes(inner.length))
    return { ok: true, bytes: Buffer.from(inner, 'hex'), form: 'base64_of_hex' };
  if (!HEX.test(digits) && DIGEST_DIGITS.includes(bytes.length * 2)) return { ok: true, bytes, form: 'base64' };
  return { ok: false, problem: problemOf(digits) };
}

function hexForm(text: string, hex: string, isDashed: boolean): DigestForm {
  if (PREFIX.test(text)) return 'prefixed';
  if (isDashed) return 'dashed_hex';
  return hex === hex.toLowerCase() ? 'hex' : 'upper_hex';
}

function problemOf(digits: string): string {
  if (digits === '') return 'There is no digest yet.';
  const characters = `${digits.length} ${digits.length === 1 ? 'character' : 'characters'}`;
  return `This is not a hex digest. It has ${characters}, ${EXPECTED} expected.`;
}
