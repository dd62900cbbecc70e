import type { ReceiverStore, StoredReceiver } from '../../../src/core/store/ports/receivers.ts';
import type { Tables } from './tables.ts';

export class MemoryReceivers implements ReceiverStore {
  readonly #rows: Tables['receivers'];

  constructor({ receivers }: Tables) {
    this.#rows = receivers;
  }

  all(): StoredReceiver[] {
    return this.#rows.all().sort((a, b) => a.createdAt - b.createdAt);
  }

  save(receiver: StoredReceiver): void {
    const createdAt = this.#rows.get(receiver.id)?.createdAt ?? receiver.createdAt;
    this.#rows.set(receiver.id, { ...receiver, createdAt });
  }

  remove(id: string): boolean {
    return this.#rows.delete(id);
  }
}
