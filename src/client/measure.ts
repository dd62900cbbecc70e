/** Sizes of calls. Pure. */
import { MAX_CALL_BYTES, MAX_CALL_DEPTH } from './limits.ts';

const encoder = new TextEncoder();
const scratch = new Uint8Array(MAX_CALL_BYTES + 4);

/** The bytes of `text` in UTF-8. Calls mostly fit into one reused buffer, which takes half the time of a new one. */
export function bytesOf(text: string): number {
  if (text.length <= MAX_CALL_BYTES) {
    const { read, written } = encoder.encodeInto(text, scratch);
    if (read === text.length) return written;
  }
  return encoder.encode(text).length;
}

/** Whether valid JSON nests deeper than a call may. Few calls have enough brackets to need a closer look. */
export function isTooDeep(json: string): boolean {
  if (json.length <= 2 * MAX_CALL_DEPTH) return false;
  const braces = countUpTo(json, '{', MAX_CALL_DEPTH + 1);
  const brackets = countUpTo(json, '[', MAX_CALL_DEPTH + 1 - braces);
  return braces + brackets > MAX_CALL_DEPTH && depthOf(json) > MAX_CALL_DEPTH;
}

function countUpTo(text: string, mark: string, limit: number): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0 && count < limit; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
}

function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const mark = json[at];
    if (inText) {
      if (mark === '\\') at += 1;
      else if (mark === '"') inText = false;
    } else if (mark === '"') inText = true;
    else if (mark === '{' || mark === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (mark === '}' || mark === ']') depth -= 1;
  }
  return deepest;
}
