const MINUTE = 60_000;

/** How long a process stays away, in milliseconds; the window may end meanwhile. */
export const BACK_IN = [10, 1_000, 1_000, 5_000, MINUTE, 10 * MINUTE, 300 * MINUTE] as const;

/** The code that only reads fail with. */
export const READ_ERROR = 'SQLITE_IOERR_READ';

/** How long a person waits before the next try of a start that failed. */
export const START_AGAIN_IN = [5_000, MINUTE, 10 * MINUTE] as const;
