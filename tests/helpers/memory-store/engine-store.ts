/** The memory store as an engine opens it. The tables outlive the engine, as a file does. */
import { StoreListeners } from '../../../src/core/store/listeners.ts';
import type { OpenStore } from '../../../src/core/store/ports/store.ts';
import { memoryPorts } from './memory-store.ts';
import type { Tables } from './tables.ts';
import { MemoryUserCalls } from './user-calls.ts';
import { MemoryWriter, type WriterGuard } from './writer.ts';

/** Whatever an earlier engine has not committed is gone. */
export const memoryStoreOver =
  (tables: Tables, guard?: WriterGuard): OpenStore =>
  ({ timers, sealer }) => {
    tables.journal.rollBack();
    const listeners = new StoreListeners();
    const writer = new MemoryWriter(tables.journal, timers, listeners, guard);
    return {
      ports: memoryPorts(tables, writer, sealer),
      damage: { known: false },
      unscrubbed: false,
      onCommitted: (listener) => listeners.onCommitted(listener),
      onWritable: (listener) => listeners.onWritable(listener),
      onDamaged: (listener) => listeners.onDamaged(listener),
      openUserCalls: () => new MemoryUserCalls(tables),
      openSearch: () => {
        throw new Error('This store has no files.');
      },
      deleteSearch: () => {},
      endThreads: () => Promise.resolve(),
      close: () => writer.flush(),
    };
  };
