/** What keeps the store within its limits. */
import { Retention } from '../retention/retention.ts';
import { StoreSize } from '../serving/store-size.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { StoreParts } from './store-parts.ts';

export function createKeepingParts({ clock, timers, logger }: EnginePorts, base: StoreParts) {
  const { store, stores, write, workspace, counters } = base;
  const storeSize = new StoreSize(clock, () => stores.retention.bytes());
  const retention = new Retention({
    store: stores.retention,
    write,
    limits: () => workspace.storage.limits,
    use: () => ({ messages: counters.total(), bytes: storeSize.bytes() }),
    clock,
    timers,
    logger,
  });
  store.onCommitted((changes) => retention.committed(changes));
  return { storeSize, retention };
}
