/** Content encodings: good, damaged, unknown, chained, and small bodies that inflate to large ones. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type Body, json, notJson, queued, refused, rejected, request, taken, track } from '../build.ts';
import type { CorpusCase, Topic } from '../case.ts';

/** Written out here, so that the limit cannot move unseen. */
const MAX_REQUEST_BYTES = 512_000;

const encoded = (encoding: string, body: Body, chunked = false): Buffer =>
  request('/v1/track', body, { headers: [['Content-Encoding', encoding]], chunked });

const text = (): string => json(track());

const good: readonly CorpusCase[] = [
  taken('gzip', encoded('gzip', gzipSync(text())), [queued()]),
  taken('gzip in chunks', encoded('gzip', gzipSync(text()), true), [queued()]),
  taken('gzip in upper case', encoded('GZIP', gzipSync(text())), [queued()]),
  taken('gzip with spaces', encoded('  gzip ', gzipSync(text())), [queued()]),
  taken('x-gzip', encoded('x-gzip', gzipSync(text())), [queued()]),
  taken('gzip without compression', encoded('gzip', gzipSync(text(), { level: 0 })), [queued()]),
  taken('gzip at its best', encoded('gzip', gzipSync(text(), { level: 9 })), [queued()]),
  taken('gzip with a file name', encoded('gzip', withFileName(gzipSync(text()))), [queued()]),
  taken('deflate', encoded('deflate', deflateSync(text())), [queued()]),
  taken('deflate without its frame', encoded('deflate', deflateRawSync(text())), [queued()]),
  taken('identity', encoded('identity', text()), [queued()]),
  taken('an empty encoding', encoded('', text()), [queued()]),
  taken('a body in two members of gzip', encoded('gzip', inTwoMembers(text())), [queued()]),
  taken(
    'gzip as a form',
    request('/v1/track', gzipSync(text()), {
      type: 'application/x-www-form-urlencoded',
      headers: [['Content-Encoding', 'gzip']],
    }),
    [queued()],
  ),
  taken(
    'gzip without a type',
    request('/v1/track', gzipSync(text()), { type: null, headers: [['Content-Encoding', 'gzip']] }),
    [queued()],
  ),
];

function inTwoMembers(whole: string): Buffer {
  return Buffer.concat([gzipSync(whole.slice(0, 20)), gzipSync(whole.slice(20))]);
}

/** Flag FNAME and a name behind the ten bytes of the head (RFC 1952, section 2.3). */
function withFileName(gzip: Buffer): Buffer {
  const head = Buffer.from(gzip.subarray(0, 10));
  head[3] = 8;
  return Buffer.concat([head, Buffer.from('batch.json\0'), gzip.subarray(10)]);
}

const damaged = (name: string, encoding: string, body: Body): CorpusCase =>
  notJson(name, encoded(encoding, body), `The ${encoding} data is damaged.`);

function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at < 0 ? copy.length + at : at]! ^= 0xff;
  return copy;
}

const whole = gzipSync(json({ type: 'track', userId: 'u', event: 'E', properties: { text: 'abc'.repeat(40) } }));

/** Wherever it is cut, a gzip body is never taken for a shorter one. */
const cut = Array.from({ length: whole.length - 1 }, (_, i) => i + 1)
  .filter((length) => length % 4 === 1 || length > whole.length - 9)
  .map((length) => damaged(`gzip cut off after ${length} of ${whole.length} bytes`, 'gzip', whole.subarray(0, length)));

const bad: readonly CorpusCase[] = [
  ...cut,
  ...[0, 1, 2].map((at) => damaged(`gzip with byte ${at} of its head changed`, 'gzip', changed(whole, at))),
  ...[-8, -5, -4, -1].map((at) => damaged(`gzip with byte ${at} of its end changed`, 'gzip', changed(whole, at))),
  damaged('gzip that is plain JSON', 'gzip', text()),
  damaged('gzip that is nothing', 'gzip', ''),
  damaged('gzip that is zlib data', 'gzip', deflateSync(text())),
  damaged('gzip that is text', 'gzip', 'x'.repeat(1_000)),
  damaged('deflate that is plain JSON', 'deflate', text()),
  damaged('deflate that is gzip', 'deflate', gzipSync(text())),
  damaged('deflate cut off', 'deflate', deflateSync(text()).subarray(0, 30)),
  damaged('deflate without its frame, cut off', 'deflate', deflateRawSync(text()).subarray(0, 30)),
  damaged('deflate with a wrong checksum', 'deflate', changed(deflateSync(text()), -1)),
  notJson('gzip of nothing', encoded('gzip', gzipSync('')), 'The body is empty.'),
  notJson(
    'gzip of gzip that says gzip once',
    encoded('gzip', gzipSync(gzipSync(text()))),
    'The body is not valid UTF-8.',
  ),
  notJson(
    'gzip of bytes that are not UTF-8',
    encoded('gzip', gzipSync(Buffer.from([0x22, 0xff, 0x22]))),
    'The body is not valid UTF-8.',
  ),
  notJson('gzip of bad JSON', encoded('gzip', gzipSync('{"a":}')), 'line 1, column 6.'),
  notJson('gzip that does not say so', request('/v1/track', gzipSync(text())), 'The body is not valid UTF-8.'),
];

const unsupported = (encoding: string, body: Body = text()): CorpusCase =>
  refused(`encoding ${encoding}`, encoded(encoding, body), 415, 'unsupported_encoding', {
    says: 'is not known. Use gzip or none.',
    messages: [rejected('invalid_json', { detail: encoding.trim().toLowerCase().slice(0, 40) })],
  });

const unknown: readonly CorpusCase[] = [
  unsupported('br', brotliCompressSync(text())),
  unsupported('zstd', zstdCompressSync(text())),
  unsupported('compress'),
  unsupported('lz4'),
  unsupported('none'),
  unsupported('utf-8'),
  unsupported('*'),
  unsupported('gzip;q=1', gzipSync(text())),
  unsupported('gzip, gzip', gzipSync(gzipSync(text()))),
  unsupported('gzip,gzip,gzip,gzip', gzipSync(text())),
  unsupported('gzip, identity', gzipSync(text())),
  unsupported('identity, gzip', gzipSync(text())),
  unsupported('deflate, gzip', gzipSync(deflateSync(text()))),
  unsupported(Array.from({ length: 1_000 }, () => 'gzip').join(','), gzipSync(text())),
  unsupported('__proto__'),
  unsupported('"gzip"'),
  refused(
    'two headers that say gzip',
    request('/v1/track', gzipSync(text()), {
      headers: [
        ['Content-Encoding', 'gzip'],
        ['Content-Encoding', 'gzip'],
      ],
    }),
    415,
    'unsupported_encoding',
    { messages: [rejected('invalid_json')] },
  ),
];

const MEMBER_BYTES = 10 * 2 ** 20;

/** gzip of zeros; each member is 10 KB and inflates to 10 MiB. */
export const bomb = (members: number, character = '\0'): Buffer =>
  Buffer.concat(Array<Buffer>(members).fill(gzipSync(character.repeat(MEMBER_BYTES))));

const inflated = (name: string, encoding: string, body: Body, closes = false): CorpusCase =>
  refused(name, encoded(encoding, body), 400, 'batch_too_large', {
    messages: [rejected('batch_too_large', { detail: 'over 500 KB' })],
    closes,
  });

/** What was refused before without chunks: a repeat, which is counted on the row of the first. */
const inChunks = (name: string, encoding: string, body: Body, closes = false): CorpusCase =>
  refused(`${name}, chunked`, encoded(encoding, body, true), 400, 'batch_too_large', { closes });

const padded = (bytes: number): Buffer => gzipSync(text().padEnd(bytes));

export const bombs: readonly CorpusCase[] = [
  inflated('gzip of 500 KiB + 1', 'gzip', padded(MAX_REQUEST_BYTES + 1)),
  inflated('40 KB of gzip for 40 MB', 'gzip', bomb(4)),
  inChunks('40 KB of gzip for 40 MB', 'gzip', bomb(4)),
  inflated('490 KB of gzip for 480 MB', 'gzip', bomb(48)),
  inflated('1 MB of gzip for 1 GB', 'gzip', bomb(102), true),
  inChunks('1 MB of gzip for 1 GB', 'gzip', bomb(102), true),
  inflated('40 KB of gzip for 40 MB of brackets', 'gzip', bomb(4, '[')),
  inflated('40 KB of deflate for 40 MB', 'deflate', deflateSync(Buffer.alloc(4 * MEMBER_BYTES))),
  inflated('40 KB of bare deflate for 40 MB', 'deflate', deflateRawSync(Buffer.alloc(4 * MEMBER_BYTES))),
];

const atLimit: readonly CorpusCase[] = [
  taken('gzip of 500 KiB - 1', encoded('gzip', padded(MAX_REQUEST_BYTES - 1)), [queued()]),
  taken('gzip of 500 KiB', encoded('gzip', padded(MAX_REQUEST_BYTES)), [queued()]),
  taken(
    'gzip of 500 KiB that does not compress',
    encoded('gzip', gzipSync(text().padEnd(MAX_REQUEST_BYTES), { level: 0 })),
    [queued()],
  ),
];

export const encodings: readonly Topic[] = [
  { topic: 'content encodings', cases: [...good, ...bad, ...unknown, ...atLimit] },
  { topic: 'gzip bombs', cases: bombs },
];
