/** The writer's port: how a transaction is requested, and what it changed. */
import type { MessageState } from '../../model/vocabulary.ts';

/**
 * What a transaction changed, handed on after its commit. Only a writer makes one, so holding it proves that the code
 * runs inside a transaction. Every writing method of a store requires it.
 */
export class Changes {
  readonly inserted: number[] = [];
  readonly messages = new Set<number>();
  readonly removed: number[] = [];
  /** Messages that stay as rows and lost their content and their user. */
  readonly emptied: number[] = [];
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

  emptiedMessage(id: number): void {
    this.emptied.push(id);
    this.messages.add(id);
  }

  #count(state: MessageState, by: number): void {
    this.counts.set(state, (this.counts.get(state) ?? 0) + by);
  }
}

/** The only writer of a store. All writes requested in one turn of the event loop make one transaction. */
export interface Writer {
  /** False from a write that the store failed until the next write that succeeds. */
  readonly writable: boolean;
  /**
   * Resolves after the commit of the transaction in which `job` ran; `rows` is about how many rows it writes. Rejects
   * with StoreNotWritableError (StoreDamagedError when a page is damaged), or with what `job` threw; then only that
   * job's writes are undone.
   */
  write<T>(job: (changes: Changes) => T, rows?: number): Promise<T>;
  /** Commits all requested writes now. */
  flush(): void;
}
