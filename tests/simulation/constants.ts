const MINUTE = 60_000;

/** How long a process stays down, in milliseconds. The window may end meanwhile. */
export const BACK_IN = [10, 1_000, 1_000, 5_000, MINUTE, 10 * MINUTE, 300 * MINUTE] as const;

/** The error code of failures that affect only reads. */
export const READ_ERROR = 'SQLITE_IOERR_READ';

/** How long the user waits before repeating a failed start. */
export const START_AGAIN_IN = [5_000, MINUTE, 10 * MINUTE] as const;
