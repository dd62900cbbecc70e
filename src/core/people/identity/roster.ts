/** Everyone with what the list says of them, in the order of their newest calls. A change costs the same however many they are. */
import type { PersonKey } from '../../../contract/persons.ts';

/** A person in the list of everyone. */
export interface SeenPerson {
  readonly key: PersonKey;
  /** Row id of the newest call. */
  readonly newest: number;
  /** Row id of the oldest call. */
  readonly oldest: number;
  readonly calls: number;
  /** Null until they are counted for the first time. */
  readonly findings: number | null;
  /** Whether {@link findings} are those of the calls of now. */
  readonly isCounted: boolean;
}

/** What is known without counting. */
export type Seen = Pick<SeenPerson, 'newest' | 'oldest' | 'calls'>;

interface Entry {
  readonly key: PersonKey;
  newest: number;
  oldest: number;
  calls: number;
  findings: number | null;
  isCounted: boolean;
  /** Its place in the line. */
  place: number;
}

/** A line that is shorter is not worth closing the gaps. */
const SHORT = 64;

export const personText = ({ kind, id }: PersonKey): string => `${kind} ${id}`;

export class Roster {
  readonly #entries = new Map<string, Entry>();
  /** The one seen last stands last. Gaps are where somebody went or moved on. */
  #line: Array<Entry | null> = [];
  #isSorted = true;
  /** People whose findings were counted, and those of them who have some. */
  #counted = 0;
  #withFindings = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** How many people's findings were never counted. */
  get uncounted(): number {
    return this.#entries.size - this.#counted;
  }

  /** Of the people who were counted. */
  get withFindings(): number {
    return this.#withFindings;
  }

  /** Harmless for somebody who is gone. */
  setFindings(key: PersonKey, findings: number): void {
    const entry = this.#entries.get(personText(key));
    if (entry === undefined) return;
    this.#tally(entry, -1);
    entry.findings = findings;
    entry.isCounted = true;
    this.#tally(entry, 1);
  }

  #tally({ findings }: Entry, by: 1 | -1): void {
    if (findings === null) return;
    this.#counted += by;
    if (findings > 0) this.#withFindings += by;
  }

  /** The findings of somebody may be others now. */
  recount(key: PersonKey): void {
    const entry = this.#entries.get(personText(key));
    if (entry !== undefined) entry.isCounted = false;
  }

  /** One more call of a person, newer than all calls before. */
  bump(key: PersonKey, call: number): void {
    const entry = this.#entries.get(personText(key));
    if (entry === undefined) return this.#append(entryOf(key, { newest: call, oldest: call, calls: 1 }));
    entry.newest = call;
    entry.calls += 1;
    entry.isCounted = false;
    if (entry.place === this.#line.length - 1) return;
    this.#line[entry.place] = null;
    this.#push(entry);
  }

  #append(entry: Entry): void {
    this.#entries.set(personText(entry.key), entry);
    this.#push(entry);
  }

  #push(entry: Entry): void {
    entry.place = this.#line.length;
    this.#line.push(entry);
    if (this.#line.length > SHORT && this.#line.length > 2 * this.#entries.size) this.#close();
  }

  /** What is true of a person now; null takes it out. */
  set(key: PersonKey, now: Seen | null): void {
    const entry = this.#entries.get(personText(key));
    if (now === null) {
      if (entry === undefined) return;
      this.#entries.delete(personText(key));
      this.#tally(entry, -1);
      this.#line[entry.place] = null;
    } else if (entry === undefined) {
      this.#isSorted &&= now.newest > this.#newestAtEnd();
      this.#append(entryOf(key, now));
    } else {
      this.#isSorted &&= entry.newest === now.newest;
      entry.newest = now.newest;
      entry.oldest = now.oldest;
      entry.calls = now.calls;
      entry.isCounted = false;
    }
  }

  #newestAtEnd(): number {
    while (this.#line.length > 0 && this.#line.at(-1) === null) this.#line.pop();
    return this.#line.at(-1)?.newest ?? 0;
  }

  #close(): void {
    this.#line = this.#line.filter((entry) => entry !== null);
    for (const [place, entry] of this.#line.entries()) entry!.place = place;
  }

  /** The one seen last first. */
  *newestFirst(): Generator<SeenPerson> {
    if (!this.#isSorted) this.#sort();
    for (let place = this.#line.length - 1; place >= 0; place -= 1) {
      const entry = this.#line[place];
      if (entry !== null && entry !== undefined) yield entry;
    }
  }

  /** Nearly in order already, so that this is quick. */
  #sort(): void {
    this.#line = this.#line.filter((entry) => entry !== null).sort((a, b) => a!.newest - b!.newest);
    this.#close();
    this.#isSorted = true;
  }
}

const entryOf = (key: PersonKey, seen: Seen): Entry => ({ key, ...seen, findings: null, isCounted: false, place: 0 });
