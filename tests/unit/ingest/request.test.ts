import { describe, expect, it } from 'vitest';
import { factsOf, plainAddress, refusalOf } from '../../../src/core/ingest/request.ts';

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
