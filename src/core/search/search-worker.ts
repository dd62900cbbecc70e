/** The thread of the index: a read-only handle on the store, and the index in its file. It serves until it is told to stop. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock, systemTimers } from '../adapters/clock.ts';
import { openSearch } from '../store/search-file.ts';
import type { ToSearch } from './messages.ts';
import { SearchHost } from './search-host.ts';

const parent = parentPort!;
const { workspace } = workerData as { readonly workspace: string };

const host = new SearchHost({
  stores: openSearch(workspace),
  clock: systemClock,
  timers: systemTimers,
  say: (message) => parent.postMessage(message),
});
parent.on('message', (message: ToSearch | { readonly type: 'stop' }) => {
  if (message.type !== 'stop') return host.receive(message);
  host.stop();
  parent.close();
});
host.start();
