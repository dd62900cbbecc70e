/** Limits of deletion requests, for the page too. */
export const DELETION_LIMITS = {
  /** Lines of one request. */
  userIds: 10_000,
  userIdCharacters: 32_768,
  /** Rows of one window. */
  rows: 200,
} as const;

/**
 * The user ids of a text with one id on each line, exactly as written. Only line ends and the mark at the start of a file
 * are taken away; empty lines are left out.
 */
export const userIdLines = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '');
