/** The thread beside the engine's, for work that can wait: the search index, and moving the store's log into its main file. */
import { systemClock, systemTimers } from '../adapters/clock.ts';
import { serveParts } from '../adapters/shared-thread.ts';
import { SearchHost } from '../search/search-host.ts';
import { openCheckpointFile } from '../store/checkpoint-file.ts';
import { openSearch } from '../store/search-file.ts';

serveParts({
  /** A read-only handle on the store, and the index in its file. */
  search: ({ workspace }: { readonly workspace: string }, say) =>
    new SearchHost({ stores: openSearch(workspace), clock: systemClock, timers: systemTimers, say }),
  /** Makes one pass for each message. */
  log: ({ path }: { readonly path: string }, say) => {
    const file = openCheckpointFile(path);
    return { start() {}, receive: () => say(file.pass()), stop: () => file.close() };
  },
});
