/** How much is kept, and what has to go: pure rules (docs/behaviour.md, Storage). */

export interface StorageLimits {
  readonly maxMessages: number;
  /** Bytes in use in the store's file. */
  readonly maxBytes: number;
  readonly maxAgeDays: number;
}

export const DEFAULT_STORAGE: StorageLimits = { maxMessages: 100_000, maxBytes: 1024 ** 3, maxAgeDays: 30 };

export interface StorageUse {
  readonly messages: number;
  readonly bytes: number;
}

/** By how much a limit may be passed while room is being made. */
const SLACK = 1.05;
const DAY_MS = 86_400_000;

/** Messages removed in one transaction: short, so that nothing waits for it. */
export const PURGE_STEP = 200;

export const isOver = (limits: StorageLimits, use: StorageUse): boolean =>
  use.messages > limits.maxMessages || use.bytes > limits.maxBytes;

/** Whether nothing more may be taken: far over a limit, or at it with nothing left that may go. */
export const isFull = (limits: StorageLimits, use: StorageUse, nothingToRemove: boolean): boolean =>
  use.messages >= limits.maxMessages * SLACK ||
  use.bytes >= limits.maxBytes * SLACK ||
  (nothingToRemove && (use.messages >= limits.maxMessages || use.bytes >= limits.maxBytes));

/** Final messages received before this wall time are removed whatever room there is. */
export const oldestKept = (limits: StorageLimits, now: number): number => now - limits.maxAgeDays * DAY_MS;

/** How many of the oldest final messages the next step removes for want of room. */
export function toRemove(limits: StorageLimits, use: StorageUse): number {
  const tooMany = Math.max(0, use.messages - limits.maxMessages);
  const bytesOver = Math.max(0, use.bytes - limits.maxBytes);
  const forBytes = bytesOver === 0 ? 0 : Math.ceil((bytesOver / use.bytes) * use.messages);
  return Math.min(PURGE_STEP, Math.max(tooMany, forBytes));
}
