/** The way to the index: a thread of its own, or for tests the engine's own thread. */
import {
  type Link,
  type OpenLink as OpenThread,
  ownThreadLink as openOwn,
  threadLink as openThread,
} from '../adapters/thread-link.ts';
import type { Clock, Timers } from '../ports.ts';
import type { SearchStores } from '../store/ports/search.ts';
import type { FromSearch, ToSearch } from './messages.ts';
import { SearchHost } from './search-host.ts';

export type SearchLink = Link<ToSearch>;
export type OpenLink = OpenThread<ToSearch, FromSearch>;

/** The newest segment has 2 MB, and what is read of it as much. */
const OLD_MB = 128;

/** A block of messages at a time is read, and then forgotten. */
const YOUNG_MB = 4;

/** `workerPath` is the built or source path of `search-worker.ts`, `workspace` the folder of the open store. */
export const threadLink = (workerPath: string | URL, workspace: string): OpenLink =>
  openThread({
    path: workerPath,
    data: { workspace },
    oldMb: OLD_MB,
    youngMb: YOUNG_MB,
    ended: 'The thread of the search index ended.',
  });

/** For tests: the work is done in this thread, in slices. Opening throws where the store cannot be opened. */
export const ownThreadLink = (open: () => SearchStores, clock: Pick<Clock, 'mono'>, timers: Timers): OpenLink =>
  openOwn((say) => new SearchHost({ stores: open(), clock, timers, say }));
