/** A transaction of the writer as others see it: what it changes, and how it is asked for. */
import type { MessageState } from '../../model/vocabulary.ts';

/**
 * What a transaction changed; handed on after its commit. Only a writer makes one, so whoever is given it is inside a
 * transaction: every method of a store that writes asks for it.
 */
export class Changes {
  readonly inserted: number[] = [];
  readonly messages = new Set<number>();
  readonly removed: number[] = [];
  readonly counts = new Map<MessageState, number>();

  insertedMessage(id: number, state: MessageState): void {
    this.inserted.push(id);
    this.messages.add(id);
    this.#count(state, 1);
  }

  movedMessage(id: number, from: MessageState, to: MessageState): void {
    this.messages.add(id);
    if (from === to) return;
    this.#count(from, -1);
    this.#count(to, 1);
  }

  removedMessage(id: number, state: MessageState): void {
    this.removed.push(id);
    this.messages.delete(id);
    this.#count(state, -1);
  }

  #count(state: MessageState, by: number): void {
    this.counts.set(state, (this.counts.get(state) ?? 0) + by);
  }
}

/** The one writer of a store. What is asked for in one turn of the event loop is one transaction. */
export interface Writer {
  /** False from a write that failed for the store's sake until one succeeds. */
  readonly writable: boolean;
  /**
   * Resolves after the commit of the transaction in which `job` ran; `rows` is about how many rows it writes. Rejects
   * with StoreNotWritableError (StoreDamagedError where a page is damaged), or with what `job` threw: then only what
   * that job wrote is undone.
   */
  write<T>(job: (changes: Changes) => T, rows?: number): Promise<T>;
  /** Commits everything asked for so far, at once. */
  flush(): void;
}
