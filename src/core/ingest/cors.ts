/**
 * The headers that let browser pages send calls. Every answer carries them, errors included: a client that cannot
 * read an error takes it for a network failure. A page on this machine is named, with
 * `Allow-Credentials`, because the browser library can be set to send credentials. Other pages may not read answers.
 */
import type { Header } from '../model/header.ts';

const PREFLIGHT: readonly Header[] = [
  ['Access-Control-Allow-Methods', 'GET, POST, OPTIONS'],
  ['Access-Control-Allow-Headers', 'authorization, content-type, x-retry-count'],
  ['Access-Control-Max-Age', '600'],
];

const EXPOSE: Header = ['Access-Control-Expose-Headers', 'Retry-After'];
const VARY: Header = ['Vary', 'Origin'];
const WITHOUT_ORIGIN: readonly Header[] = [['Access-Control-Allow-Origin', '*'], EXPOSE, VARY];
const NOT_ALLOWED: readonly Header[] = [EXPOSE, VARY];

/** `allows` decides about origins that are not on this machine. */
export function corsHeaders(origin: string | null, allows: (origin: string) => boolean): readonly Header[] {
  if (origin === null) return WITHOUT_ORIGIN;
  if (!isLoopbackOrigin(origin) && !allows(origin)) return NOT_ALLOWED;
  return [['Access-Control-Allow-Origin', origin], ['Access-Control-Allow-Credentials', 'true'], EXPOSE, VARY];
}

export function preflightHeaders(cors: readonly Header[]): readonly Header[] {
  return [...cors, ...PREFLIGHT];
}

/** `http(s)://` with `localhost`, a name below it, 127.0.0.0/8 or `[::1]`, on any port. */
export function isLoopbackOrigin(origin: string): boolean {
  const host = /^https?:\/\/([^/?#@\\]+?)(?::\d{1,5})?$/i.exec(origin)?.[1]?.toLowerCase();
  if (host === undefined) return false;
  if (host === 'localhost' || host === '[::1]') return true;
  return /^(?:[a-z0-9_-]+\.)+localhost$/.test(host) || /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(host);
}
