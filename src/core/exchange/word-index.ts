/** Which of many values have all their words in a text, without a look for each of them. */
import { TrieNode } from './trie.ts';

type Words = readonly string[];

export class WordIndex {
  readonly #words: readonly Words[];
  /** Each value at that of its words which the fewest others have. */
  readonly #root = new TrieNode();

  /** Values without words must not be among them: they are in every text. */
  constructor(words: readonly Words[]) {
    this.#words = words;
    const counts = new Map<string, number>();
    for (const word of words.flatMap((all) => [...new Set(all)])) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [i, all] of words.entries()) {
      const rarest = all.reduce((a, b) => (counts.get(b)! < counts.get(a)! ? b : a));
      this.#root.enter(codesOf(rarest), i);
    }
  }

  /** Whether some value has all of its words in this text, which is in lower case. */
  isAnyIn(lower: string): boolean {
    const seen = new Map<string, boolean>();
    const has = (word: string): boolean => {
      const known = seen.get(word) ?? lower.includes(word);
      seen.set(word, known);
      return known;
    };
    const looked = new Set<TrieNode>();
    for (let from = 0; from < lower.length; from += 1) {
      let node = this.#root.next?.get(lower.charCodeAt(from));
      for (let at = from + 1; node !== undefined; at += 1) {
        if (node.ends.length > 0 && !looked.has(node)) {
          looked.add(node);
          seen.set(lower.slice(from, at), true);
          if (node.ends.some((i) => this.#words[i]!.every(has))) return true;
        }
        node = node.next?.get(lower.charCodeAt(at));
      }
    }
    return false;
  }
}

/** Words are letters and digits of ASCII. */
const codesOf = (word: string): number[] => Array.from(word, (character) => character.charCodeAt(0));
