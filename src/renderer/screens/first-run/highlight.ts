/** Colours for a handful of short snippets: strings, comments and the words that each language reserves. */
import type { SnippetLanguage } from './snippets.ts';

export interface Piece {
  readonly text: string;
  readonly kind: 'plain' | 'word' | 'string' | 'comment';
}

const WORDS: Record<SnippetLanguage, readonly string[]> = {
  go: ['package', 'import', 'func', 'defer', 'map', 'interface'],
  javascript: ['import', 'from', 'const', 'new', 'await', 'true', 'false'],
  python: ['import', 'as', 'from', 'True', 'False', 'None'],
  shell: [],
};
const COMMENT: Record<SnippetLanguage, string> = { go: '//', javascript: '//', python: '#', shell: '#' };

/** The pieces of one line, in order; joined they are the line. */
export function highlight(line: string, language: SnippetLanguage): Piece[] {
  const pieces: Piece[] = [];
  const words = new Set(WORDS[language]);
  // A string, a comment that follows a blank or starts the line, a word, or anything else.
  const pattern = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<=^|\s)(?:\/\/|#).*$|[A-Za-z_]\w*|[^"'A-Za-z_/#]+|./g;
  for (const [text] of line.matchAll(pattern)) pieces.push({ text, kind: kindOf(text) });
  return join(pieces);

  function kindOf(text: string): Piece['kind'] {
    if (/^["']/.test(text) && text.length > 1) return 'string';
    if (text.startsWith(COMMENT[language]) && text.length > COMMENT[language].length) return 'comment';
    return words.has(text) ? 'word' : 'plain';
  }
}

/** Neighbours of one kind become one piece. */
function join(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && last.kind === piece.kind)
      joined[joined.length - 1] = { ...last, text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
}
