/** Many texts by their beginnings, so that one walk over another text meets all of them. */
export class TrieNode {
  /** By the number of a character; null while there is none. */
  next: Map<number, TrieNode> | null = null;
  /** What ends here. */
  readonly ends: number[] = [];

  /** Enters what ends behind these characters. */
  enter(characters: Iterable<number>, end: number): void {
    let node: TrieNode = this;
    for (const character of characters) {
      node.next ??= new Map();
      const next = node.next.get(character) ?? new TrieNode();
      node.next.set(character, next);
      node = next;
    }
    node.ends.push(end);
  }
}
