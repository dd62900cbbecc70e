/** Hides the write key that some libraries send in the body. Everything else keeps its bytes. */
import { isJsonObject } from '../model/call.ts';

export const HIDDEN_KEY = '[hidden]';

const WRITE_KEY = /("writeKey"\s*:\s*)"(?:[^"\\]|\\.)*"/g;

export function withoutWriteKey(text: string): string {
  const hidden = text.replaceAll(WRITE_KEY, `$1"${HIDDEN_KEY}"`);
  // A name that is written with escapes is one to a parser.
  return /\\u/.test(hidden) ? withoutEscapedKey(hidden) : hidden;
}

function withoutEscapedKey(text: string): string {
  let found = false;
  let value: unknown;
  try {
    value = JSON.parse(text, function (this: unknown, key, inner) {
      if (key !== 'writeKey' || typeof inner !== 'string' || inner === HIDDEN_KEY || !isJsonObject(this)) return inner;
      found = true;
      return HIDDEN_KEY;
    });
  } catch {
    return text;
  }
  return found ? JSON.stringify(value) : text;
}
