/** The open store, what the engine keeps of it in memory, and the feed of its changes. */
import { Authorities } from '../delivery/authorities.ts';
import { OpenPorts } from '../ingest/open-ports.ts';
import { receivedCalls } from '../ingest/received-call.ts';
import { Feed } from '../serving/feed.ts';
import { Counters } from '../serving/status.ts';
import type { Writer } from '../store/ports/changes.ts';
import { Workspace } from '../workspace/workspace.ts';
import { backgroundThread } from './background.ts';
import { checkpointer } from './checkpointer.ts';
import type { EngineOptions } from './engine-options.ts';
import type { EnginePorts } from './engine-ports.ts';
import { loadedRanks } from './loaded-ranks.ts';

export type StoreParts = ReturnType<typeof createStoreParts>;

/** Opens the store. Throws a StoreOpenError; then nothing is held. */
export function createStoreParts(options: EngineOptions, ports: EnginePorts) {
  const { clock, timers, ids, sealer, logger } = ports;
  const { workspace: folder, acceptStore, backgroundWorker } = options;
  const background = backgroundWorker === undefined ? null : backgroundThread(backgroundWorker);
  const store = ports.openStore({
    workspace: folder,
    accept: acceptStore,
    clock,
    timers,
    sealer,
    logger,
    receivedCalls,
    openCheckpointer: background === null ? undefined : checkpointer(background, folder),
  });
  const stores = store.ports;
  const write: Writer['write'] = (job, rows) => stores.writer.write(job, rows);

  const feed = new Feed(clock, timers);
  const statusChanged = (): void => feed.touch('status');
  const counters = new Counters(stores.lists.counts());
  const ranks = loadedRanks(stores.lists, counters.total());
  store.onCommitted((changes) => counters.committed(changes));
  store.onCommitted((changes) => ranks.committed(changes));
  store.onCommitted((changes) => feed.committed(changes));
  store.onDamaged(statusChanged);

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
  return { store, stores, background, write, feed, statusChanged, counters, ranks, openPorts, workspace };
}
