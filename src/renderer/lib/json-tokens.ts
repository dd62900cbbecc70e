/** The parts of one line of indented JSON, for colouring it. */
import type { Placed } from './placed.ts';

export interface Token extends Placed {
  readonly kind: 'k' | 's' | 'n' | 'p' | '';
}

/** Colours one line of indented JSON: keys, strings, numbers, punctuation. */
export function jsonTokens(line: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const push = (text: string, kind: Token['kind']): void => {
    tokens.push({ at, text, kind });
    at += text.length;
  };
  for (const [text, string, colon, word, marks] of line.matchAll(
    /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)|([{}[\],:]+)|[^"{}[\],:\d-]+|./g,
  )) {
    if (string !== undefined) {
      push(string, colon === undefined ? 's' : 'k');
      if (colon !== undefined) push(colon, 'p');
    } else if (word !== undefined) push(word, 'n');
    else push(text, marks === undefined ? literalKind(text) : 'p');
  }
  return tokens;
}

const literalKind = (text: string): Token['kind'] => (/^\s*(true|false|null)\s*$/.test(text) ? 'n' : '');
