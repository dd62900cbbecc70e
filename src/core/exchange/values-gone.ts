/** Takes values out of an exported message, wherever in it they stand and however they are written. */
import { isNumber, remover, wordsOf } from './spelling.ts';

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

/** `instead` takes the place of each value. A number is one of the values when its text is. */
export function withoutValues<T>(message: T, values: Iterable<string>, instead: string): T {
  const texts = [...new Set(values)].filter((text) => text !== '' && text !== instead);
  if (texts.length === 0) return message;
  const cleaner = new Cleaner(texts, instead);
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

class Cleaner {
  readonly #values: ReadonlySet<string>;
  readonly #instead: string;
  /** Longest first: a value may stand in a longer one. Made when a text may hold one. */
  #removers: ReadonlyArray<ReturnType<typeof remover>> | null = null;
  readonly #texts: readonly string[];
  readonly #words: ReadonlyArray<readonly string[]>;
  readonly #hasNumbers: boolean;
  readonly #hasObjects: boolean;

  constructor(texts: readonly string[], instead: string) {
    this.#values = new Set(texts);
    this.#instead = instead;
    this.#texts = texts;
    this.#words = texts.map(wordsOf);
    this.#hasNumbers = texts.some(isNumber);
    this.#hasObjects = texts.some((text) => /^[[{]/.test(text));
  }

  text(text: string): string {
    if (this.#values.has(text)) return this.#instead;
    if (!this.#mayHold(text)) return text;
    const cleaned = this.#json(text) ?? text;
    const lower = cleaned.toLowerCase();
    this.#removers ??= this.#texts.toSorted((a, b) => b.length - a.length).map((one) => remover(one, this.#instead));
    return this.#removers.reduce((rest, remove) => remove(rest, lower), cleaned);
  }

  /** Most texts hold none of the values, and are neither parsed nor searched any further. */
  #mayHold(text: string): boolean {
    if (this.#hasNumbers || ESCAPED_WORD.test(text)) return true;
    const lower = text.toLowerCase();
    return this.#words.some((words) => words.every((word) => lower.includes(word)));
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
