/** The way to the keeper of people: a thread of its own, or for tests the engine's own thread. */
import {
  type Link,
  type OpenLink as OpenThread,
  ownThreadLink as openOwn,
  threadLink as openThread,
} from '../adapters/thread-link.ts';
import type { Clock, Timers } from '../ports.ts';
import type { UserCallStore } from '../store/ports/user-calls.ts';
import type { FromPeople, ToPeople } from './messages.ts';
import { PeopleHost } from './people-host.ts';

export type PeopleLink = Link<ToPeople>;
export type OpenLink = OpenThread<ToPeople, FromPeople>;

/** A million people with a dozen traits each need about this much. */
const OLD_MB = 2_048;
const YOUNG_MB = 16;

/** `workerPath` is the built or source path of `people-worker.ts`, `workspace` the folder of the open store. */
export const threadLink = (workerPath: string | URL, workspace: string): OpenLink =>
  openThread({
    path: workerPath,
    data: { workspace },
    oldMb: OLD_MB,
    youngMb: YOUNG_MB,
    ended: 'The thread of people ended.',
  });

/** For tests: the work is done in this thread, in slices. Opening throws where the store cannot be opened. */
export const ownThreadLink = (open: () => UserCallStore, clock: Pick<Clock, 'mono'>, timers: Timers): OpenLink =>
  openOwn((say) => new PeopleHost({ store: open(), clock, timers, say }));
