/**
 * The words that the model, the store, the contract and the interface share; each stands here once. This file imports
 * nothing, so that the contract and the page may take it without a schema library. Codes are stored and cross the
 * contract: a new one may come, an old one never changes.
 */

/** What a call asks for (Segment HTTP API). `delete` notices are made by Hookbench. */
export const CALL_TYPES = ['identify', 'track', 'page', 'screen', 'group', 'alias', 'delete'] as const;
export type CallType = (typeof CALL_TYPES)[number];

/** The types of stored messages: `unknown` is a rejected body that was no call. */
export const MESSAGE_TYPES = [...CALL_TYPES, 'unknown'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Where a call came from. */
export const ORIGINS = ['sdk', 'composer', 'import', 'audience', 'deletion'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Whether a message in this state has come to its end. The order is that of filters, tables and help texts. */
const STATE_IS_FINAL = {
  rejected: true,
  not_selected: true,
  queued: false,
  delivering: false,
  waiting: false,
  retrying: false,
  paused: false,
  delivered: true,
  failed: true,
  expired: true,
  stopped: true,
} as const;
export type MessageState = keyof typeof STATE_IS_FINAL;

export const MESSAGE_STATES = Object.keys(STATE_IS_FINAL) as [MessageState, ...MessageState[]];
export const FINAL_STATES: ReadonlySet<MessageState> = new Set(MESSAGE_STATES.filter((state) => STATE_IS_FINAL[state]));
/** The states of messages that something may still happen to. */
export const OPEN_STATES: readonly MessageState[] = MESSAGE_STATES.filter((state) => !STATE_IS_FINAL[state]);
/** In these states a message has a time at which its round is, or was, due. A paused one may have kept it. */
export const DUE_STATES: ReadonlySet<MessageState> = new Set(OPEN_STATES.filter((state) => state !== 'paused'));
/** A round is under way: `delivering` has a request open, `waiting` has none and waits for a free sender. */
export const UNDER_WAY_STATES: ReadonlySet<MessageState> = new Set(['delivering', 'waiting']);

/**
 * How an attempt ended (decisions, Delivery; delivery specification, section 7).
 *
 * - `accepted`: 2xx with complete headers within the limit
 * - `failed`: 5xx
 * - `timed_out`: no complete answer within the limit
 * - `no_connection`: DNS, refused, reset, or an answer that is not HTTP
 * - `refused_certificate`: the certificate was refused before a byte was written
 * - `declined`: 1xx, 3xx (never followed) and 4xx but 408 and 429
 * - `throttled`: 408 and 429
 * - `interrupted`: Hookbench stopped, erased the message or could not store the result while the attempt was open
 */
export const OUTCOMES = [
  'accepted',
  'failed',
  'timed_out',
  'no_connection',
  'refused_certificate',
  'declined',
  'throttled',
  'interrupted',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes that may be given another round. `accepted` never is, `interrupted` always. */
export const RETRYABLE = [
  'failed',
  'timed_out',
  'no_connection',
  'throttled',
  'declined',
  'refused_certificate',
] as const satisfies readonly Outcome[];
export type Retryable = (typeof RETRYABLE)[number];

/** What one character of a message's cells says: about a webhook, and about its last attempt where there was one. */
interface CellMeaning {
  readonly means: string;
  readonly outcome?: Outcome;
}

/** A message has five cells, one for each webhook slot: what the list shows without reading attempts. */
export const CELLS = {
  '.': { means: 'not tried' },
  s: { means: 'sending' },
  a: { means: 'accepted', outcome: 'accepted' },
  f: { means: 'failed', outcome: 'failed' },
  t: { means: 'timed out', outcome: 'timed_out' },
  n: { means: 'no connection', outcome: 'no_connection' },
  r: { means: 'certificate refused', outcome: 'refused_certificate' },
  d: { means: 'declined', outcome: 'declined' },
  m: { means: 'declined with a redirect', outcome: 'declined' },
  l: { means: 'throttled', outcome: 'throttled' },
  i: { means: 'interrupted', outcome: 'interrupted' },
  w: { means: 'waiting for a free sender' },
  x: { means: 'not needed' },
  p: { means: 'paused' },
} as const satisfies Record<string, CellMeaning>;
export type Cell = keyof typeof CELLS;
export const CELL_LETTERS = Object.keys(CELLS) as [Cell, ...Cell[]];

/** Five letters of {@link CELLS}. */
export type Cells = string;
export const EMPTY_CELLS: Cells = '.....';

/** The named sets of delivery rules. */
export const PROFILE_NAMES = ['documented', 'classic', 'actions', 'standard-webhooks'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** When the next round follows, unless a person says otherwise. Milliseconds of the retry clock. */
export const DEFAULT_RETRY = {
  baseMs: 10_000,
  factor: 2,
  maxMs: 1_200_000,
  windowMs: 14_400_000,
  jitter: 0.2,
  seed: 1,
} as const;

/** Why a call was rejected (decisions, Ingest). */
export const REJECT_REASONS = [
  'no_user_anon_id',
  'event_not_defined',
  'event_not_string',
  'group_id_required',
  'previous_id_required',
  'id_not_string',
  'properties_not_object',
  'traits_not_object',
  'context_not_object',
  'integrations_not_object',
  'unknown_type',
  'call_too_large',
  'batch_too_large',
  'empty_batch',
  'unknown_source',
  'source_disabled',
  'bad_timestamp',
  'message_id_too_long',
  'invalid_json',
  'not_an_object',
  'user_suppressed',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** Reasons that Segment's API answers with 400; to all others it answers 200, and drops the call. */
export const LOUD_REASONS = [
  'call_too_large',
  'batch_too_large',
  'invalid_json',
  'not_an_object',
] as const satisfies readonly RejectReason[];

/** Why a call was not selected for Webhooks (decisions, Selecting the destination). */
export const NOT_SELECTED_REASONS = [
  'integrations_off',
  'integrations_all_off',
  'destination_off',
  'source_destination_off',
  'no_webhook',
  'event_off',
  'imported',
] as const;
export type NotSelectedReason = (typeof NOT_SELECTED_REASONS)[number];

/** Why a source gets no notice about a user. `no_webhook`: the destination has none. */
export const NO_NOTICE_REASONS = ['does_not_know', 'destination_off', 'no_webhook', 'source_removed'] as const;
export type NoNoticeReason = (typeof NO_NOTICE_REASONS)[number];

/** What has become of a deletion request, as its notices say. */
export const DELETION_STATES = ['pending', 'running', 'done', 'partly_failed', 'failed'] as const;
export type DeletionState = (typeof DELETION_STATES)[number];

/** Why a message ended where its attempts do not say it. */
export const DELIVERY_REASONS = ['body_damaged', 'every_webhook_left_out'] as const;
export type DeliveryReason = (typeof DELIVERY_REASONS)[number];

/** What may be worth knowing about a call that was accepted. */
export const NOTE_CODES = [
  'id_number_to_string',
  'integrations_lower_case_all',
  'integrations_near_miss',
  'clock_skew_corrected',
  'timestamp_moved',
  'empty_array_to_object',
  'timestamp_missing',
  'message_id_assigned',
  'duplicate_key',
  'number_lost',
  'number_changed',
  'numbers_rewritten',
  'integer_keys_moved',
] as const;
export type NoteCode = (typeof NOTE_CODES)[number];

/** What became of a field on its way from the received call to the normalised one, or from that to the delivered body. */
export const CHANGE_KINDS = ['added', 'rewritten', 'left_out'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Why a field changed (change-reasons.ts). `unexplained`: no rule of this version makes such a change. */
export const CHANGE_REASONS = [
  'write_key',
  'path_type',
  'id_number_to_string',
  'message_id_assigned',
  'timestamp_missing',
  'original_timestamp',
  'time_utc',
  'time_millisecond',
  'clock_skew_corrected',
  'timestamp_moved',
  'timestamp_kept',
  'sent_at_of_batch',
  'received_at',
  'merged_from_batch',
  'ip_of_connection',
  'empty_array_to_object',
  'number_form',
  'number_changed',
  'number_lost',
  'not_documented',
  'not_in_delete',
  'user_id_sent',
  'empty_left_out',
  'alias_name',
  'destination_version',
  'context_always',
  'routing',
  'routing_all',
  'routing_near_miss',
  'unexplained',
] as const;
export type ChangeReason = (typeof CHANGE_REASONS)[number];

/**
 * Marks that a filter asks for with `is:`. `dropped`: Segment answers 200 and drops the call (`silent` is its older name);
 * `noted`: it has a note; `repeated`: its messageId came again; `replayed`: a person sent it again.
 */
export const MARKS = ['dropped', 'silent', 'noted', 'repeated', 'replayed'] as const;
export type Mark = (typeof MARKS)[number];

/**
 * Why nothing is sent, most pressing first. The last three leave something going out: of a damaged store all that can be
 * read is sent, a full one refuses only new calls, a paused retry clock holds only retries.
 */
export const NOT_SENDING_REASONS = [
  'stopping',
  'store_not_writable',
  'store_not_readable',
  'secret_unreadable',
  'headers_unreadable',
  'destination_off',
  'no_webhook',
  'webhooks_off',
  'by_person',
  'store_damaged',
  'store_full',
  'clock_paused',
] as const;
export type NotSendingReason = (typeof NOT_SENDING_REASONS)[number];

/** How a rule compares one value of a person or of a call. */
export const COMPARE_OPS = [
  'is',
  'is_not',
  'is_one_of',
  'contains',
  'starts_with',
  'ends_with',
  'above',
  'below',
  'exists',
  'before',
  'after',
] as const;
export type CompareOp = (typeof COMPARE_OPS)[number];

/** As a rule is read. */
export const COMPARE_WORDS: Readonly<Record<CompareOp, string>> = {
  is: 'is',
  is_not: 'is not',
  is_one_of: 'is one of',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  above: 'is above',
  below: 'is below',
  exists: 'exists',
  before: 'is before',
  after: 'is after',
};

/** How a rule compares the number of matching calls. */
export const COUNT_OPS = ['at_least', 'at_most', 'exactly'] as const;
export type CountOp = (typeof COUNT_OPS)[number];

export const COUNT_WORDS: Readonly<Record<CountOp, string>> = {
  at_least: 'at least',
  at_most: 'at most',
  exactly: 'exactly',
};

/** How many parts of a group must hold. */
export const GROUP_MATCHES = ['all', 'any', 'none'] as const;
export type GroupMatch = (typeof GROUP_MATCHES)[number];

/** What a computed trait makes of a person's matching calls. */
export const COMPUTED_KINDS = ['count', 'sum', 'last', 'most_frequent', 'first_seen', 'unique_list'] as const;
export type ComputedKind = (typeof COMPUTED_KINDS)[number];

/** Limits of rules and computed traits. Times are milliseconds of the retry clock. */
export const RULE_LIMITS = {
  /** Conditions and groups of a rule. */
  nodes: 31,
  /** Levels of groups, the rule itself included. */
  levels: 3,
  /** Tests of one `where`. */
  where: 8,
  /** Values of `is_one_of`. */
  values: 100,
  times: 10_000,
  withinMs: 10 * 365 * 86_400_000,
  pathCharacters: 200,
  valueCharacters: 1_000,
} as const;

/** A replay sends the delivered bytes, a rejected call as it was received, or bytes that a person changed. */
export const SENT_BODIES = ['delivered', 'received', 'edited'] as const;
export type SentBody = (typeof SENT_BODIES)[number];

/**
 * Why a replay ended. `done`: nothing was left to try. `expired`: no further round began within its window.
 * `interrupted`: Hookbench ended, or could not send.
 */
export const REPLAY_ENDS = ['done', 'expired', 'stopped', 'interrupted'] as const;
export type ReplayEnd = (typeof REPLAY_ENDS)[number];

/** A replay of many messages. `interrupted`: Hookbench ended while it ran. */
export type ReplayJobState = 'running' | 'done' | 'stopped' | 'failed' | 'interrupted';
