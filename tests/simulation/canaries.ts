/** Secrets of every world. They must never be in a log line, cross the contract, or be in the store unsealed. */
export const CANARY_HEADER = 'canary-header-value';
export const CANARY_SECRET = 'canary-shared-secret';
/** The text that both contain. */
export const CANARY = 'canary-';
