import type { ReceiverStore, StoredReceiver } from '../../../src/core/store/ports/receivers.ts';
import type { Table } from './table.ts';
import type { Tables } from './tables.ts';

export class MemoryReceivers<S> implements ReceiverStore<S> {
  readonly #rows: Table<StoredReceiver<S>>;

  constructor(tables: Tables) {
    this.#rows = tables.receivers as Table<StoredReceiver<S>>;
  }

  all(): StoredReceiver<S>[] {
    return this.#rows.all().sort((a, b) => a.createdAt - b.createdAt);
  }

  save(receiver: StoredReceiver<S>): void {
    const createdAt = this.#rows.get(receiver.id)?.createdAt ?? receiver.createdAt;
    this.#rows.set(receiver.id, { ...receiver, createdAt });
  }

  remove(id: string): boolean {
    return this.#rows.delete(id);
  }
}
