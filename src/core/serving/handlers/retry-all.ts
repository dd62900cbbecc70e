/** Tries every message that waits for a retry now, a batch at a time. */
import type { Handlers } from '../../../contract/channel.ts';
import type { RetriedAll } from '../../../contract/values.ts';
import type { Dispatcher } from '../../delivery/dispatcher.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { Clock } from '../../ports.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import { nextId } from './message-record.ts';

/** Messages of one transaction. */
const BATCH = 500;
/** How long one search for them may take. */
const SCAN_MS = 6;
/** One command works for this long, then returns how far it came. */
const WORK_MS = 1_000;

const RETRYING: ListFilter = { terms: [{ key: 'status', values: ['retrying'] }] };

export interface RetryAllDeps {
  readonly lists: Pick<ListStore, 'ids' | 'idRange'>;
  readonly dispatcher: Pick<Dispatcher, 'retryAllNow'>;
  readonly clock: Pick<Clock, 'mono'>;
}

export const retryAllHandlers = (deps: RetryAllDeps): Pick<Handlers, 'messages.retryAllNow'> => ({
  'messages.retryAllNow': ({ before }) => retryAll(deps, before ?? nextId(deps.lists)),
});

/** From the newest on, so that a message which fails again meanwhile is not met again. */
async function retryAll({ lists, dispatcher, clock }: RetryAllDeps, first: number): Promise<RetriedAll> {
  const until = clock.mono() + WORK_MS;
  let made = 0;
  for (let before = first; ; ) {
    const scanEnd = clock.mono() + SCAN_MS;
    const keepGoing = () => clock.mono() < scanEnd;
    const page = lists.ids({ filter: RETRYING, before, after: 0, limit: BATCH, keepGoing });
    if (page.ids.length > 0) made += await dispatcher.retryAllNow(page.ids);
    if (!page.more) return { made, next: null };
    before = page.scannedTo;
    if (page.ids.length === 0 || clock.mono() >= until) return { made, next: before };
  }
}
