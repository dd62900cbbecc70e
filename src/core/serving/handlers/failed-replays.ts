/** Sends the messages of all failed calls of a sync again, a chunk at a time. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError } from '../../../contract/errors.ts';
import type { FailedReplays } from '../../../contract/values.ts';
import type { DeliveryWebhook } from '../../delivery/webhooks.ts';
import type { Clock } from '../../ports.ts';
import type { Replayer } from '../../replay/replayer.ts';
import type { DueStore } from '../../store/ports/due.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import type { StoredCall, SyncStore } from '../../store/ports/syncs.ts';
import { type TargetDeps, targetsOf } from '../replay-asks.ts';

/** Replays of one transaction. */
const CHUNK = 50;
/** One command works for this long, then returns how far it came. */
const WORK_MS = 1_000;

export interface FailedReplayDeps extends TargetDeps {
  readonly lists: Pick<ListStore, 'message'>;
  readonly due: Pick<DueStore, 'wire'>;
  readonly syncs: Pick<SyncStore, 'sync' | 'calls' | 'failures'>;
  readonly replayer: Pick<Replayer, 'send' | 'room'>;
  readonly clock: Pick<Clock, 'mono'>;
}

type Became = Exclude<keyof FailedReplays, 'next' | 'unlisted'>;

export const failedReplayHandlers = (deps: FailedReplayDeps): Pick<Handlers, 'replay.sendFailed'> => ({
  'replay.sendFailed': (asked) => sendFailed(deps, asked),
});

/** An error after the first chunk ends the command: the next one, from `next` on, meets it again. */
async function sendFailed(
  deps: FailedReplayDeps,
  asked: { sync: number; webhookIds: readonly number[]; after?: number | undefined },
): Promise<FailedReplays> {
  const { sync, webhookIds, after = 0 } = asked;
  const until = deps.clock.mono() + WORK_MS;
  const left = unlisted(deps, sync);
  let done: FailedReplays = { ...NOTHING, unlisted: after === 0 ? left : 0, next: after };
  targetsOf(deps, { webhookIds });
  while (done.next !== null && deps.clock.mono() < until) {
    const calls = deps.syncs.calls({ syncId: sync, after: done.next, limit: CHUNK, only: 'failed' });
    try {
      const webhooks = targetsOf(deps, { webhookIds });
      const became = await Promise.all(calls.map((call) => replay(deps, call, webhooks)));
      done = { ...added(done, became), next: calls.length < CHUNK ? null : calls.at(-1)!.position };
    } catch (error) {
      if (done.next === after) throw error;
      return done;
    }
    await deps.replayer.room();
  }
  return done;
}

const NOTHING = { begun: 0, removed: 0, withoutBody: 0, damaged: 0 };

function added(before: FailedReplays, became: readonly Became[]): FailedReplays {
  const counts = { ...before };
  for (const one of became) counts[one] += 1;
  return counts;
}

/** Failed calls of which the sync keeps no row any more. Error `sync_not_found`. */
function unlisted({ syncs }: FailedReplayDeps, id: number): number {
  const sync = syncs.sync(id);
  if (sync === undefined) throw new ContractError('sync_not_found');
  if (sync.failed === null) return 0;
  return sync.failed - syncs.failures(id).reduce((sum, { count }) => sum + count, 0);
}

async function replay(
  { lists, due, replayer }: FailedReplayDeps,
  { messageId }: StoredCall,
  webhooks: readonly DeliveryWebhook[],
): Promise<Became> {
  const message = messageId === null ? undefined : lists.message(messageId);
  if (message === undefined) return 'removed';
  if (message.state === 'rejected') return 'withoutBody';
  const wire = due.wire(message.id);
  // An erased message that stays as a row has no size.
  if (wire === null) return message.size === 0 ? 'removed' : 'damaged';
  return (await replayer.send(message.id, message.round, wire, webhooks)) === null ? 'removed' : 'begun';
}
