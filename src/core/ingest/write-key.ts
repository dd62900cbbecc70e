/**
 * The write key of a request (Segment HTTP API, Authentication; decisions, Ingest): the Basic user name if it is not
 * empty, else the body's `writeKey`, else that of the first call. A Bearer token does not name a source.
 */
import { MAX_WRITE_KEY_CHARACTERS } from '../model/call.ts';
import { remembering } from '../model/remembering.ts';

/** The user name of a Basic header, with or without a colon after it; null when there is none. */
export const basicUser = (authorization: string | null): string | null =>
  authorization === null ? null : userIn(authorization);

/** A client sends the same header with each request. */
const userIn = remembering(8, (authorization: string): string | null => {
  const match = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization);
  if (match === null) return null;
  const text = Buffer.from(match[1] as string, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const user = (colon === -1 ? text : text.slice(0, colon)).trim();
  return user === '' ? null : user;
});

export function bodyKey(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A key as it is stored and shown. No source has a longer one. */
export function shownKey(writeKey: string | null): string | null {
  return writeKey === null ? null : writeKey.slice(0, MAX_WRITE_KEY_CHARACTERS);
}

/** Whether the workspace may make a source for this key. */
export function canBeSourceKey(writeKey: string): boolean {
  return writeKey.length <= MAX_WRITE_KEY_CHARACTERS && /^[!-~]+$/.test(writeKey);
}
