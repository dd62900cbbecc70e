/** Replays: one message as it was or edited, all failed calls of a sync, or many messages as one job. */
import { z } from 'zod';
import type { ReplayJobState, SentBody } from '../core/model/vocabulary.ts';
import { command, gives } from './command.ts';
import { REPLAY_LIMITS, REPLAY_ORDERS } from './replay-limits.ts';
import type { FailedReplays, ReplayView } from './values.ts';
import type { HeaderView } from './webhook-view.ts';

/** A replay as it would be sent. */
export interface ReplayPreview {
  /** `received`: a rejected call, as it came. */
  sent: SentBody;
  bodyBase64: string;
  /** Why the bytes are no JSON; `line` from 1, null where no line is at fault. */
  problem: { line: number | null; text: string } | null;
  /** The headers that Hookbench would send itself, the signature included. */
  headers: HeaderView[];
}

/** A replay of many messages. `total` = begun + removed + damaged + those still to come, or never sent. */
export interface ReplayJobView {
  id: number;
  createdAt: number;
  finishedAt: number | null;
  state: ReplayJobState;
  /** Why it failed. */
  problem: string | null;
  total: number;
  targets: number;
  rate: number;
  /** Replays stored and under way, or ended. */
  begun: number;
  /** Their messages were removed or erased meanwhile. */
  removed: number;
  /** Nothing of them can be read that could be sent. */
  damaged: number;
}

const id = z.number().int().positive();
const webhookIds = z.array(id).max(5);

/** Any webhooks, receivers of the lab (by id) and other URLs; at least one. */
const to = {
  webhookIds,
  receivers: z.array(z.string().min(1).max(64)).max(REPLAY_LIMITS.elsewhere).optional(),
  urls: z.array(z.string().trim().max(4096)).max(REPLAY_LIMITS.elsewhere).optional(),
};

/** Signed, with the stored timestamp, when left out. */
const how = { sign: z.boolean().optional(), newTimestamp: z.boolean().optional() };

/** Both are off when left out. */
const course = { untilAccepted: z.boolean().optional(), retry: z.boolean().optional() };

/**
 * Sent to every target; one of a webhook with the same name is left out. Values are secrets, as those of webhooks are,
 * unless `shown`.
 */
const headers = z
  .array(z.strictObject({ name: z.string().max(256), value: z.string().max(8192), shown: z.boolean().optional() }))
  .max(50)
  .optional();

/** Sent exactly so, as UTF-8. Without it, the stored bytes are sent. */
const body = z.string().max(REPLAY_LIMITS.bodyBytes).optional();

/** `filter` is the filter of lists. */
export const replayCommands = <F extends z.ZodType>(filter: F) => ({
  /**
   * Sends a message again: the delivered bytes, a rejected call as it was received, or `body`. Each target gets it once
   * and at once; with `untilAccepted` one after another until one accepts it. With `retry`, what failed is tried again
   * in rounds by the delivery rules, until its window ends. The message stays as it is. Errors `message_not_found`, `no_delivered_body`, `body_damaged`, `no_target`,
   * `webhook_not_found`, `receiver_not_found`, `receivers_off`, `invalid_url`, `loop_url`, `invalid_header`,
   * `secret_unreadable`, `too_many_waiting_replays`, `stopped`.
   */
  'replay.send': command(z.strictObject({ id, ...to, ...how, ...course, headers, body }), gives<ReplayView>()),
  /** Begins no further attempt of a replay. Error `replay_job_not_running`. */
  'replay.stop': command(z.strictObject({ id }), gives<null>()),
  /**
   * The bytes and headers that `replay.send` would send now. Errors as there: of the message, and of targets and their
   * headers when `webhookIds` are given.
   */
  'replay.preview': command(
    z.strictObject({ id, ...to, webhookIds: webhookIds.optional(), ...how, headers, body }),
    gives<ReplayPreview>(),
  ),
  /** The bytes that an edited replay sent. Error `replay_not_found`, also for one that sent stored bytes. */
  'replay.body': command(z.strictObject({ id }), gives<{ bodyBase64: string }>()),
  /**
   * Resends the stored bytes of the failed calls of a sync, in order, for about a second. The sync and its ledger stay
   * as they are. `after` is a position. Errors `sync_not_found`, `webhook_not_found`, `secret_unreadable`, `stopped`.
   */
  'replay.sendFailed': command(
    z.strictObject({ sync: id, webhookIds: webhookIds.min(1), after: z.number().int().min(0).optional() }),
    gives<FailedReplays>(),
  ),
  /** How many messages match, and the newest id there is. Error `too_many_replays`. */
  'replay.count': command(z.strictObject({ filter }), gives<{ messages: number; upTo: number }>()),
  /**
   * Begins a job that replays the messages with these `ids`, or those that match `filter` with ids up to `upTo`, in the
   * order received or the newest first, at most `rate` a second. Each is sent as it was. One job runs at once; the live part `replayJob`
   * tells how far it is. Errors `replay_job_running`, `too_many_replays`, and those of the targets.
   */
  'replay.bulk': command(
    z.strictObject({
      select: z.union([
        z.strictObject({ ids: z.array(id).min(1).max(REPLAY_LIMITS.ids) }),
        z.strictObject({ filter, upTo: z.number().int().min(0).optional() }),
      ]),
      ...to,
      ...how,
      /** As they were received when left out. */
      order: z.enum(REPLAY_ORDERS).optional(),
      rate: z.number().int().min(1).max(REPLAY_LIMITS.rate).optional(),
    }),
    gives<ReplayJobView>(),
  ),
  /** Begins no further replay of this job. Error `replay_job_not_running`. */
  'replay.stopBulk': command(z.strictObject({ id }), gives<null>()),
});
