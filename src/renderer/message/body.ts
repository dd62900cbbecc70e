/** Makes the kept bytes of a response readable. Pure. */

export type ShownBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string; readonly json: boolean }
  /** Not UTF-8: the first bytes in hex. */
  | { readonly kind: 'binary'; readonly hex: string; readonly bytes: number };

const HEX_BYTES = 256;
const HEX_ROW = 16;

export function bytesOfBase64(base64: string): Uint8Array {
  const text = atob(base64);
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Rows of 16 bytes, `00 ff …`. */
function hexRows(bytes: Uint8Array): string {
  const pairs = Array.from(bytes.subarray(0, HEX_BYTES), (byte) => byte.toString(16).padStart(2, '0'));
  const rows: string[] = [];
  for (let i = 0; i < pairs.length; i += HEX_ROW) rows.push(pairs.slice(i, i + HEX_ROW).join(' '));
  return rows.join('\n');
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Text when the bytes are UTF-8, otherwise hex. A cut body may end inside a character; those last bytes do not make it
 * binary.
 */
export function showBytes(bytes: Uint8Array, cut: boolean): ShownBody {
  if (bytes.length === 0) return { kind: 'empty' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
    if (text.includes('\0')) return { kind: 'binary', hex: hexRows(bytes), bytes: bytes.length };
    return { kind: 'text', text, json: /^\s*[[{]/.test(text) && isJson(text) };
  } catch {
    return { kind: 'binary', hex: hexRows(bytes), bytes: bytes.length };
  }
}

/** A digest in groups of 8 characters, as the mock-ups show it. */
export const inGroupsOf8 = (digest: string): string[] => digest.match(/.{1,8}/g) ?? [];
