import { describe, expect, it } from 'vitest';
import { corsHeaders, isLoopbackOrigin, preflightHeaders } from '../../../src/core/ingest/cors.ts';

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
