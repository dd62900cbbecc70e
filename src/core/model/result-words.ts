import type { StoredResult } from './stored.ts';

/** Their values are counts of bytes and seconds. */
const COUNTS = new Set(['content-length', 'retry-after', 'age']);

/** Without the lengths that stand for secret values. */
const texts = (headers: StoredResult['requestHeaders']): unknown[] =>
  headers.filter(([name]) => !COUNTS.has(name.toLowerCase())).map(([name, value]) => [name, value]);

/**
 * JSON text of what a result could say of a user: what was sent and answered beside the bodies, and why it failed. Times
 * and sizes are left out, because they equal the ids of users who have numbers for ids.
 */
export const wordsOf = ({ detail, statusText, requestHeaders, responseHeaders, certificate }: StoredResult): string =>
  JSON.stringify([detail, statusText, texts(requestHeaders), texts(responseHeaders), certificate]);
