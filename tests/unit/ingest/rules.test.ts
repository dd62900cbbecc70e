import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { corsHeaders, isLoopbackOrigin } from '../../../src/core/ingest/cors.ts';
import { decodeBody } from '../../../src/core/ingest/decode.ts';
import { pixelCall } from '../../../src/core/ingest/pixel.ts';
import { factsOf, plainAddress, refusalOf } from '../../../src/core/ingest/request.ts';
import { routeOf } from '../../../src/core/ingest/routes.ts';
import { basicUser } from '../../../src/core/ingest/write-key.ts';
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
    ['/v1/import', { kind: 'batch' }],
    ['/v1/import/', { kind: 'batch' }],
    ['/v1/b', { kind: 'batch' }],
    ['/v1/m', { kind: 'metrics' }],
    ['/v1/projects/wk%20x/settings', { kind: 'settings', writeKey: 'wk x' }],
    ['/v1/projects/%zz/settings/', { kind: 'settings', writeKey: '%zz' }],
    ['/health', { kind: 'health' }],
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

describe('the Basic user name', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  it.each([
    [`Basic ${encode('KEY:')}`, 'KEY'],
    [`Basic ${encode('KEY')}`, 'KEY'],
    [`Basic ${encode('KEY:password')}`, 'KEY'],
    [`basic  ${encode('KEY:')}`, 'KEY'],
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
  ])('%s with Host %j: %s', (target, hosts, refused) => {
    expect(refusalOf(target, hosts) !== null).toBe(refused);
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
    ['/p?a=3&a.b=1', '{"a":{"b":"1"}}'],
    ['/p?__proto__.x=1&constructor=2', '{"__proto__":{"x":"1"},"constructor":"2"}'],
    ['/p', '{}'],
  ])('%s', (target, value) => {
    expect(readPixel(target)).toBe(value);
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
