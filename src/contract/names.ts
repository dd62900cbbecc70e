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
