/** Decides how much is kept and what has to go. Pure rules (docs/behaviour.md, Storage). */

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

/** By which factor a limit may be exceeded while room is being made. */
const SLACK = 1.05;
const DAY_MS = 86_400_000;

/** How many messages one transaction removes: few, so that nothing waits for it. */
export const PURGE_STEP = 200;

export const isOver = (limits: StorageLimits, use: StorageUse): boolean =>
  use.messages > limits.maxMessages || use.bytes > limits.maxBytes;

/** True when nothing more may be stored: far over a limit, or at it with nothing left to remove. */
export const isFull = (limits: StorageLimits, use: StorageUse, nothingToRemove: boolean): boolean =>
  use.messages >= limits.maxMessages * SLACK ||
  use.bytes >= limits.maxBytes * SLACK ||
  (nothingToRemove && (use.messages >= limits.maxMessages || use.bytes >= limits.maxBytes));

/** Final messages received before this wall time are removed even while there is room. */
export const oldestKept = (limits: StorageLimits, now: number): number => now - limits.maxAgeDays * DAY_MS;

/** How many of the oldest final messages the next step removes to make room. */
export function toRemove(limits: StorageLimits, use: StorageUse): number {
  const tooMany = Math.max(0, use.messages - limits.maxMessages);
  const bytesOver = Math.max(0, use.bytes - limits.maxBytes);
  const forBytes = bytesOver === 0 ? 0 : Math.ceil((bytesOver / use.bytes) * use.messages);
  return Math.min(PURGE_STEP, Math.max(tooMany, forBytes));
}
