/** Sends stored messages again: one, or those of all failed calls of a sync. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError } from '../../../contract/errors.ts';
import type { FailedReplays } from '../../../contract/values.ts';
import type { Dispatcher } from '../../delivery/dispatcher.ts';
import type { DeliveryWebhook } from '../../delivery/webhooks.ts';
import type { Clock } from '../../ports.ts';
import type { Replayer } from '../../replay/replayer.ts';
import type { DetailStore } from '../../store/ports/details.ts';
import type { DueStore } from '../../store/ports/due.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import type { StoredCall, SyncStore } from '../../store/ports/syncs.ts';
import { UNREADABLE_HEADERS } from '../../workspace/webhooks.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { attemptView, replayView } from '../views.ts';
import { recordOf } from './message-record.ts';

/** Replays of one transaction. */
const CHUNK = 50;
/** One command works for this long, then returns how far it came. */
const WORK_MS = 1_000;

export interface ReplayDeps {
  readonly lists: Pick<ListStore, 'message' | 'idRange'>;
  readonly details: Pick<DetailStore, 'replay' | 'attemptsOf'>;
  readonly due: Pick<DueStore, 'wire'>;
  readonly syncs: Pick<SyncStore, 'sync' | 'calls' | 'failures'>;
  readonly dispatcher: Pick<Dispatcher, 'stopping'>;
  readonly replayer: Pick<Replayer, 'send' | 'room'>;
  readonly workspace: Workspace;
  readonly clock: Pick<Clock, 'mono'>;
}

type Became = Exclude<keyof FailedReplays, 'next' | 'unlisted'>;

export function replayHandlers(deps: ReplayDeps): Pick<Handlers, 'replay.send' | 'replay.sendFailed'> {
  const { lists, details, due, replayer } = deps;
  return {
    'replay.send': async ({ id, webhookIds }) => {
      const { round, state } = recordOf(lists, id);
      const wire = due.wire(id);
      if (wire === null) throw new ContractError(state === 'rejected' ? 'no_delivered_body' : 'body_damaged');
      const replayId = await replayer.send(id, round, wire, targets(deps, webhookIds));
      if (replayId === null) throw new ContractError('message_not_found', 'This message was removed meanwhile.');
      return replayView(details.replay(replayId)!, details.attemptsOf(id).map(attemptView));
    },
    'replay.sendFailed': (asked) => sendFailed(deps, asked),
  };
}

/** The chosen webhooks, when a replay may be sent to them now. */
function targets({ dispatcher, workspace }: ReplayDeps, webhookIds: readonly number[]): DeliveryWebhook[] {
  if (dispatcher.stopping) throw new ContractError('stopped', 'Hookbench is stopping, so nothing new is sent.');
  if (workspace.destination.secret.state === 'unreadable') throw new ContractError('secret_unreadable');
  if (!workspace.secretsReadable) throw new ContractError('secret_unreadable', UNREADABLE_HEADERS);
  return [...new Set(webhookIds)].map((webhookId) => workspace.webhooks.get(webhookId));
}

/** An error after the first chunk ends the command: the next one, from `next` on, meets it again. */
async function sendFailed(
  deps: ReplayDeps,
  asked: { sync: number; webhookIds: readonly number[]; after?: number | undefined },
): Promise<FailedReplays> {
  const { sync, webhookIds, after = 0 } = asked;
  const until = deps.clock.mono() + WORK_MS;
  const left = unlisted(deps, sync);
  let done: FailedReplays = { ...NOTHING, unlisted: after === 0 ? left : 0, next: after };
  targets(deps, webhookIds);
  while (done.next !== null && deps.clock.mono() < until) {
    const calls = deps.syncs.calls({ syncId: sync, after: done.next, limit: CHUNK, only: 'failed' });
    try {
      const webhooks = targets(deps, webhookIds);
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
function unlisted({ syncs }: ReplayDeps, id: number): number {
  const sync = syncs.sync(id);
  if (sync === undefined) throw new ContractError('sync_not_found');
  if (sync.failed === null) return 0;
  return sync.failed - syncs.failures(id).reduce((sum, { count }) => sum + count, 0);
}

async function replay(
  { lists, due, replayer }: ReplayDeps,
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
