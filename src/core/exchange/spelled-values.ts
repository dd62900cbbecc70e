/**
 * Which of many values may stand in a text, in any of the spellings that `spelling.ts` takes out. One walk over the text
 * finds them all. It may name a value that is not there, but it leaves none out.
 */
import { isShort, mayBeWhole } from './spelling.ts';
import { TrieNode } from './trie.ts';

/** What may be read at a place of a text: a character, and where the next one begins. */
type Read = (code: number, next: number) => void;

interface Walk {
  readonly text: string;
  /** Where it began. */
  readonly start: number;
  readonly found: Set<number>;
}

export class SpelledValues {
  readonly #root = new TrieNode();
  readonly #short = new Set<number>();

  /** Of well-formed values without backslashes. */
  constructor(values: ReadonlyArray<readonly [value: string, index: number]>) {
    for (const [value, index] of values) {
      this.#root.enter(codesOf(value), index);
      if (isShort(value)) this.#short.add(index);
    }
  }

  /** The indexes of the values that may be there. */
  in(text: string): Set<number> {
    const found = new Set<number>();
    for (let at = 0; at < text.length; at += 1) this.#walk(this.#root, { text, start: at, found }, at);
    return found;
  }

  #walk(from: TrieNode, walk: Walk, place: number): void {
    const { text, start, found } = walk;
    let node = from;
    for (let at = place; ; ) {
      for (const index of node.ends) if (!this.#short.has(index) || mayBeWhole(text, start, at)) found.add(index);
      if (node.next === null || at >= text.length) return;
      const code = text.charCodeAt(at);
      if (isSign(code)) {
        const { next } = node;
        readAt(text, at, (read, after) => {
          const child = next.get(read);
          if (child !== undefined) this.#walk(child, walk, after);
        });
        return;
      }
      const point = code < 0xd800 ? code : text.codePointAt(at)!;
      const child = node.next.get(folded(point));
      if (child === undefined) return;
      node = child;
      at += point > 0xffff ? 2 : 1;
    }
  }
}

/** Values that begin so are named together. It bounds the memory that long ones take. */
const MOST_CHARACTERS = 64;

function* codesOf(value: string): Generator<number> {
  let left = MOST_CHARACTERS;
  for (const character of value) {
    if (left === 0) return;
    left -= 1;
    yield folded(character.codePointAt(0)!);
  }
}

const SMALL = Uint16Array.from({ length: 128 }, (_, code) => String.fromCharCode(code).toUpperCase().charCodeAt(0));

/** As an expression compares characters in either case: one character in capitals, and none of ASCII for another one. */
function folded(point: number): number {
  if (point < 128) return SMALL[point]!;
  const character = String.fromCodePoint(point);
  const upper = character.toUpperCase();
  return upper.length === character.length && upper.codePointAt(0)! > 127 ? upper.codePointAt(0)! : point;
}

const AND = 0x26;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const BACKSLASH = 0x5c;

/** Where more than one character may be read. */
const isSign = (code: number): boolean => code === AND || code === PERCENT || code === PLUS || code === BACKSLASH;

function readAt(text: string, at: number, read: Read): void {
  readPlain(text, at, read);
  BACKSLASHES.lastIndex = at;
  const run = BACKSLASHES.exec(text);
  if (run !== null) readEscaped(text, at + run[0].length, read);
}

const BACKSLASHES = /(?:\\|%5c)+/iy;
const NAMED = /&(?:amp;)?(amp|lt|gt|quot|apos);/iy;
const NAMES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const NUMBERED = /&#(?:0*(\d{1,7})|x0*([\da-f]{1,6}));/iy;

/** A character as it is, in HTML or in a URL. */
function readPlain(text: string, at: number, read: Read): void {
  const point = text.codePointAt(at);
  if (point === undefined) return;
  read(folded(point), at + (point > 0xffff ? 2 : 1));
  if (point === PLUS) read(SPACE, at + 1);
  if (point === PERCENT) readUrl(text, at, read);
  if (point !== AND) return;
  NAMED.lastIndex = NUMBERED.lastIndex = at;
  const named = NAMED.exec(text);
  if (named !== null) read(NAMES[named[1]!.toLowerCase()]!.charCodeAt(0), NAMED.lastIndex);
  const numbered = NUMBERED.exec(text);
  if (numbered === null) return;
  const [, decimal, hex = ''] = numbered;
  const given = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
  if (given <= 0x10ffff) read(folded(given), NUMBERED.lastIndex);
}

function readUrl(text: string, at: number, read: Read): void {
  const first = Number.parseInt(text.slice(at + 1, at + 3), 16);
  const bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const next = at + 3 * bytes;
  try {
    const character = decodeURIComponent(text.slice(at, next));
    if (/^.$/su.test(character)) read(folded(character.codePointAt(0)!), next);
  } catch {
    // No character of a URL.
  }
}

const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const UNITS = /u(d[89ab][\da-f]{2})(?:\\|%5c)+u(d[c-f][\da-f]{2})|u([\da-f]{4})/iy;

/** What stands behind backslashes. */
function readEscaped(text: string, at: number, read: Read): void {
  readPlain(text, at, (code, next) => {
    if (code === 0x22 || code === 0x2f) read(code, next);
  });
  const short = SHORT[text.charAt(at).toLowerCase()];
  if (short !== undefined) read(short.charCodeAt(0), at + 1);
  UNITS.lastIndex = at;
  const units = UNITS.exec(text);
  if (units === null) return;
  const [, high, low, one] = units;
  const all = [high, low, one].flatMap((unit) => (unit === undefined ? [] : Number.parseInt(unit, 16)));
  read(folded(String.fromCharCode(...all).codePointAt(0)!), UNITS.lastIndex);
}
