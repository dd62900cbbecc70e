/** The open store, what the engine keeps of it in memory, and the feed of its changes. */
import { Authorities } from '../delivery/authorities.ts';
import { OpenPorts } from '../ingest/open-ports.ts';
import { Feed } from '../serving/feed.ts';
import { Counters } from '../serving/status.ts';
import type { Writer } from '../store/ports/changes.ts';
import { Stores } from '../store/stores.ts';
import { Workspace } from '../workspace/workspace.ts';
import type { EngineOptions } from './engine-options.ts';
import type { EnginePorts } from './engine-ports.ts';
import { loadedRanks } from './loaded-ranks.ts';

export type StoreParts = ReturnType<typeof createStoreParts>;

/** Opens the store. Throws a StoreOpenError; then nothing is held. */
export function createStoreParts(options: EngineOptions, ports: EnginePorts) {
  const { clock, timers, ids } = ports;
  const stores = new Stores(options.workspace, ports, { accept: options.acceptStore });
  const write: Writer['write'] = (job, rows) => stores.writer.write(job, rows);

  const feed = new Feed(clock, timers);
  const statusChanged = (): void => feed.touch('status');
  const counters = new Counters(stores.lists.counts());
  const ranks = loadedRanks(stores.lists, counters.total());
  stores.onCommitted((changes) => counters.committed(changes));
  stores.onCommitted((changes) => ranks.committed(changes));
  stores.onCommitted((changes) => feed.committed(changes));
  stores.onDamaged(statusChanged);

  const openPorts = new OpenPorts(options.uiPort);
  const workspace = new Workspace({
    store: stores.workspace,
    write,
    clock,
    ids,
    ownPorts: () => openPorts.all(),
    authorities: new Authorities(ports.readFile),
    changed: (part) => {
      feed.touch(part);
      statusChanged();
    },
  });
  return { stores, write, feed, statusChanged, counters, ranks, openPorts, workspace };
}
