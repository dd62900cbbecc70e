/** Numbers for the kinds of calls: one for each track event, one for each other type. */
import type { CallType } from '../model/vocabulary.ts';

/** The kind of identify calls, which bring traits. */
export const IDENTIFY = 0;

export class Kinds {
  readonly #events = new Map<string, number>();
  readonly #types = new Map<CallType, number>([['identify', IDENTIFY]]);
  readonly #calls: number[] = [0];

  ofEvent(event: string): number {
    return this.#numberOf(this.#events, event);
  }

  of(type: CallType, event: string): number {
    return type === 'track' ? this.ofEvent(event) : this.#numberOf(this.#types, type);
  }

  #numberOf<K>(kinds: Map<K, number>, key: K): number {
    let kind = kinds.get(key);
    if (kind === undefined) {
      kind = this.#calls.length;
      this.#calls.push(0);
      kinds.set(key, kind);
    }
    return kind;
  }

  /** `by` calls more, or less, of a kind. */
  count(kind: number, by: 1 | -1): void {
    this.#calls[kind]! += by;
  }

  /** Calls of every event that has some, most frequent first. */
  events(limit: number): Array<{ readonly event: string; readonly calls: number }> {
    return [...this.#events]
      .map(([event, kind]) => ({ event, calls: this.#calls[kind]! }))
      .filter(({ calls }) => calls > 0)
      .sort((a, b) => b.calls - a.calls || (a.event < b.event ? -1 : 1))
      .slice(0, limit);
  }
}
