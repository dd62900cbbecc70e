/** Takes values out of an exported message, wherever in it they stand and however they are written. */

import { SpelledValues } from './spelled-values.ts';
import { isNumber, isShort, mayBeWhole, remover, wordsOf } from './spelling.ts';
import { WordIndex } from './word-index.ts';

/** No texts of a person: times, states and the like. */
const KEPT = new Set([
  'receivedAt',
  'startedAt',
  'state',
  'type',
  'origin',
  'outcome',
  'method',
  'code',
  'bodyLeftOut',
]);

/** From so many values on, one walk over a text for all of them is quicker than a look for each. */
const MANY = 32;

/** `instead` takes the place of each value. A number is one of the values when its text is. */
export function withoutValues<T>(message: T, values: Iterable<string>, instead: string, many = MANY): T {
  const texts = [...new Set(values)].filter((text) => text !== '' && text !== instead);
  if (texts.length === 0) return message;
  const cleaner = new Cleaner(texts, instead, many);
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return cleaner.text(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, KEPT.has(key) ? one : walk(one)]));
  };
  return walk(message) as T;
}

/** A letter or digit that JSON has as an escape, which no program needs to write so. */
const ESCAPED_WORD = /\\u00[3-7]/i;

interface Spelled {
  readonly values: SpelledValues;
  /** Values that one walk cannot find. */
  readonly always: readonly number[];
}

function spelledOf(texts: readonly string[], instead: string): Spelled {
  // Else a short value would not be whole beside it.
  const isNeighbour =
    mayBeWhole(`"_${instead}`, 1, 2) || mayBeWhole(`${instead}_"`, instead.length, instead.length + 1);
  const isAlways = (text: string): boolean =>
    text.includes('\\') || (isShort(text) && isNeighbour) || !text.isWellFormed() || touches(text, instead);
  const all = texts.map((text, i) => [text, i] as const);
  return {
    values: new SpelledValues(all.filter(([text]) => !isAlways(text))),
    always: all.flatMap(([text, i]) => (isAlways(text) ? i : [])),
  };
}

/** Whether a text may come to be where what stands in the place of another value begins, ends or is. */
function touches(text: string, instead: string): boolean {
  const [one, other] = [text.toLowerCase(), instead.toLowerCase()];
  if (one.includes(other) || other.includes(one)) return true;
  return [...other].some((_, i) => one.startsWith(other.slice(i)) || (i > 0 && one.endsWith(other.slice(0, i))));
}

class Cleaner {
  readonly #values: ReadonlySet<string>;
  readonly #instead: string;
  /** Longest first: a value may stand in a longer one. */
  readonly #texts: readonly string[];
  readonly #words: ReadonlyArray<readonly string[]>;
  /** Whether any text may hold a value: a number has many spellings, and a value without words has none to look for. */
  readonly #isAnywhere: boolean;
  readonly #hasObjects: boolean;
  readonly #many: number;
  /** Each is made when a text may hold its value. */
  readonly #removers: Array<ReturnType<typeof remover>> = [];
  #wordIndex: WordIndex | null = null;
  #spelled: Spelled | null = null;

  constructor(texts: readonly string[], instead: string, many: number) {
    this.#values = new Set(texts);
    this.#instead = instead;
    this.#texts = texts.toSorted((a, b) => b.length - a.length);
    this.#words = texts.map(wordsOf);
    this.#isAnywhere = texts.some(isNumber) || this.#words.some((words) => words.length === 0);
    this.#hasObjects = texts.some((text) => /^[[{]/.test(text));
    this.#many = many;
  }

  text(text: string): string {
    if (this.#values.has(text)) return this.#instead;
    if (!this.#mayHold(text)) return text;
    const cleaned = this.#json(text) ?? text;
    const lower = cleaned.toLowerCase();
    let rest = cleaned;
    for (const i of this.#possible(cleaned)) {
      this.#removers[i] ??= remover(this.#texts[i]!, this.#instead);
      rest = this.#removers[i]!(rest, lower);
    }
    return rest;
  }

  /** Most texts hold none of the values, and are neither parsed nor searched any further. */
  #mayHold(text: string): boolean {
    if (this.#isAnywhere || ESCAPED_WORD.test(text)) return true;
    const lower = text.toLowerCase();
    if (this.#words.length < this.#many)
      return this.#words.some((words) => words.every((word) => lower.includes(word)));
    this.#wordIndex ??= new WordIndex(this.#words);
    return this.#wordIndex.isAnyIn(lower);
  }

  /** The values that this text may hold, by their place in the line. */
  #possible(text: string): Iterable<number> {
    if (this.#texts.length < this.#many) return this.#texts.keys();
    this.#spelled ??= spelledOf(this.#texts, this.#instead);
    const { always, values } = this.#spelled;
    const found = values.in(text);
    return found.size === 0 ? always : [...always, ...found].sort((a, b) => a - b);
  }

  /** JSON in a text stays JSON. Null when the text is none, or has nothing to hide. */
  #json(text: string): string | null {
    const before = parsed(text);
    if (before === undefined) return null;
    const after = JSON.stringify(this.#value(before));
    return after === JSON.stringify(before) ? null : after;
  }

  #value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    // Digits stand everywhere by chance.
    if (typeof value === 'number')
      return value >= 0 && value < 10 && Number.isInteger(value) ? value : this.#whole(value);
    if (typeof value !== 'object' || value === null) return value;
    if (this.#hasObjects && this.#values.has(JSON.stringify(value))) return this.#instead;
    if (Array.isArray(value)) return value.map((one) => this.#value(one));
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#value(one)]));
  }

  #whole = (value: number): unknown => (this.#values.has(String(value)) ? this.#instead : value);
}

/** An object or a list; undefined for any other text. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
