/**
 * Headers that many attempts have, for {@link packResult}. Stores hold the places in these lists: add at the end, and
 * never change or take away.
 */

/** Whole headers. */
export const KNOWN_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['connection', 'keep-alive'],
  ['User-Agent', 'Hookbench/1.0'],
  ['Content-Type', 'application/json'],
  ['Connection', 'keep-alive'],
  ['Keep-Alive', 'timeout=5'],
  ['Keep-Alive', 'timeout=60'],
  ['Transfer-Encoding', 'chunked'],
  ['Connection', 'close'],
  ['content-type', 'application/json'],
  ['Content-Type', 'application/json; charset=utf-8'],
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Content-Length', '0'],
  ['Content-Length', '2'],
];

export const KNOWN_NAMES: readonly string[] = [
  'host',
  'content-length',
  'X-Signature',
  'Date',
  'Content-Length',
  'Content-Type',
  'content-type',
  'date',
  'Server',
  'server',
  'Retry-After',
  'Location',
  'ETag',
  'X-Powered-By',
  'Keep-Alive',
  'Cache-Control',
  'Set-Cookie',
  'Vary',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];
