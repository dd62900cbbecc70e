/** Valid JSON as it was written: key order, repeated keys, and the spelling of each number and string are kept. */

export interface JsonMember {
  readonly key: JsonString;
  readonly value: JsonNode;
}

/** `raw` is the literal with its quotes. */
export interface JsonString {
  readonly kind: 'string';
  readonly value: string;
  readonly raw: string;
}

export type JsonNode =
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | JsonString
  | { readonly kind: 'number'; readonly raw: string }
  | { readonly kind: 'word'; readonly raw: 'true' | 'false' | 'null' };

const TOKEN = /[ \t\n\r]*(?:([{}[\]:,])|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)|(true|false|null))/y;

/** The tree of a text that `JSON.parse` takes, at most `MAX_DEPTH` (model/json.ts) levels deep; it calls itself. */
export function readTree(text: string): JsonNode {
  return new Reader(text).value();
}

class Reader {
  readonly #text: string;
  #at = 0;
  /** The token that is looked at. */
  #token = '';

  constructor(text: string) {
    this.#text = text;
    this.#next();
  }

  value(): JsonNode {
    const token = this.#token;
    if (token === '{') return this.#object();
    if (token === '[') return this.#array();
    this.#next();
    if (token.startsWith('"')) return stringOf(token);
    if (token === 'true' || token === 'false' || token === 'null') return { kind: 'word', raw: token };
    return { kind: 'number', raw: token };
  }

  #object(): JsonNode {
    const members: JsonMember[] = [];
    this.#next();
    while (this.#token !== '}') {
      const key = stringOf(this.#token);
      this.#next();
      this.#next(); // the colon
      members.push({ key, value: this.value() });
      if (this.#token === ',') this.#next();
    }
    this.#next();
    return { kind: 'object', members };
  }

  #array(): JsonNode {
    const items: JsonNode[] = [];
    this.#next();
    while (this.#token !== ']') {
      items.push(this.value());
      if (this.#token === ',') this.#next();
    }
    this.#next();
    return { kind: 'array', items };
  }

  /** An empty token stands for the end. */
  #next(): void {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.#text);
    if (found === null) {
      this.#token = '';
      return;
    }
    this.#at = TOKEN.lastIndex;
    this.#token = found[0].trimStart();
  }
}

const stringOf = (raw: string): JsonString => ({ kind: 'string', value: JSON.parse(raw) as string, raw });
