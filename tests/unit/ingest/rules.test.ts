import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { corsHeaders, isLoopbackOrigin, preflightHeaders } from '../../../src/core/ingest/cors.ts';
import { decodeBody, maxRawBytes } from '../../../src/core/ingest/decode.ts';
import { PIXEL_GIF, pixelCall } from '../../../src/core/ingest/pixel.ts';
import { factsOf, plainAddress, refusalOf } from '../../../src/core/ingest/request.ts';
import { cleanPath, methodsOf, routeOf } from '../../../src/core/ingest/routes.ts';
import { basicUser, bodyKey, canBeSourceKey, shownKey } from '../../../src/core/ingest/write-key.ts';
import { MAX_REQUEST_BYTES } from '../../../src/core/model/call.ts';

describe('paths', () => {
  const names = ['identify', 'track', 'page', 'screen', 'group', 'alias'];
  it.each<[string, object]>([
    ...names.flatMap((name): [string, object][] => [
      [`/v1/${name}`, { kind: 'call', type: name }],
      [`/v1/${name[0]}`, { kind: 'call', type: name }],
      [`/v1/${name}/`, { kind: 'call', type: name }],
      [`//v1//${name}`, { kind: 'call', type: name }],
      [`/v1/pixel/${name}?data=e30=`, { kind: 'pixel', type: name }],
    ]),
    ['/v1/batch', { kind: 'batch' }],
    ['/v1/batch/', { kind: 'batch' }],
    ['//v1/batch', { kind: 'batch' }],
    ['/v1/batch?x=1', { kind: 'batch' }],
    ['/v1/import', { kind: 'batch', historical: true }],
    ['/v1/import/', { kind: 'batch', historical: true }],
    ['/v1/b', { kind: 'batch' }],
    ['/v1/m', { kind: 'metrics' }],
    ['/v1/projects/wk%20x/settings', { kind: 'settings', writeKey: 'wk x' }],
    ['/v1/projects/%zz/settings/', { kind: 'settings', writeKey: '%zz' }],
    ['/health', { kind: 'health' }],
    ['/token', { kind: 'token' }],
    ['/oauth2/token', { kind: 'token' }],
    ['/analytics.js/v1/wk%20x/analytics.js', { kind: 'browserSdk', writeKey: 'wk x' }],
    ['/analytics.js/v1/wk/analytics.min.js?x', { kind: 'browserSdk', writeKey: 'wk' }],
    ['/analytics.js/v1/wk/analyticsxjs', { kind: 'unknown', hint: null }],
    ['/analytics.js/v1/a/b/analytics.js', { kind: 'unknown', hint: null }],
    ['/x/analytics.js/v1/wk/analytics.js', { kind: 'unknown', hint: null }],
    ['/analytics.js/v1/wk/analytics.js/x', { kind: 'unknown', hint: null }],
    ['/analytics-next/bundles/a-1.bundle.js', { kind: 'browserBundle', name: 'a-1.bundle.js' }],
    ['/analytics-next/bundles/a.js.map', { kind: 'browserBundle', name: 'a.js.map' }],
    ['/analytics-next/bundles/.a.js', { kind: 'unknown', hint: null }],
    ['/analytics-next/bundles/a.css', { kind: 'unknown', hint: null }],
    ['/analytics-next/bundles/a.js.zip', { kind: 'unknown', hint: null }],
    ['/x/analytics-next/bundles/a.js', { kind: 'unknown', hint: null }],
    ['/v1/projects/a/b/settings', { kind: 'unknown', hint: null }],
    ['/x/v1/projects/a/settings', { kind: 'unknown', hint: null }],
    ['/v1/projects/a/settings/x', { kind: 'unknown', hint: null }],
    ['/v1/BATCH', { kind: 'unknown', hint: null }],
    ['/v1', { kind: 'unknown', hint: null }],
    ['/', { kind: 'unknown', hint: null }],
    ['/v1/delete', { kind: 'unknown', hint: null }],
    ['/v1/../v1/track', { kind: 'unknown', hint: null }],
    ['/constructor', { kind: 'unknown', hint: null }],
  ])('%s', (target, route) => {
    expect(routeOf(target)).toEqual(route);
  });

  it('without /v1 is not served, and the hint says why', () => {
    expect(routeOf('/t')).toEqual({
      kind: 'unknown',
      hint: 'Use /v1/t: the host that the client is given must end in /v1.',
    });
  });
});

it.each([
  ['/v1/batch', '/v1/batch'],
  ['/v1/batch/', '/v1/batch'],
  ['/v1//batch///', '/v1/batch'],
  ['/v1/batch/?a=//b/', '/v1/batch'],
  ['/?a', '/'],
  ['//', '/'],
  ['?a', ''],
])('%s is the path %j', (target, path) => {
  expect(cleanPath(target)).toBe(path);
});

it.each([
  ['POST', ['/v1/track', '/v1/batch', '/v1/m', '/token']],
  ['GET,HEAD', ['/v1/projects/k/settings', '/v1/pixel/track', '/health', '/analytics.js/v1/k/analytics.js']],
  ['GET,HEAD', ['/analytics-next/bundles/a.js']],
  ['', ['/nowhere']],
])('%j is for %j', (methods, paths) => {
  for (const path of paths) expect(methodsOf(routeOf(path)).join()).toBe(methods);
});

describe('a write key', () => {
  it.each([
    ['k', 'k'],
    ['', null],
    [5, null],
    [null, null],
    [undefined, null],
  ])('of a body is text: %j', (value, key) => expect(bodyKey(value)).toBe(key));

  it('is shown up to its 200th character', () => {
    expect([shownKey(null), shownKey('k'), shownKey('x'.repeat(201))]).toEqual([null, 'k', 'x'.repeat(200)]);
  });

  it.each([
    ['!~', true],
    ['x'.repeat(200), true],
    ['x'.repeat(201), false],
    ['', false],
    ['a b', false],
    [' a', false],
    ['a\n', false],
    ['\u007f', false],
    ['aé', false],
  ])('%j may become a source: %s', (key, may) => expect(canBeSourceKey(key)).toBe(may));
});

describe('the Basic user name', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  it.each([
    [`Basic ${encode('KEY:')}`, 'KEY'],
    [`Basic ${encode('KEY')}`, 'KEY'],
    [`Basic ${encode('KEY:password')}`, 'KEY'],
    [`basic  ${encode('KEY:')}`, 'KEY'],
    [`Basic ${encode('KEY:')}  `, 'KEY'],
    [`Basic ${encode(' KEY :x')}`, 'KEY'],
    [`Basic ${encode('  ')}`, null],
    [`Basic ${encode('KEY:')} x`, null],
    [`xBasic ${encode('KEY:')}`, null],
    [`Basic${encode('KEY:')}`, null],
    [`Basic ${Buffer.from('K>>?:').toString('base64url')}`, 'K>>?'],
    [`Basic ${encode(':')}`, null],
    [`Basic ${encode(':password')}`, null],
    ['Basic ', null],
    ['Basic ****', null],
    [`Bearer ${encode('KEY:')}`, null],
    ['tok123', null],
    [null, null],
  ])('%s gives %s', (header, user) => {
    expect(basicUser(header)).toBe(user);
  });
});

describe('what is refused before anything is looked at', () => {
  it.each([
    ['/v1/batch', ['localhost:8765'], false],
    ['/v1/batch', ['127.0.0.1:8765'], false],
    ['/v1/batch', ['[::1]:8765'], false],
    ['/v1/batch', ['host.docker.internal'], false],
    ['/v1/batch', [], true],
    ['/v1/batch', ['localhost', 'localhost'], true],
    ['/v1/batch', [''], true],
    ['/v1/batch', ['127.0.0.1@evil.com'], true],
    ['/v1/batch', ['[::1'], true],
    ['/v1/batch', ['a b'], true],
    ['/v1/batch', ['localhost:123456'], true],
    ['http://localhost/v1/batch', ['localhost'], true],
    ['*', ['localhost'], true],
    ['', ['localhost'], true],
    ['/v1/batch#x', ['localhost'], true],
    ['/v1/batch', ['localhost:'], true],
    ['/v1/batch', ['localhost:80x'], true],
    ['/v1/batch', ['x[::1]'], true],
    ['/v1/batch', ['[::1]x'], true],
    ['/v1/batch', ['[]'], true],
    ['/v1/batch', ['[::ffff:127.0.0.1]:1'], false],
    ['/v1/batch', ['LOCALHOST:1'], false],
  ])('%s with Host %j: %s', (target, hosts, refused) => {
    expect(refusalOf(target, hosts) !== null).toBe(refused);
  });

  it.each([
    ['/', [], 'The request must have exactly one Host header.'],
    ['/', ['a b'], 'The Host header is not a host name or address.'],
    ['x/', ['localhost'], 'The request target must start with a slash.'],
    ['/#', ['localhost'], 'The request target must not contain a fragment.'],
  ])('%s with Host %j says why', (target, hosts, why) => expect(refusalOf(target, hosts)).toBe(why));
});

describe('the facts of a head', () => {
  it('are read whatever the case of their names; the first of each counts, and every Host', () => {
    expect(
      factsOf([
        ['HOST', 'a'],
        ['Authorization', 'first'],
        ['authorization', 'second'],
        ['ORIGIN', 'http://a'],
        ['origin', 'http://b'],
        ['host', 'b'],
        ['X-Else', 'x'],
        ['Date', 'x'],
        ['Accept', 'x'],
      ]),
    ).toEqual({ authorization: 'first', encoding: null, origin: 'http://a', hosts: ['a', 'b'] });
  });

  it('are nothing where nothing was said', () => {
    expect(factsOf([])).toEqual({ authorization: null, encoding: null, origin: null, hosts: [] });
    expect(factsOf([['Content-Encoding', '  ']]).encoding).toBeNull();
    expect(factsOf([['Content-Encoding', ' Identity ']]).encoding).toBeNull();
  });
});

describe('who may read answers', () => {
  it.each([
    ['http://localhost', true],
    ['http://localhost:3000', true],
    ['https://LOCALHOST:3000', true],
    ['http://app.localhost:3000', true],
    ['http://127.0.0.1:3000', true],
    ['http://127.200.0.9', true],
    ['http://[::1]:3000', true],
    ['null', false],
    ['', false],
    ['http://evil.test', false],
    ['http://localhost.evil.test', false],
    ['http://x.localhost.evil.com', false],
    ['http://x.localhost.evil.com:8080', false],
    ['http://evil.com%x.localhost', false],
    ['http://1.127.0.0.1', false],
    ['http://127.0.0.1x', false],
    ['xhttp://localhost', false],
    ['http://127.0.0.1.evil.test', false],
    ['http://127.0.0.256', false],
    ['http://evil.test@localhost', false],
    ['http://localhost:1/x', false],
    ['http://notlocalhost', false],
    ['http://.localhost', false],
    ['file://localhost', false],
    ['http://0.0.0.0:3000', false],
  ])('%s: %s', (origin, allowed) => {
    expect(isLoopbackOrigin(origin)).toBe(allowed);
  });

  it.each([
    ['https://127.0.0.1', true],
    ['http://127.0.0.255', true],
    ['http://127.249.199.99', true],
    ['http://127.255.250.0', true],
    ['http://127.0.0.260', false],
    ['http://127.0.0.1.1', false],
    ['http://127.0.0', false],
    ['http://127.0.0.1:65535', true],
    ['http://127.0.0.1:655350', false],
    ['http://localhost:', false],
    ['http://LOCALHOST', true],
    ['http://[::1]', true],
    ['http://a.b_c-1.localhost', true],
    ['http://a..localhost', false],
    ['http://a.localhost.', false],
    ['http://a.xlocalhost', false],
    ['http://localhost?', false],
    ['http://localhost#', false],
    ['http://a\\.localhost', false],
    ['http:/localhost', false],
    ['httpss://localhost', false],
  ])('an origin on this machine: %s: %s', (origin, allowed) => {
    expect(isLoopbackOrigin(origin)).toBe(allowed);
  });

  it('an origin on this machine is named, and nobody has to allow it; without one everybody may', () => {
    const never = () => expect.unreachable();
    expect(corsHeaders('http://localhost:3000', never)).toEqual([
      ['Access-Control-Allow-Origin', 'http://localhost:3000'],
      ['Access-Control-Allow-Credentials', 'true'],
      ['Access-Control-Expose-Headers', 'Retry-After'],
      ['Vary', 'Origin'],
    ]);
    const anybody = corsHeaders(null, never);
    expect(anybody).toEqual([
      ['Access-Control-Allow-Origin', '*'],
      ['Access-Control-Expose-Headers', 'Retry-After'],
      ['Vary', 'Origin'],
    ]);
    expect(preflightHeaders(anybody)).toEqual([
      ...anybody,
      ['Access-Control-Allow-Methods', 'GET, POST, OPTIONS'],
      ['Access-Control-Allow-Headers', 'authorization, content-type, x-retry-count'],
      ['Access-Control-Max-Age', '600'],
    ]);
    expect(corsHeaders('http://x', () => false)).toEqual([
      ['Access-Control-Expose-Headers', 'Retry-After'],
      ['Vary', 'Origin'],
    ]);
  });

  it('pages that the workspace allows are named like those of this machine', () => {
    const headers = Object.fromEntries(corsHeaders('https://shop.test', (origin) => origin === 'https://shop.test'));
    expect(headers).toMatchObject({
      'Access-Control-Allow-Origin': 'https://shop.test',
      'Access-Control-Allow-Credentials': 'true',
    });
    const others = Object.fromEntries(corsHeaders('https://evil.test', () => false));
    expect(Object.keys(others)).toEqual(['Access-Control-Expose-Headers', 'Vary']);
  });
});

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

describe('the pixel query', () => {
  const readPixel = (target: string) => {
    const parsed = pixelCall(target);
    return parsed.ok ? JSON.stringify(parsed.value) : parsed.problem.kind;
  };
  it.each([
    ['/p?data=eyJ1c2VySWQiOiJ1In0=', '{"userId":"u"}'],
    ['/p?data=eyJ1c2VySWQiOiJ1In0', '{"userId":"u"}'],
    ['/p?data=eyJhIjoi8J+YgCJ9', '{"a":"😀"}'],
    ['/p?data=eyJhIjoi8J-YgCJ9', '{"a":"😀"}'],
    ['/p?data=eyJhIjoi8J%2BYgCJ9', '{"a":"😀"}'],
    ['/p?data=nonsense', 'not_utf8'],
    ['/p?data=', 'empty'],
    ['/p?userId=u&properties.subject=x+y&writeKey=K', '{"userId":"u","properties":{"subject":"x y"},"writeKey":"K"}'],
    ['/p?a.b=1&a.c.d=2&a=3', '{"a":"3"}'],
    ['/p?a.b=1&a.c.d=2&a.c.e=3', '{"a":{"b":"1","c":{"d":"2","e":"3"}}}'],
    ['/p?a=3&a.b=1', '{"a":{"b":"1"}}'],
    ['/p?__proto__.x=1&constructor=2', '{"__proto__":{"x":"1"},"constructor":"2"}'],
    ['/p', '{}'],
  ])('%s', (target, value) => {
    expect(readPixel(target)).toBe(value);
  });

  it.each([
    ['/p?data=eyJhIjoifn5+In0=', '{"a":"~~~"}'],
    ['/p?x=1&data=e30=', '{}'],
    ['/p?a=1?b', '{"a":"1?b"}'],
    ['/p?a.b=1&a.b.c=2', '{"a":{"b":{"c":"2"}}}'],
    ['/p?a.=1', '{"a":{"":"1"}}'],
    ['/p?=1', '{"":"1"}'],
  ])('%s, too', (target, value) => expect(readPixel(target)).toBe(value));

  it('nests up to 20 parts of a key', () => {
    const key = (parts: number) => Array.from({ length: parts }, (_, n) => `k${n}`).join('.');
    const depth = (parts: number) => (readPixel(`/p?${key(parts)}=1`).match(/\{/g) ?? []).length;
    expect([depth(1), depth(20), depth(21)]).toEqual([1, 20, 1]);
  });

  it('is answered with a transparent image of one pixel', () => {
    expect(Buffer.from(PIXEL_GIF).toString('base64')).toBe(
      'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
    );
  });

  it('does not nest without end', () => {
    expect(readPixel(`/p?${'a.'.repeat(2000)}b=1`)).toBe(JSON.stringify({ [`${'a.'.repeat(2000)}b`]: '1' }));
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('addresses', () => {
  it.each([
    ['::1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:192.168.1.5', '192.168.1.5'],
    ['192.168.1.5', '192.168.1.5'],
    [null, '127.0.0.1'],
  ])('%s reads %s', (remote, plain) => {
    expect(plainAddress(remote)).toBe(plain);
  });
});
