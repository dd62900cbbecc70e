/** The parts of one line of indented JSON, for colouring it. */

export interface Token {
  readonly text: string;
  readonly kind: 'k' | 's' | 'n' | 'p' | '';
}

/** Colours one line of indented JSON: keys, strings, numbers, punctuation. */
export function jsonTokens(line: string): Token[] {
  const tokens: Token[] = [];
  for (const [text, string, colon, word, marks] of line.matchAll(
    /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)|([{}[\],:]+)|[^"{}[\],:\d-]+|./g,
  )) {
    if (string !== undefined) {
      tokens.push({ text: string, kind: colon === undefined ? 's' : 'k' });
      if (colon !== undefined) tokens.push({ text: colon, kind: 'p' });
    } else if (word !== undefined) tokens.push({ text: word, kind: 'n' });
    else tokens.push({ text, kind: marks === undefined ? literalKind(text) : 'p' });
  }
  return tokens;
}

const literalKind = (text: string): Token['kind'] => (/^\s*(true|false|null)\s*$/.test(text) ? 'n' : '');
