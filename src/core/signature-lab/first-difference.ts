/** Where the receiver's bytes leave those that were sent. */
import type { Difference } from '../../contract/signature-lab.ts';

export function firstDifference(sent: Uint8Array, other: Uint8Array): Difference {
  let at = 0;
  while (at < sent.length && at < other.length && sent[at] === other[at]) at += 1;
  return { at, field: fieldAt(Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength).toString('latin1'), at) };
}

interface Level {
  readonly isArray: boolean;
  /** Null before the first member. */
  key: string | null;
  index: number;
  /** The next string is a key. */
  isKeyNext: boolean;
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\]:,]/gs;

/** The path of the field that the character at `offset` is in; Latin-1 text has one character for each byte. */
function fieldAt(latin1: string, offset: number): string {
  const levels: Level[] = [];
  for (const { 0: token, index } of latin1.matchAll(TOKEN)) {
    // A sign at the offset ends or follows the value that differs: `3,` and `3.0,`.
    if (index > offset || (index === offset && !token.startsWith('"'))) break;
    const level = levels.at(-1);
    if (token === '{' || token === '[')
      levels.push({ isArray: token === '[', key: null, index: 0, isKeyNext: token === '{' });
    else if (token === '}' || token === ']') levels.pop();
    else if (level === undefined) continue;
    else if (token === ',') {
      level.index += 1;
      level.isKeyNext = !level.isArray;
    } else if (token === ':') level.isKeyNext = false;
    else if (level.isKeyNext) level.key = keyOf(token);
  }
  return levels
    .map(({ isArray, key, index }) => (isArray ? `[${index}]` : key === null ? '' : `.${namedKey(key)}`))
    .join('')
    .replace(/^\./, '');
}

/** A key in a path; the empty one shows as its quotes. */
export const namedKey = (key: string): string => (key === '' ? '""' : key);

function keyOf(latin1: string): string {
  try {
    return JSON.parse(Buffer.from(latin1, 'latin1').toString('utf8')) as string;
  } catch {
    return '';
  }
}
