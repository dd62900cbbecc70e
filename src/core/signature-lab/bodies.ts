/** The bodies that a verifier may have hashed in place of the one that was sent, from the likeliest on. */
import { createHash } from 'node:crypto';
import type { BodyChange } from '../../contract/signature-lab.ts';
import { parseJsonBytes } from '../model/json.ts';
import { BYTE_CHANGES } from './byte-changes.ts';
import { type JsonNode, readTree } from './json-tree.ts';
import { pythonDict } from './python-dict.ts';
import { rubyHash } from './ruby-hash.ts';
import { COMPACT, type Style, writeJson } from './write-json.ts';
import { HABITS, LIBRARIES, type Library } from './writers.ts';

export interface ChangedBody {
  readonly changes: readonly BodyChange[];
  readonly bytes: Uint8Array;
  /** The library that writes these bytes, when it was tried as a whole. */
  readonly library?: string;
}

type StylePart = keyof Style;
interface Habit {
  readonly change: BodyChange;
  readonly part: StylePart;
  readonly style: Partial<Style>;
}

/** As it was sent but for white space, which a tree does not keep. */
const AS_SENT: Style = { spacing: COMPACT };
const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

export class Bodies {
  /** Bodies made so far, those given already among them. */
  made = 0;
  readonly #sent: Uint8Array;
  /** Null when the body is not JSON. */
  readonly #tree: JsonNode | null;
  /** Digests of the bodies that were given already: no two are equal. */
  readonly #given = new Set<string>();
  /** Habits that change this body, found among the single changes. */
  readonly #habits: Habit[] = [];

  constructor(sent: Uint8Array) {
    this.#sent = sent;
    const parsed = parseJsonBytes(sent);
    this.#tree = parsed.ok ? readTree(parsed.text) : null;
  }

  /**
   * The bodies that take `cost` changes, whole libraries among those that take one; null in place of a body that was
   * given already, so that no step makes more than one. Ask for each cost once, from 0.
   */
  *ofCost(cost: number): Generator<ChangedBody | null> {
    if (cost === 0) yield this.#new([], this.#sent);
    if (cost === 1) {
      yield* this.#singleHabits();
      yield* this.#byteChanges({ changes: [], bytes: this.#sent });
      yield* this.#libraries();
    }
    if (cost >= 2) {
      for (const body of this.#habitsTogether(cost)) yield this.#new(body.changes, body.bytes);
      for (const body of this.#habitsTogether(cost - 1)) yield* this.#byteChanges(body);
      if (cost === 2) for (const library of LIBRARIES) yield* this.#byteChanges(this.#writtenBy(library));
    }
  }

  /** The libraries that write exactly these bytes, one library a step. */
  *writersOf(bytes: Uint8Array): Generator<void, string[]> {
    const writers = new Set<string>();
    for (const library of LIBRARIES) {
      if (Buffer.compare(this.#writtenBy(library).bytes, bytes) === 0) writers.add(library.name);
      yield;
    }
    return [...writers];
  }

  /** Null when these bytes were given already. */
  #new(changes: readonly BodyChange[], bytes: Uint8Array): ChangedBody | null {
    this.made += 1;
    const digest = createHash('sha1').update(bytes).digest('binary');
    if (this.#given.has(digest)) return null;
    this.#given.add(digest);
    return { changes, bytes };
  }

  *#singleHabits(): Generator<ChangedBody | null> {
    if (this.#tree === null) return;
    const plain = writeJson(this.#tree, AS_SENT);
    for (const [change, style] of HABITS) {
      const written = writeJson(this.#tree, { ...AS_SENT, ...style });
      if (written !== plain) this.#habits.push({ change, part: Object.keys(style)[0] as StylePart, style });
      yield this.#new([change], utf8(written));
    }
    yield this.#new(['python_dict'], utf8(pythonDict(this.#tree)));
    yield this.#new(['ruby_hash'], utf8(rubyHash(this.#tree, ' => ')));
    yield this.#new(['ruby_hash_before'], utf8(rubyHash(this.#tree, '=>')));
  }

  *#byteChanges({ changes, bytes }: ChangedBody): Generator<ChangedBody | null> {
    for (const [change, make] of BYTE_CHANGES) {
      const made = make(bytes);
      if (made !== null) yield this.#new([...changes, change], made);
    }
  }

  *#libraries(): Generator<ChangedBody | null> {
    for (const library of LIBRARIES) {
      const { changes, bytes } = this.#writtenBy(library);
      const body = this.#new(changes, bytes);
      yield body === null ? null : { ...body, library: library.name };
    }
  }

  /** With the habits of the library that change this body. */
  #writtenBy({ style, end }: Library): ChangedBody {
    if (this.#tree === null) return { changes: [], bytes: this.#sent };
    const changes = this.#habits
      .filter(({ part, style: habit }) => Object.is(style[part], habit[part]))
      .map(({ change }) => change);
    const bytes = utf8(writeJson(this.#tree, style) + (end ?? ''));
    return { changes: end === undefined ? changes : [...changes, 'newline'], bytes };
  }

  /** Each choice of `count` habits with parts of their own. */
  *#habitsTogether(count: number): Generator<ChangedBody> {
    if (this.#tree === null) return;
    for (const habits of choices(this.#habits, count)) {
      const style = Object.assign({ ...AS_SENT }, ...habits.map((habit) => habit.style)) as Style;
      yield { changes: habits.map(({ change }) => change), bytes: utf8(writeJson(this.#tree, style)) };
    }
  }
}

function* choices(habits: readonly Habit[], count: number): Generator<readonly Habit[]> {
  if (count === 0) return yield [];
  for (const [i, habit] of habits.entries()) {
    const others = habits.slice(i + 1).filter(({ part }) => part !== habit.part);
    for (const rest of choices(others, count - 1)) yield [habit, ...rest];
  }
}
