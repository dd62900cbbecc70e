/**
 * Every command of the contract: a zod schema for its argument and a type for its result.
 * zod runs at the engine's edge; both sides take their types from here.
 */
import { z } from 'zod';
import { audienceCommands } from './audiences.ts';
import type { CallChangesView } from './call-changes.ts';
import { command, gives } from './command.ts';
import { deletionCommands } from './deletions.ts';
import { demoCommands } from './demo.ts';
import { type ExportSlice, exportFields, exportIds, exportSettingCommands, importCommands } from './exchange.ts';
import { faultCommands } from './faults.ts';
import { COUNTED_KEYS, type ValueCount } from './filter.ts';
import { messageFilter } from './filter-schema.ts';
import type { Hello } from './live.ts';
import { MAX_EVENT_NAME, PROFILE_NAMES, WRITE_KEY_PATTERN } from './names.ts';
import { OVERVIEW_RANGES, type OverviewView } from './overview.ts';
import { peopleCommands } from './people.ts';
import { personCommands } from './persons.ts';
import { receiverCommands } from './receivers.ts';
import { replayCommands } from './replays.ts';
import { rulesInput } from './rules.ts';
import { savedFilterCommands } from './saved-filters.ts';
import { searchCommands } from './search.ts';
import { signatureCommands } from './signature-commands.ts';
import { storageInput } from './storage.ts';
import type {
  AttemptBodies,
  AttemptView,
  AuthorityView,
  ClockView,
  DestinationView,
  HttpsView,
  IngestSettingsView,
  MessageDetail,
  MessageRow,
  MessageStateName,
  ProfileComparison,
  RawRequestView,
  RetriedAll,
  SourceEvents,
  SourceView,
  StatusView,
  TriedView,
  WebhookView,
} from './values.ts';
import { workspaceCommands } from './workspaces.ts';

export type { MessageFilter } from './filter.ts';
export { messageFilter } from './filter-schema.ts';

z.config({ jitless: true });

const id = z.number().int().positive();
const none = z.null().optional();
const eventName = z.string().min(1).max(MAX_EVENT_NAME);

export const headerInput = z.strictObject({
  name: z.string().max(256),
  /** Null keeps the stored value of the header with this name. */
  value: z.string().max(8192).nullable(),
  /** Place in the stored list of the header whose value null keeps, because names may repeat. */
  at: z.number().int().min(0).max(49).optional(),
  /**
   * Shows the value in clear, also in attempts. When left out, a kept header keeps its choice and a new value is a
   * secret.
   */
  shown: z.boolean().optional(),
});

export const sourceInput = z.strictObject({
  id: id.optional(),
  name: z.string().trim().min(1).max(100),
  /** Made when absent. */
  writeKey: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(WRITE_KEY_PATTERN, 'no spaces, colons or control characters')
    .optional(),
  kind: z.enum(['server', 'web', 'mobile']),
  enabled: z.boolean(),
  webhooks: z.boolean(),
});

export const webhookInput = z.strictObject({
  id: id.optional(),
  name: z.string().trim().max(100),
  url: z.string().trim().max(4096),
  headers: z.array(headerInput).max(50),
  enabled: z.boolean(),
});

export const destinationInput = rulesInput.extend({
  enabled: z.boolean().optional(),
  /** Pauses or resumes all delivery. */
  paused: z.boolean().optional(),
  /** Applies all rules of a profile. Rules given beside it win. */
  profile: z.enum(PROFILE_NAMES).optional(),
  /** Absolute path of a PEM file of certificates to trust beside the known authorities; null for none. */
  caFile: z.string().trim().min(1).max(4096).nullable().optional(),
});

export const ingestInput = z.strictObject({
  mode: z.enum(['segment', 'strict']).optional(),
  acceptAnyKey: z.boolean().optional(),
  dedupe: z.boolean().optional(),
  correctEveryTimestamp: z.boolean().optional(),
});

const counted = { filter: messageFilter, before: id.optional(), after: z.number().int().min(0).optional() };

/** How far a count is. `newest` and `oldest` are the ids at the ends of the whole list, 0 when it is empty. */
export interface CountStep {
  readonly scannedTo: number;
  readonly more: boolean;
  readonly newest: number;
  readonly oldest: number;
  /** The length of the whole list. All are of the time of the answer. */
  readonly total: number;
}

export const commands = {
  /**
   * Subscribes this connection to changes and returns the state. With `since`, a batch with the changes since then
   * follows.
   */
  'app.hello': command(
    z.strictObject({ since: z.strictObject({ epoch: z.string(), seq: z.number().int() }).optional() }),
    gives<Hello>(),
  ),
  /** Hidden windows get a batch every 500 ms. */
  'app.visibility': command(z.strictObject({ hidden: z.boolean() }), gives<null>()),
  'app.status': command(none, gives<StatusView>()),

  /**
   * Row ids and rows of the unfiltered list by rank (oldest = 0), from `fromRank` to `fromRank + count - 1`, at most
   * 500. Ranks are stable while nothing is removed.
   */
  'messages.window': command(
    z.strictObject({ fromRank: z.number().int().min(0), count: z.number().int().min(1).max(500) }),
    gives<{ total: number; rows: MessageRow[] }>(),
  ),
  /** The place of each of these messages in the whole list, oldest = 0; null for one that is not stored. */
  'messages.ranks': command(
    z.strictObject({ ids: z.array(id).max(10000) }),
    gives<{ total: number; ranks: Array<number | null> }>(),
  ),
  /**
   * Newest-first ids that match, below `before` and above `after`, and the rows of the first `rows` of them (0 when left
   * out). Scans downwards for a bounded time, and somewhat longer for the first row when rows are asked for. When `more`
   * is true, ask again with `before: scannedTo` and the same `after`.
   */
  'messages.ids': command(
    z.strictObject({
      filter: messageFilter,
      before: id.optional(),
      after: z.number().int().min(0).optional(),
      limit: z.number().int().min(1).max(10000),
      rows: z.number().int().min(0).max(500).optional(),
    }),
    gives<{ ids: number[]; rows: MessageRow[]; scannedTo: number; more: boolean }>(),
  ),
  /**
   * How many messages below `before` and above `after` match, by state, without states at 0. Scans for a bounded time,
   * newest first. When `more` is true, ask again with `before: scannedTo` and add the counts.
   */
  'messages.counts': command(
    z.strictObject(counted),
    gives<{ counts: Partial<Record<MessageStateName, number>> } & CountStep>(),
  ),
  /**
   * The values of a key among the messages that match, with how many messages have each, in steps like those of
   * `messages.counts`. One answer has a few thousand values at most. `contract/filter.ts` says what a value means
   * (`termOfValue`).
   */
  'messages.values': command(
    z.strictObject({ ...counted, key: z.enum(COUNTED_KEYS) }),
    gives<{ counts: ValueCount[] } & CountStep>(),
  ),
  /** The message that was received nearest to a time, and its place in the whole list; nulls in an empty store. */
  'messages.at': command(
    z.strictObject({ time: z.number().int() }),
    gives<{ rank: number | null; row: MessageRow | null }>(),
  ),
  'messages.byIds': command(z.strictObject({ ids: z.array(id).max(500) }), gives<MessageRow[]>()),
  /** The messages with this messageId, oldest first. */
  'messages.find': command(z.strictObject({ messageId: z.string().min(1).max(1_000) }), gives<MessageRow[]>()),
  /** By row id. Error `message_not_found`. */
  'messages.get': command(z.strictObject({ id }), gives<MessageDetail>()),
  /**
   * The call as received, normalised and delivered, field by field. Null when the bytes of its request were not a call,
   * or are gone. Error `message_not_found`.
   */
  'messages.changes': command(z.strictObject({ id }), gives<CallChangesView | null>()),
  /** Errors `message_not_found`, `request_not_found`. */
  'messages.raw': command(z.strictObject({ id }), gives<RawRequestView>()),
  'messages.attempts': command(z.strictObject({ id }), gives<TriedView>()),
  'attempts.bodies': command(z.strictObject({ id }), gives<AttemptBodies>()),
  /** Newest first, for the command line. At most 1,000 a page. */
  'messages.list': command(
    z.strictObject({ filter: messageFilter, before: id.optional(), limit: z.number().int().min(1).max(1000) }),
    gives<{ rows: MessageRow[]; nextBefore: number | null }>(),
  ),
  /** Oldest first, for the command line. Of one message (by its messageId) or of all. */
  'attempts.list': command(
    z.strictObject({
      messageId: z.string().optional(),
      after: z.number().int().min(0).optional(),
      limit: z.number().int().min(1).max(1000),
    }),
    gives<{ rows: Array<AttemptView & { message: string }>; nextAfter: number | null }>(),
  ),
  /**
   * One slice of a file with the messages that a filter selects, oldest first, or with those of `ids` that still exist.
   * Ask again with the slice's `next` as `cursor`, and everything else the same, until that is null. An export that
   * nobody asks on is over.
   */
  'messages.export': command(
    z.strictObject({
      ...exportFields,
      of: z.union([z.strictObject({ filter: messageFilter }), z.strictObject({ ids: exportIds })]),
    }),
    gives<ExportSlice>(),
  ),
  /** Makes a waiting message due at once. Error `not_waiting`. */
  'messages.retryNow': command(z.strictObject({ id }), gives<MessageRow>()),
  /**
   * Makes the messages that wait for a retry due at once, the newest first. Works for about a second: ask again with
   * `next` as `before` until that is null. A message that is due already, or that began to wait after the first
   * question, may be left out and is not counted.
   */
  'messages.retryAllNow': command(z.strictObject({ before: id.optional() }), gives<RetriedAll>()),
  /** Stops the retries of a message. Error `already_final`. */
  'messages.stop': command(z.strictObject({ id }), gives<MessageRow>()),
  /** Sends a sample track call through the ingest of the first enabled source. Error `no_source`. */
  'messages.sendSample': command(none, gives<{ messageId: string }>()),
  /** Ingests the held calls of an unknown write key after its source was added. */
  'messages.reingestHeld': command(z.strictObject({ writeKey: z.string() }), gives<{ calls: number }>()),

  ...signatureCommands,

  /** Errors `write_key_taken`, `source_not_found`. */
  'sources.save': command(sourceInput, gives<SourceView>()),
  /** The track events of a source with their counts. Error `source_not_found`. */
  'sources.events': command(z.strictObject({ id }), gives<SourceEvents>()),
  /**
   * Turns sending of track calls with this event to Webhooks on or off. Errors `source_not_found`, `too_many_events`.
   */
  'sources.switchEvent': command(z.strictObject({ id, event: eventName, on: z.boolean() }), gives<SourceView>()),
  'sources.remove': command(z.strictObject({ id }), gives<null>()),
  /**
   * Errors `invalid_url`, `too_many_webhooks`, `invalid_header` (with `field`), `webhook_not_found`; and `app_only` on
   * the local socket, when it would reveal a hidden stored value.
   */
  'webhooks.save': command(webhookInput, gives<WebhookView>()),
  /**
   * The value of one static header, for the user's clipboard. No other answer contains a hidden value. Errors
   * `app_only` on the local socket, `webhook_not_found`, `header_not_found`, `secret_unreadable`.
   */
  'webhooks.headerValue': command(
    z.strictObject({ id, name: z.string().max(256), at: z.number().int().min(0).max(49) }),
    gives<{ value: string }>(),
  ),
  'webhooks.remove': command(z.strictObject({ id }), gives<null>()),
  /** Error `ca_file_invalid`. */
  'destination.save': command(destinationInput, gives<DestinationView>()),
  /** How one message's recorded attempts would have ended under a profile. Error `message_not_found`. */
  'messages.underProfile': command(z.strictObject({ id, profile: z.enum(PROFILE_NAMES) }), gives<ProfileComparison>()),
  /** Null turns signing off. */
  'destination.setSecret': command(
    z.strictObject({ secret: z.string().min(1).max(1024).nullable() }),
    gives<DestinationView>(),
  ),
  /** Makes a random secret, stores it and returns it this once. */
  'destination.newSecret': command(none, gives<{ secret: string; destination: DestinationView }>()),
  'clock.setSpeed': command(
    z.strictObject({ speed: z.union([z.literal(1), z.literal(10), z.literal(60), z.literal(240)]) }),
    gives<ClockView>(),
  ),
  'clock.pause': command(none, gives<ClockView>()),
  'clock.resume': command(none, gives<ClockView>()),
  /** Jumps ahead to the next planned round. Error `nothing_waiting`. */
  'clock.step': command(none, gives<ClockView>()),
  /** Aggregates for the Overview. The number of message and attempt rows it reads does not grow with the store. */
  'overview.get': command(z.strictObject({ range: z.enum(OVERVIEW_RANGES) }), gives<OverviewView>()),
  /** Changes the storage limits. Messages beyond them are removed within seconds. */
  'storage.save': command(storageInput, gives<StatusView>()),
  /**
   * Removes final messages, oldest first, with ids above `after` and up to `upTo` (by default the newest), for about a
   * second. When `next` is given there may be more: ask again with it as `after`. Never removes a waiting message or
   * the newest one.
   */
  'storage.clear': command(
    z.strictObject({ after: z.number().int().min(0).optional(), upTo: id.optional() }),
    gives<{ removed: number; next: { after: number; upTo: number } | null }>(),
  ),
  /**
   * The settings of the workspace as the text of a config file, without secrets. `variables` names the environment
   * variables that stand for them. Error `secret_unreadable`.
   */
  'config.export': command(none, gives<{ text: string; variables: string[] }>()),
  /** Takes effect with the next request. */
  'ingest.save': command(ingestInput, gives<IngestSettingsView>()),
  /**
   * Tries to listen again. When `port` is given, listens there and saves it once that works. When the new port is not
   * available, continues on the old one. Errors `port_in_use`, `cannot_listen`.
   */
  'ingest.listen': command(
    z.strictObject({ port: z.number().int().min(0).max(65535).optional() }),
    gives<StatusView>(),
  ),
  /**
   * Turns the https listener on or off, and saves that and the port. With neither given, tries again with the saved
   * settings. A port in use is a state in the answer, not an error.
   */
  'ingest.https': command(
    z.strictObject({ enabled: z.boolean().optional(), port: z.number().int().min(0).max(65535).optional() }),
    gives<HttpsView>(),
  ),
  /** The certificate to trust, as PEM. Makes it when there is none. Error `authority_failed`. */
  'ingest.authority': command(none, gives<AuthorityView & { pem: string }>()),
  ...replayCommands(messageFilter),
  ...exportSettingCommands,
  ...importCommands,
  ...savedFilterCommands,
  ...receiverCommands,
  ...faultCommands,
  ...peopleCommands,
  ...searchCommands,
  ...personCommands,
  ...audienceCommands,
  ...deletionCommands,
  ...demoCommands,
  ...workspaceCommands,
} as const;

export type CommandName = keyof typeof commands;
export type CommandInput<N extends CommandName> = z.input<(typeof commands)[N]['input']>;
export type CommandOutput<N extends CommandName> = (typeof commands)[N]['output'];
