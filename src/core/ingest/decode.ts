/**
 * Decodes the content encoding of a body. Inflating stops at the first byte over the limit, so a small body cannot
 * become a large one (Segment HTTP API, Limits; reliability, section 5.3).
 */
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { MAX_REQUEST_BYTES } from '../model/call.ts';

export type Decoded =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: 'unsupported' | 'too_large' | 'damaged' };

/** The raw bytes worth reading. An encoded body that does not compress is slightly longer than its decoded form. */
export function maxRawBytes(encoding: string | null): number {
  return encoding === null ? MAX_REQUEST_BYTES : MAX_REQUEST_BYTES + 1024;
}

/** `encoding` is in lower case, or null. */
export function decodeBody(raw: Uint8Array, encoding: string | null): Decoded {
  switch (encoding) {
    case null:
      return raw.length > MAX_REQUEST_BYTES ? { ok: false, problem: 'too_large' } : { ok: true, bytes: raw };
    case 'gzip':
    case 'x-gzip':
      return inflate(raw, gunzipSync);
    case 'deflate':
      return inflate(raw, hasZlibHeader(raw) ? inflateSync : inflateRawSync);
    default:
      return { ok: false, problem: 'unsupported' };
  }
}

function inflate(raw: Uint8Array, unpack: typeof gunzipSync): Decoded {
  try {
    return { ok: true, bytes: unpack(raw, { maxOutputLength: MAX_REQUEST_BYTES }) };
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return { ok: false, problem: tooLarge ? 'too_large' : 'damaged' };
  }
}

/** Some clients send bare deflate data under this name (RFC 9110, section 8.4.1.2). */
function hasZlibHeader(raw: Uint8Array): boolean {
  const [first = 0, second = 0] = raw;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
