/** Sends stored messages again, one at a time, and shows what would be sent. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError } from '../../../contract/errors.ts';
import type { ReplayPreview } from '../../../contract/replays.ts';
import type { Sender } from '../../delivery/sender.ts';
import { parseJsonBytes } from '../../model/json.ts';
import { findJsonError } from '../../model/json-error.ts';
import type { Clock } from '../../ports.ts';
import { MAX_WAITING, type Replayer } from '../../replay/replayer.ts';
import type { DetailStore } from '../../store/ports/details.ts';
import type { DueStore } from '../../store/ports/due.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import type { ReplayStore } from '../../store/ports/replays.ts';
import { bytesToSend, storedBytes, type TargetDeps, targetsOf } from '../replay-asks.ts';
import { attemptView, headerView, replayView } from '../views.ts';
import { recordOf } from './message-record.ts';

export interface ReplayDeps extends TargetDeps {
  readonly lists: Pick<ListStore, 'message' | 'idRange'>;
  readonly details: Pick<DetailStore, 'replay' | 'attemptsOf' | 'request'>;
  readonly due: Pick<DueStore, 'wire'>;
  readonly replays: Pick<ReplayStore, 'bodyOf'>;
  readonly replayer: Pick<Replayer, 'send' | 'stop' | 'waiting'>;
  readonly sender: Pick<Sender, 'ownHeaders'>;
  readonly clock: Pick<Clock, 'wall'>;
}

type ReplayCommand = 'replay.send' | 'replay.stop' | 'replay.preview' | 'replay.body';

export function replayHandlers(deps: ReplayDeps): Pick<Handlers, ReplayCommand> {
  const { lists, details, replayer, sender, clock } = deps;
  return {
    'replay.send': async (ask) => {
      const { id, sign: signed = true, untilAccepted = false, retry: retries = false } = ask;
      if (retries && replayer.waiting >= MAX_WAITING) throw new ContractError('too_many_waiting_replays');
      const message = recordOf(lists, id);
      const { wire, sent } = bytesToSend(storedBytes(deps, message), ask, clock.wall());
      const targets = targetsOf(deps, ask);
      deps.workspace.webhooks.hideHeaders(targets);
      const replayId = await replayer.send(id, message.round, wire, targets, {
        sent,
        signed,
        course: { untilAccepted, retries },
      });
      if (replayId === null) throw new ContractError('message_not_found', 'This message was removed meanwhile.');
      return replayView(details.replay(replayId)!, details.attemptsOf(id).map(attemptView));
    },
    'replay.stop': ({ id }) => {
      if (!replayer.stop(id)) throw new ContractError('replay_job_not_running');
      return null;
    },
    'replay.preview': (ask): ReplayPreview => {
      const { wire, sent } = bytesToSend(storedBytes(deps, recordOf(lists, ask.id)), ask, clock.wall());
      if (ask.webhookIds !== undefined) targetsOf(deps, { ...ask, webhookIds: ask.webhookIds });
      const headers = sender.ownHeaders(wire, ask.id, ask.sign !== false).map(headerView);
      return { sent, bodyBase64: Buffer.from(wire).toString('base64'), problem: problemOf(wire), headers };
    },
    'replay.body': ({ id }) => {
      const body = deps.replays.bodyOf(id);
      if (body === null) throw new ContractError('replay_not_found');
      return { bodyBase64: Buffer.from(body).toString('base64') };
    },
  };
}

function problemOf(wire: Uint8Array): ReplayPreview['problem'] {
  const parsed = parseJsonBytes(wire);
  if (parsed.ok) return null;
  const { kind, detail } = parsed.problem;
  const place = kind === 'syntax' ? findJsonError(Buffer.from(wire).toString('utf8')) : null;
  return { line: place?.line ?? null, text: detail };
}
