/**
 * Finds where a text stops being JSON (RFC 8259). JSON.parse names a position only in some errors and quotes the body
 * in others; this gives a line and a column for all of them. It runs only after JSON.parse has refused the text. It
 * takes one pass without recursion, so depth does not matter.
 */

export interface JsonErrorPlace {
  /** Index of the first character that cannot be there; the length of the text when it ends too early. */
  readonly offset: number;
  readonly atEnd: boolean;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** Null when `text` is valid JSON. */
export function findJsonError(text: string): JsonErrorPlace | null {
  const offset = new Scanner(text).firstError();
  if (offset === -1) return null;
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return {
    offset,
    atEnd: offset >= text.length,
    line: before.split('\n').length,
    column: offset - lineStart + 1,
  };
}

const WORDS = ['true', 'false', 'null'];

type Expecting = 'value' | 'value_or_close' | 'key' | 'key_or_close' | 'colon' | 'comma_or_close' | 'end';

class Scanner {
  readonly #text: string;
  #at = 0;
  /** One entry for each open level: the `}` or `]` that closes it. */
  readonly #closers: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Offset of the first error, or -1. */
  firstError(): number {
    let expecting: Expecting = 'value';
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#text.length) return expecting === 'end' ? -1 : this.#text.length;
      const next = this.#step(expecting, this.#text[this.#at] as string);
      if (next === null) return this.#at;
      expecting = next;
    }
  }

  /** Takes one token. Null leaves `#at` on the character at fault. */
  #step(expecting: Expecting, character: string): Expecting | null {
    switch (expecting) {
      case 'end':
        return null;
      case 'colon':
        return this.#take(character === ':', 'value');
      case 'comma_or_close':
        if (character === this.#closers.at(-1)) return this.#close();
        return this.#take(character === ',', this.#closers.at(-1) === '}' ? 'key' : 'value');
      case 'key_or_close':
        if (character === '}') return this.#close();
        return character === '"' && this.#string() ? 'colon' : null;
      case 'key':
        return character === '"' && this.#string() ? 'colon' : null;
      case 'value_or_close':
        if (character === ']') return this.#close();
        return this.#value(character);
      case 'value':
        return this.#value(character);
    }
  }

  #take(fits: boolean, next: Expecting): Expecting | null {
    if (!fits) return null;
    this.#at += 1;
    return next;
  }

  #close(): Expecting {
    this.#at += 1;
    this.#closers.pop();
    return this.#afterValue();
  }

  #afterValue(): Expecting {
    return this.#closers.length === 0 ? 'end' : 'comma_or_close';
  }

  #value(character: string): Expecting | null {
    if (character === '{' || character === '[') {
      this.#at += 1;
      this.#closers.push(character === '{' ? '}' : ']');
      return character === '{' ? 'key_or_close' : 'value_or_close';
    }
    const taken = this.#scalar(character);
    return taken ? this.#afterValue() : null;
  }

  /** Leaves `#at` on the first character that does not fit. */
  #scalar(character: string): boolean {
    if (character === '"') return this.#string();
    if (character === '-' || isDigit(character)) return this.#number();
    const word = WORDS.find((candidate) => candidate[0] === character);
    if (word === undefined) return false;
    for (const letter of word) {
      if (this.#text[this.#at] !== letter) return false;
      this.#at += 1;
    }
    return true;
  }

  #number(): boolean {
    if (this.#text[this.#at] === '-') this.#at += 1;
    if (this.#text[this.#at] === '0') this.#at += 1;
    else if (!this.#digits()) return false;
    if (this.#text[this.#at] === '.') {
      this.#at += 1;
      if (!this.#digits()) return false;
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at += 1;
      if (this.#text[this.#at] === '+' || this.#text[this.#at] === '-') this.#at += 1;
      if (!this.#digits()) return false;
    }
    return true;
  }

  #digits(): boolean {
    const start = this.#at;
    while (isDigit(this.#text[this.#at])) this.#at += 1;
    return this.#at > start;
  }

  #string(): boolean {
    this.#at += 1;
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at);
      if (code < 0x20) return false;
      this.#at += 1;
      if (code === 0x22) return true;
      if (code === 0x5c && !this.#escape()) return false;
    }
    return false;
  }

  #escape(): boolean {
    const character = this.#text[this.#at];
    if (character === undefined || !'"\\/bfnrtu'.includes(character)) return false;
    this.#at += 1;
    if (character !== 'u') return true;
    for (let count = 0; count < 4; count += 1) {
      if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? '')) return false;
      this.#at += 1;
    }
    return true;
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && ' \t\n\r'.includes(this.#text[this.#at] as string)) this.#at += 1;
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}
