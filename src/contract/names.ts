/** Names that both sides list. */
export const messageStates = [
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
export const callTypes = ['identify', 'track', 'page', 'screen', 'group', 'alias', 'delete', 'unknown'] as const;

/**
 * Marks that a filter asks for with `is:`. `dropped`: Segment answers 200 and drops the call (`silent` is its older name);
 * `noted`: something was done to it; `repeated`: its messageId came again; `replayed`: a person sent it again.
 */
export const marks = ['dropped', 'silent', 'noted', 'repeated', 'replayed'] as const;
export type Mark = (typeof marks)[number];

/** What a webhook's cell of a row can show, as `core/model/message.ts` writes it. */
export const cellNames = ['.', 's', 'a', 'f', 't', 'n', 'r', 'd', 'm', 'l', 'i', 'w', 'x', 'p'] as const;
export type CellName = (typeof cellNames)[number];

/** Reasons of rejection that Segment's API answers with 400; all others it answers with 200, and drops the call. */
export const loudReasons = ['call_too_large', 'batch_too_large', 'invalid_json', 'not_an_object'] as const;

/** Track events that one source may have switched off. */
export const MAX_EVENTS_OFF = 1_000;
/** Longer names are cut in lists, so that they cannot be told apart there and have no switch. */
export const MAX_EVENT_NAME = 300;

/** A write key is a Basic user name: no colon, blank or control character. */
export const writeKeyPattern = /^[\x21-\x39\x3b-\x7e]+$/;
