/** Replays of many messages: how many a filter means, and the job that sends them. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError, errorCodes } from '../../../contract/errors.ts';
import { REPLAY_LIMITS } from '../../../contract/replay-limits.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { Clock, Timers } from '../../ports.ts';
import type { BulkReplay, Replayed } from '../../replay/bulk-replay.ts';
import type { Replayer } from '../../replay/replayer.ts';
import type { DetailStore } from '../../store/ports/details.ts';
import type { DueStore } from '../../store/ports/due.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import { bytesToSend, storedBytes, type TargetAsk, type TargetDeps, targetsOf } from '../replay-asks.ts';

/** How long one step of a search holds up the others. */
const SCAN_MS = 6;
const PAGE = 10_000;

export interface BulkReplayHandlerDeps extends TargetDeps {
  readonly lists: Pick<ListStore, 'ids' | 'idRange' | 'message' | 'messages'>;
  readonly details: Pick<DetailStore, 'request'>;
  readonly due: Pick<DueStore, 'wire'>;
  readonly bulkReplay: BulkReplay;
  readonly replayer: Pick<Replayer, 'send'>;
  readonly clock: Clock;
  readonly timers: Timers;
}

type BulkCommand = 'replay.count' | 'replay.bulk' | 'replay.stopBulk';

export function bulkReplayHandlers(deps: BulkReplayHandlerDeps): Pick<Handlers, BulkCommand> {
  const { lists, bulkReplay } = deps;
  return {
    'replay.count': async ({ filter }) => {
      const upTo = lists.idRange()?.last ?? 0;
      return { messages: (await matching(deps, filter, upTo)).length, upTo };
    },
    'replay.bulk': async ({ select, order = 'oldest', rate = REPLAY_LIMITS.defaultRate, ...ask }) => {
      const targets = targetsOf(deps, ask).length;
      const upTo = lists.idRange()?.last ?? 0;
      const ids =
        'ids' in select
          ? [...new Set(select.ids)].sort((a, b) => a - b)
          : await matching(deps, select.filter, Math.min(select.upTo ?? upTo, upTo));
      if (order === 'newest') ids.reverse();
      if (bulkReplay.isRunning) throw new ContractError('replay_job_running');
      const send = (id: number, jobId: number): Promise<Replayed> => replay(deps, ask, id, jobId);
      return bulkReplay.start({ ids, targets, rate, send, problemOf });
    },
    'replay.stopBulk': ({ id }) => {
      if (!bulkReplay.stop(id)) throw new ContractError('replay_job_not_running');
      return null;
    },
  };
}

/** Ids in the order received. Error `too_many_replays`. */
async function matching(
  { lists, clock, timers }: BulkReplayHandlerDeps,
  filter: ListFilter,
  upTo: number,
): Promise<number[]> {
  const found: number[] = [];
  for (let before = upTo + 1; ; ) {
    const until = clock.mono() + SCAN_MS;
    const page = lists.ids({ filter, before, after: 0, limit: PAGE, keepGoing: () => clock.mono() < until });
    found.push(...page.ids);
    if (found.length > REPLAY_LIMITS.messages) throw new ContractError('too_many_replays');
    if (!page.more) return found.reverse();
    before = page.scannedTo;
    await new Promise<void>((resolve) => timers.soon(resolve));
  }
}

/** Looks at the targets each time: a webhook may have been edited or removed since. */
async function replay(
  deps: BulkReplayHandlerDeps,
  ask: TargetAsk & { readonly newTimestamp?: boolean | undefined },
  id: number,
  jobId: number,
): Promise<Replayed> {
  const targets = targetsOf(deps, ask);
  const message = deps.lists.message(id);
  // An erased message that stays as a row has no size.
  if (message === undefined || message.size === 0) return 'removed';
  const bytes = readable(() => storedBytes(deps, message));
  if (bytes === null) return 'damaged';
  const { wire, sent } = bytesToSend(bytes, ask, deps.clock.wall());
  const how = { sent, signed: ask.sign !== false, jobId };
  return (await deps.replayer.send(id, message.round, wire, targets, how)) === null ? 'removed' : 'begun';
}

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ContractError) return null;
    throw error;
  }
}

function problemOf(error: unknown): string {
  if (error instanceof ContractError) return error.message;
  const isStore = (error as { code?: unknown } | null)?.code === 'store_not_writable';
  return errorCodes[isStore ? 'store_not_writable' : 'internal'];
}
