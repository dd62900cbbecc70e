/** The store of the product, which refuses every write while it is told to, as on a full disk. */
import { StoreNotWritableError } from '../../src/core/ports.ts';
import type { Writer } from '../../src/core/store/ports/changes.ts';
import type { OpenStore } from '../../src/core/store/ports/store.ts';
import { openStores } from '../../src/core/store/stores.ts';

export class RefusingStore {
  refuses = false;
  /** Writes that were refused. */
  refused = 0;

  readonly open: OpenStore = (needs) => {
    const store = openStores(needs);
    const { writer } = store.ports;
    const write = writer.write.bind(writer);
    const guarded: Writer['write'] = (job, rows) => {
      if (!this.refuses) return write(job, rows);
      this.refused += 1;
      return Promise.reject(new StoreNotWritableError('database or disk is full'));
    };
    Object.assign(writer, { write: guarded });
    return store;
  };
}
