import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBody, maxRawBytes } from '../../../src/core/ingest/decode.ts';
import { factsOf } from '../../../src/core/ingest/request.ts';
import { MAX_REQUEST_BYTES } from '../../../src/core/model/call.ts';

describe('content encodings', () => {
  const json = Buffer.from('{"batch":[]}');
  it.each([
    ['gzip', gzipSync(json)],
    ['x-gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['deflate', deflateRawSync(json)],
    [null, json],
  ])('%s is undone', (encoding, body) => {
    const decoded = decodeBody(body, encoding);
    expect(decoded.ok && Buffer.from(decoded.bytes).toString()).toBe('{"batch":[]}');
  });

  it.each([
    ['br', 'unsupported'],
    ['zstd', 'unsupported'],
    ['gzip, gzip', 'unsupported'],
    ['constructor', 'unsupported'],
    ['gzip', 'damaged'],
    ['deflate', 'damaged'],
  ])('%s of plain text is %s', (encoding, problem) => {
    expect(decodeBody(json, encoding)).toEqual({ ok: false, problem });
  });

  it('an unfinished gzip stream is damaged', () => {
    expect(decodeBody(gzipSync(json).subarray(0, 20), 'gzip')).toEqual({ ok: false, problem: 'damaged' });
  });

  it.each([
    [MAX_REQUEST_BYTES - 1, true],
    [MAX_REQUEST_BYTES, true],
    [MAX_REQUEST_BYTES + 1, false],
  ])('%i decoded bytes: %s', (bytes, fits) => {
    const plain = Buffer.alloc(bytes, 'x');
    expect(decodeBody(plain, null).ok).toBe(fits);
    expect(decodeBody(gzipSync(plain), 'gzip').ok).toBe(fits);
    expect(decodeBody(deflateSync(plain), 'deflate').ok).toBe(fits);
  });

  it('bare deflate data is undone, also where its first bytes look half like a header', () => {
    // Stored blocks: the two first bytes of one of 23 bytes are divisible by 31, as those of a header are.
    for (let length = 0; length < 64; length += 1) {
      const text = 'x'.repeat(length);
      const decoded = decodeBody(deflateRawSync(text, { level: 0 }), 'deflate');
      expect(decoded.ok && Buffer.from(decoded.bytes).toString()).toBe(text);
    }
    // A bit that nobody reads makes the first byte end in 8, as that of a header does.
    const oneThenNone = [0x08, 1, 0, 0xfe, 0xff, 0x78, 0x01, 0, 0, 0xff, 0xff];
    const decoded = decodeBody(Buffer.from(oneThenNone), 'deflate');
    expect(decoded.ok && Buffer.from(decoded.bytes).toString()).toBe('x');
  });

  it('a plain body may have 500 KB, and one that hardly compresses a little more', () => {
    expect([maxRawBytes(null), maxRawBytes('gzip')]).toEqual([MAX_REQUEST_BYTES, MAX_REQUEST_BYTES + 1024]);
  });

  it.each([
    ['too large', gzipSync(Buffer.alloc(MAX_REQUEST_BYTES + 1)), 'gzip', 'too_large'],
    ['too large', deflateRawSync(Buffer.alloc(MAX_REQUEST_BYTES + 1)), 'deflate', 'too_large'],
    ['too large', Buffer.alloc(MAX_REQUEST_BYTES + 1), null, 'too_large'],
    ['empty', Buffer.alloc(0), 'deflate', 'damaged'],
  ])('a body that is %s (%#) is told by its name', (_title, body, encoding, problem) => {
    expect(decodeBody(body, encoding)).toEqual({ ok: false, problem });
  });

  it.each([0, 1, 6, 9])('deflate at level %i is undone with its header and without, whatever it holds', (level) => {
    for (const text of ['', '{}', '\u0000', 'x'.repeat(5000), JSON.stringify({ a: [1, 2, 3] })])
      for (const pack of [deflateSync, deflateRawSync]) {
        const decoded = decodeBody(pack(text, { level }), 'deflate');
        expect(decoded.ok && Buffer.from(decoded.bytes).toString()).toBe(text);
      }
  });

  it('identity and an empty name are no encoding; repeated headers are a chain', () => {
    expect(factsOf([['Content-Encoding', 'identity']]).encoding).toBeNull();
    expect(factsOf([['content-encoding', ' GZIP ']]).encoding).toBe('gzip');
    expect(
      factsOf([
        ['Content-Encoding', 'gzip'],
        ['Content-Encoding', 'br'],
      ]).encoding,
    ).toBe('gzip,br');
  });
});
