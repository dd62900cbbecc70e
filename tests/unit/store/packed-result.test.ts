import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredResult } from '../../../src/core/model/stored.ts';
import { KNOWN_HEADERS, KNOWN_NAMES } from '../../../src/core/store/known-headers.ts';
import { packResult, unpackResult } from '../../../src/core/store/packed-result.ts';

const usual: StoredResult = {
  reason: null,
  detail: null,
  statusText: 'OK',
  phases: [57.052, null, 41.252, null, null, 7.356, 35.34, 10.226],
  requestHeaders: [
    ['host', '127.0.0.1:4000'],
    ['connection', 'keep-alive'],
    ['User-Agent', 'Hookbench/1.0'],
    ['Content-Type', 'application/json'],
    ['X-Signature', '0ebed36c8812f70a2e2b123ae4dfc385c7183b51'],
    ['content-length', '551'],
  ],
  responseHeaders: [
    ['content-length', '2'],
    ['Date', 'Tue, 24 Nov 2026 02:26:39 GMT'],
    ['Connection', 'keep-alive'],
    ['Keep-Alive', 'timeout=60'],
  ],
  responseBytes: 2,
  responseCut: false,
  certificate: null,
};
const certificate = {
  subject: 'CN=a',
  issuer: 'CN=b',
  validFrom: 'x',
  validTo: 'y',
  names: 'DNS:a',
  fingerprint256: 'AA:BB',
};

const header = fc.oneof(
  fc.constantFrom(...KNOWN_HEADERS),
  fc.tuple(fc.oneof(fc.constantFrom(...KNOWN_NAMES), fc.string()), fc.string()),
);
const kept = fc.oneof(header, fc.tuple(fc.constantFrom(...KNOWN_NAMES, 'X-Key'), fc.constant(null), fc.nat()));
const phase = fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }));
const results: fc.Arbitrary<StoredResult> = fc.record({
  reason: fc.option(fc.constantFrom('dns_failed', 'headers_too_large')) as fc.Arbitrary<StoredResult['reason']>,
  detail: fc.option(fc.string()),
  statusText: fc.string(),
  phases: fc.array(phase, { minLength: 8, maxLength: 8 }),
  requestHeaders: fc.array(kept),
  responseHeaders: fc.array(header),
  responseBytes: fc.nat(),
  responseCut: fc.boolean(),
  certificate: fc.option(fc.constant(certificate)),
});
/** As JSON gives it back: no minus zero. */
const asJson = (result: StoredResult): unknown => JSON.parse(JSON.stringify(result));

describe('a packed result', () => {
  test('gives back what was packed', () => {
    fc.assert(
      fc.property(results, (result) => {
        expect(unpackResult(packResult(result))).toEqual(asJson(result));
      }),
    );
  });

  test('takes less than half the room of its JSON', () => {
    const room = [packResult(usual), JSON.stringify(usual)].map((text) => text.length);
    expect(room[0]).toBeLessThan(room[1]! / 2);
    expect(packResult(usual)).toContain(
      '[[0,"127.0.0.1:4000"],0,1,2,[2,"0ebed36c8812f70a2e2b123ae4dfc385c7183b51"],[1,"551"]]',
    );
  });

  test('names what is rare only where it occurs', () => {
    expect(packResult({ ...usual, phases: [], requestHeaders: [], responseHeaders: [] })).toBe('["OK",[],[],[],2]');
    for (const rare of [
      { reason: 'dns_failed' },
      { detail: 'words' },
      { responseCut: true },
      { certificate },
    ] as const) {
      const packed = JSON.parse(packResult({ ...usual, ...rare })) as unknown[];
      expect(packed[5]).toMatchObject(rare);
    }
  });

  test('keeps a secret header by its length alone, even under a known name', () => {
    const requestHeaders = [
      ['Set-Cookie', null, 9],
      ['Vary', null, 1],
    ] as const;
    expect(unpackResult(packResult({ ...usual, requestHeaders })).requestHeaders).toEqual(requestHeaders);
  });

  test('holds a header as it was written: another case or another blank is another header', () => {
    const requestHeaders = [
      ['Connection', 'Keep-Alive'],
      ['CONNECTION', 'keep-alive'],
      ['connection', 'keep-alive '],
      ['connection\nkeep-alive', ''],
    ] as const;
    expect(unpackResult(packResult({ ...usual, requestHeaders })).requestHeaders).toEqual(requestHeaders);
  });

  test('of any earlier version is read: places in the lists keep their meaning', () => {
    const before = `["OK",[1],[[0,"h"],0,1,2,[2,"s"],[1,"5"]],[3,4,5,6,7,8,9,10,11,12,${Array.from({ length: 18 }, (_, n) => `[${n + 3},"v"]`).join()}],2,{"detail":"d"}]`;
    expect(unpackResult(before)).toEqual({
      reason: null,
      detail: 'd',
      statusText: 'OK',
      phases: [1],
      requestHeaders: [
        ['host', 'h'],
        ['connection', 'keep-alive'],
        ['User-Agent', 'Hookbench/1.0'],
        ['Content-Type', 'application/json'],
        ['X-Signature', 's'],
        ['content-length', '5'],
      ],
      responseHeaders: [
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
        ['Date', 'v'],
        ['Content-Length', 'v'],
        ['Content-Type', 'v'],
        ['content-type', 'v'],
        ['date', 'v'],
        ['Server', 'v'],
        ['server', 'v'],
        ['Retry-After', 'v'],
        ['Location', 'v'],
        ['ETag', 'v'],
        ['X-Powered-By', 'v'],
        ['Keep-Alive', 'v'],
        ['Cache-Control', 'v'],
        ['Set-Cookie', 'v'],
        ['Vary', 'v'],
        ['webhook-id', 'v'],
        ['webhook-timestamp', 'v'],
        ['webhook-signature', 'v'],
      ],
      responseBytes: 2,
      responseCut: false,
      certificate: null,
    });
  });
});

describe('the text of a result', () => {
  test('from before results were packed is read as it is', () => {
    expect(unpackResult(JSON.stringify(usual))).toEqual(usual);
  });

  test.each(['{', '["OK",[],[99],[],2]', '["OK",[],[[99,"v"]],[],2]', '["OK"]'])('that is none throws: %s', (text) => {
    expect(() => unpackResult(text)).toThrow(text.includes('99') ? 'There is no known header 99.' : undefined);
  });
});
