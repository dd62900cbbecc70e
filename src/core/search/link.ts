/** The way to the index: in the background thread, or for tests in the engine's own. */
import type { SharedThread } from '../adapters/shared-thread.ts';
import { type Link, type OpenLink as OpenThread, ownThreadLink as openOwn } from '../adapters/thread-link.ts';
import type { Clock, Timers } from '../ports.ts';
import type { SearchStores } from '../store/ports/search.ts';
import type { FromSearch, ToSearch } from './messages.ts';
import { SearchHost } from './search-host.ts';

export type SearchLink = Link<ToSearch>;
export type OpenLink = OpenThread<ToSearch, FromSearch>;

/** `workspace` is the folder of the open store. */
export const threadLink = (thread: SharedThread, workspace: string): OpenLink => thread.part('search', { workspace });

/** For tests: the work is done in this thread, in slices. Opening throws where the store cannot be opened. */
export const ownThreadLink = (open: () => SearchStores, clock: Pick<Clock, 'mono'>, timers: Timers): OpenLink =>
  openOwn((say) => new SearchHost({ stores: open(), clock, timers, say }));
