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

/** A write key is a Basic user name: no colon, blank or control character. */
export const writeKeyPattern = /^[\x21-\x39\x3b-\x7e]+$/;
