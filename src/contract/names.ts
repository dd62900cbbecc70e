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
 * What a message can be asked to be. `silent`: Segment answers 200 and drops the call; `noted`: something was done to
 * it; `repeated`: its messageId came again; `replayed`: a person sent it again.
 */
export const marks = ['silent', 'noted', 'repeated', 'replayed'] as const;
export type Mark = (typeof marks)[number];

/** Reasons of rejection that Segment's API answers with 400; all others it answers with 200, and drops the call. */
export const loudReasons = ['call_too_large', 'invalid_json', 'not_an_object'] as const;

/** A write key is a Basic user name: no colon, blank or control character. */
export const writeKeyPattern = /^[\x21-\x39\x3b-\x7e]+$/;
