/** Those who listen to a store. */
import type { Store, StoreEvents } from './ports/store.ts';

export class StoreListeners implements StoreEvents, Pick<Store, 'onCommitted' | 'onWritable' | 'onDamaged'> {
  readonly #committed: Array<StoreEvents['committed']> = [];
  readonly #writable: Array<StoreEvents['writable']> = [];
  readonly #damaged: Array<() => void> = [];

  onCommitted(listener: StoreEvents['committed']): void {
    this.#committed.push(listener);
  }

  onWritable(listener: StoreEvents['writable']): void {
    this.#writable.push(listener);
  }

  onDamaged(listener: () => void): void {
    this.#damaged.push(listener);
  }

  committed(...changes: Parameters<StoreEvents['committed']>): void {
    for (const listener of this.#committed) listener(...changes);
  }

  writable(writable: boolean): void {
    for (const listener of this.#writable) listener(writable);
  }

  damaged(): void {
    for (const listener of this.#damaged) listener();
  }
}
