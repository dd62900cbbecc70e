/**
 * Patterns: `*` stands for any text, `\*` for a star, `\\` for a backslash; letters A to Z match in either case, as in
 * SQLite's LIKE.
 */

/** The texts between the stars, unescaped. */
export function piecesOf(pattern: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const [part] of pattern.matchAll(/\\[*\\]|[\s\S]/g)) {
    if (part === '*') {
      pieces.push(piece);
      piece = '';
    } else piece += part.length === 2 ? part.slice(1) : part;
  }
  return [...pieces, piece];
}

export const starsIn = (pattern: string): number => piecesOf(pattern).length - 1;

/**
 * Whether a text holds a part. One expression over code units: folding a text of 1 KB first took over twenty times as long, and
 * the flag `i` would also fold letters outside of ASCII.
 */
export function holdsTest(part: string): (text: string) => boolean {
  const units = folded(part).replace(/[\s\S]/g, (unit) =>
    /[a-z]/.test(unit) ? `[${unit}${unit.toUpperCase()}]` : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const expression = new RegExp(units);
  return (text) => expression.test(text);
}

/** A text as a pattern that matches it alone. */
export const literalPattern = (text: string): string => text.replace(/[*\\]/g, '\\$&');

export const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether a text matches as a whole. Each piece is looked for once, so no pattern is slow. */
export function patternTest(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = piecesOf(folded(pattern));
  const last = rest.pop();
  return (given) => {
    const text = folded(given);
    if (last === undefined) return text === first;
    if (!text.startsWith(first)) return false;
    let from = first.length;
    for (const piece of rest) {
      const at = text.indexOf(piece, from);
      if (at === -1) return false;
      from = at + piece.length;
    }
    return text.length - last.length >= from && text.endsWith(last);
  };
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The pattern for LIKE with the escape character `\`. */
export const likeOf = (pattern: string): string => piecesOf(pattern).map(escaped).join('%');
