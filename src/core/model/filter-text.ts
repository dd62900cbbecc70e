/**
 * Words and values of a filter's text. Quotes keep spaces and commas; in them `\"` is a quote and `\\` a backslash.
 */

export interface Word {
  /** As typed. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Value {
  /** What it says, literally. */
  readonly plain: string;
  /** What it says where `*` stands for any text. Every backslash in it escapes a star or a backslash. */
  readonly pattern: string;
  readonly quoted: boolean;
  /** What stands behind a `=` at its start, literally; null without one. A `=` in quotes is none. */
  readonly exact: string | null;
}

/** An open quote goes to the end. */
const QUOTED = String.raw`"(?:[^"\\]|\\[\s\S]?)*(?:"|$)`;
const WORDS = new RegExp(`(?:[^\\s"]|${QUOTED})+`, 'g');
const VALUE_PARTS = new RegExp(`${QUOTED}|\\\\[*\\\\]|[\\s\\S]`, 'g');
const QUOTED_PARTS = /\\[\s\S]?|[^\\]/g;

export const wordsOf = (text: string): Word[] =>
  [...text.matchAll(WORDS)].map(({ 0: word, index }) => ({ text: word, from: index, to: index + word.length }));

class OpenValue {
  #plain = '';
  #pattern = '';
  #quoted = false;
  #isExact = false;

  add(plain: string, pattern: string): void {
    this.#isExact ||= plain === '=' && this.#plain === '' && !this.#quoted;
    this.#plain += plain;
    this.#pattern += pattern;
  }
  addQuoted(part: string): void {
    this.#quoted = true;
    const inside = part.slice(1, /^"(?:[^"\\]|\\[\s\S])*"$/.test(part) ? -1 : undefined);
    for (const [one] of inside.matchAll(QUOTED_PARTS)) {
      if (one === '\\"') this.add('"', '"');
      else if (one === '\\\\') this.add('\\', '\\\\');
      else if (one === '\\*') this.add('\\*', '\\*');
      else this.add(one, one.replace('\\', '\\\\'));
    }
  }
  get value(): Value {
    const exact = this.#isExact ? this.#plain.slice(1) : null;
    return { plain: this.#plain, pattern: this.#pattern, quoted: this.#quoted, exact };
  }
}

/** The values between commas. */
export function valuesOf(text: string): Value[] {
  const values = [new OpenValue()];
  for (const [part] of text.matchAll(VALUE_PARTS)) {
    const last = values.at(-1)!;
    if (part === ',') values.push(new OpenValue());
    else if (part.startsWith('"')) last.addQuoted(part);
    else last.add(part, part === '\\' ? '\\\\' : part);
  }
  return values.map(({ value }) => value);
}

/** A word without its quotes. A comma in it is a comma. */
export const unquoted = (text: string): string =>
  valuesOf(text)
    .map(({ plain }) => plain)
    .join(',');

const quoted = (text: string): string => `"${text}"`;
/** Blanks, quotes and commas end a value; `//` would make an address of it, `=` another operator. */
const needsQuotes = (text: string): boolean => /[\s",]|^\/\/|^=|^$/.test(text);

export const plainAsWritten = (text: string): string =>
  needsQuotes(text) ? quoted(text.replace(/["\\]/g, '\\$&')) : text;
export const patternAsWritten = (pattern: string): string =>
  needsQuotes(pattern) ? quoted(pattern.replaceAll('"', '\\"')) : pattern;
/** A free word: it must not look like a token. */
export const wordAsWritten = (text: string): string =>
  /^[^\s":=!<>,\\-][^\s":=!<>,\\]*$/.test(text) ? text : quoted(text.replace(/["\\]/g, '\\$&'));
