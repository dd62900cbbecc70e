import { describe, expect, it } from 'vitest';
import { PIXEL_GIF, pixelCall } from '../../../src/core/ingest/pixel.ts';

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
    expect(({} as Record<string, unknown>).x).toBeUndefined();
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
  });
});
