/** Secrets of every world: never in a log line, never over the contract, never in the store but sealed. */
export const CANARY_HEADER = 'canary-header-value';
export const CANARY_SECRET = 'canary-shared-secret';
/** What both have in them. */
export const CANARY = 'canary-';
