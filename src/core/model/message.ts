/**
 * The states of a message and the outcomes that cells show. The moves between
 * states are in `moves.ts`; the CHECKs of the messages table repeat this list.
 *
 *   received -> rejected | not_selected | queued
 *   queued   -> delivering -> delivered | retrying | failed
 *   retrying -> delivering | expired
 *   queued, retrying -> paused -> queued, retrying      (no webhook is on)
 *   queued, retrying, paused -> stopped                 (by a person)
 */
export const CALL_TYPES = ['identify', 'track', 'page', 'screen', 'group', 'alias', 'delete'] as const;
export type CallType = (typeof CALL_TYPES)[number];

export const MESSAGE_STATES = [
  'rejected',
  'not_selected',
  'queued',
  'delivering',
  'retrying',
  'paused',
  'delivered',
  'failed',
  'expired',
  'stopped',
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export const FINAL_STATES: ReadonlySet<MessageState> = new Set([
  'rejected',
  'not_selected',
  'delivered',
  'failed',
  'expired',
  'stopped',
]);

export const ORIGINS = ['sdk', 'composer', 'import', 'audience', 'deletion'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Why a call was rejected (decisions, Ingest). Stable codes. */
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
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** Why a call was not selected for Webhooks (decisions, Selecting the destination). */
export const NOT_SELECTED_REASONS = [
  'integrations_off',
  'integrations_all_off',
  'destination_off',
  'source_destination_off',
  'no_webhook',
  'event_off',
] as const;
export type NotSelectedReason = (typeof NOT_SELECTED_REASONS)[number];

/** Why a message ended where its attempts do not say it. */
export const DELIVERY_REASONS = ['body_damaged', 'every_webhook_left_out'] as const;
export type DeliveryReason = (typeof DELIVERY_REASONS)[number];

/** Something worth telling about a call that was accepted. `field` is a path, `detail` free text. */
export interface Note {
  readonly code:
    | 'id_number_to_string'
    | 'integrations_lower_case_all'
    | 'integrations_near_miss'
    | 'clock_skew_corrected'
    | 'timestamp_moved'
    | 'empty_array_to_object'
    | 'timestamp_missing'
    | 'message_id_assigned'
    | 'duplicate_key'
    | 'number_lost'
    | 'number_changed'
    | 'numbers_rewritten'
    | 'integer_keys_moved';
  readonly field?: string;
  readonly detail?: string;
}

/**
 * Five characters, one per webhook slot: what the list shows without reading attempts.
 * `.` not tried, `s` sending, `a` accepted, `f` failed, `t` timed out, `n` no connection,
 * `r` refused certificate, `d` declined, `m` moved (3xx), `l` throttled, `i` interrupted,
 * `w` waiting for the next round, `x` not needed, `p` paused.
 */
export type Cells = string;
export const EMPTY_CELLS: Cells = '.....';
