/** The store of the product, which refuses every write while it is told to, as on a full disk. */
import { StoreNotWritableError } from '../../src/core/ports.ts';
import type { Writer } from '../../src/core/store/ports/changes.ts';
import type { OpenStore } from '../../src/core/store/ports/store.ts';
import type { DeliveryWriter } from '../../src/core/store/rounds.ts';
import { openStores } from '../../src/core/store/stores.ts';

export class RefusingStore {
  refuses = false;
  /** Writes that were refused. */
  refused = 0;

  readonly open: OpenStore = (needs) => {
    const store = openStores(needs);
    // Its `write` goes through this, too.
    const writer = store.ports.writer as Writer & DeliveryWriter;
    const write = writer.writeTogether.bind(writer);
    writer.writeTogether = (...asked) => (this.refuses ? this.#refuse() : write(...asked));
    return store;
  };

  #refuse(): Promise<never> {
    this.refused += 1;
    return Promise.reject(new StoreNotWritableError('database or disk is full'));
  }
}
