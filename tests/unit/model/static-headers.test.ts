import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isSecretHeader,
  keepRequestHeaders,
  keepSentHeaders,
  keepStaticHeaders,
  readStaticHeaders,
  type StaticHeader,
  secretNames,
} from '../../../src/core/model/static-headers.ts';

const read = (...pairs: readonly (readonly [string, string])[]) =>
  readStaticHeaders(pairs.map(([name, value]) => ({ name, value })));

describe('static headers', () => {
  it('keep order, case and repetition, and lose the blanks around them', () => {
    expect(
      read(['X-Team', ' growth '], ['x-team', 'two\twords'], ['Authorization', 'Bearer a=='], ['X-Empty', '']),
    ).toEqual({
      ok: true,
      headers: [
        ['X-Team', 'growth'],
        ['x-team', 'two\twords'],
        ['Authorization', 'Bearer a=='],
        ['X-Empty', ''],
      ],
    });
  });

  it.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'CONNECTION',
    'Keep-Alive',
    'Upgrade',
    'Expect',
    'TE',
    'Trailer',
    'Proxy-Authorization',
    'proxy-anything',
    'Content-Type',
    'User-Agent',
    'X-Signature',
    ' host ',
  ])('may not be %s', (name) => {
    expect(read(['X-Fine', 'a'], [name, 'b'])).toMatchObject({
      ok: false,
      problem: { code: 'reserved_name', field: 'headers.1.name' },
    });
  });

  it.each(['a b', 'a:b', 'a\r\nb', 'é', 'a\0', '(a)', 'a,b', '"a"', 'a\n'])('may not be named %j', (name) => {
    expect(read([name, 'x'])).toMatchObject({ ok: false, problem: { code: 'bad_name', field: 'headers.0.name' } });
  });

  it.each(['', ' ', '\t'])('need a name: %j', (name) => {
    expect(read([name, 'x'])).toMatchObject({ ok: false, problem: { code: 'empty_name', field: 'headers.0.name' } });
  });

  it.each(['a\rb', 'a\nb', 'a\r\nX: y', 'a\0b', 'a\r\n', '\u001b[31m', '\u007f', 'Ā', '😀'])(
    'may not have the value %j',
    (value) => {
      expect(read(['X-A', value])).toMatchObject({
        ok: false,
        problem: { code: 'bad_value', field: 'headers.0.value' },
      });
    },
  );

  it('may have Latin-1 values', () => {
    expect(read(['X-City', 'Zürich'])).toMatchObject({ ok: true });
  });

  it('are at most 50', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at): [string, string] => [`X-${at}`, 'v']);
    expect(read(...many(50))).toMatchObject({ ok: true });
    expect(read(...many(51))).toMatchObject({ ok: false, problem: { code: 'too_many_headers', field: 'headers' } });
  });

  it('are at most 8 KiB as written', () => {
    // "X-A: " and CR LF are 7 bytes.
    expect(read(['X-A', 'v'.repeat(8192 - 7)])).toMatchObject({ ok: true });
    expect(read(['X-A', 'v'.repeat(8192 - 6)])).toMatchObject({ ok: false, problem: { code: 'headers_too_long' } });
  });

  it('count every header against the 8 KiB, its name too', () => {
    const half = 'v'.repeat(4096 - 7);
    expect(read(['X-A', half], ['X-B', half])).toMatchObject({ ok: true });
    expect(read(['X-A', half], ['X-BB', half])).toMatchObject({ ok: false, problem: { field: 'headers' } });
  });

  it('lose all the blanks around them, and none inside', () => {
    expect(read([' \t X-A \t', '\t a  b\tc \t '])).toEqual({ ok: true, headers: [['X-A', 'a  b\tc']] });
  });

  it('carry the mark of those that a person shows', () => {
    const given = [
      { name: 'X-A', value: 'a', shown: true },
      { name: 'X-B', value: 'b', shown: false },
      { name: 'X-C', value: 'c', shown: undefined },
    ];
    expect(readStaticHeaders(given)).toEqual({
      ok: true,
      headers: [
        ['X-A', 'a', 'shown'],
        ['X-B', 'b'],
        ['X-C', 'c'],
      ],
    });
  });

  const many = Array.from({ length: 51 }, (): [string, string] => ['X-A', '']);
  it.each([
    [many, 'A webhook can have at most 50 static headers.'],
    [[['X-A', 'v'.repeat(9_000)]], 'The static headers of a webhook can have at most 8 KiB together.'],
    [[['', 'v']], 'Enter a header name.'],
    [[['a b', 'v']], "A header name can have letters, digits and !#$%&'*+-.^_`|~ only."],
    [[['hOST', 'v']], 'hOST is set by Hookbench and cannot be a static header.'],
    [[['X-A', '\0']], 'A header value cannot have line breaks, control characters or characters beyond Latin-1.'],
  ] as [[string, string][], string][])('that are refused say why (%#)', (pairs, message) => {
    expect(read(...pairs)).toMatchObject({ ok: false, problem: { message } });
  });

  it.each(["!#$%&'*+-.^_`|~", 'X-Proxy-A', 'az09AZ'])('may be named %j', (name) => {
    expect(read([name, 'x'])).toMatchObject({ ok: true });
  });

  it('that pass can be written as one line each, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
        const result = read([name, value]);
        if (!result.ok) return;
        const [header] = result.headers;
        expect(`${header?.[0]}: ${header?.[1]}`).toMatch(/^[!-~]+: [\t -~\u0080-\u00ff]*$/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('values hidden in records', () => {
  it.each([
    'Authorization',
    'proxy-authorization',
    'Cookie',
    'Set-Cookie',
    'X-Auth-Token',
    'X-CSRFToken',
    'client_secret',
    'X-API-Key',
    'apikey',
    'X-Password',
    'x-passwd',
    'X-Amz-Credential',
    'X-Auth',
    'X-Session-Id',
    'X-Hub-Signature-256',
    'Authentication-Info',
    'X-Pwd',
    'X-JWT',
    'X-Pass',
    'Key',
    'x.auth.x',
    'secret',
  ])('%s is secret', (name) => {
    expect(isSecretHeader(name)).toBe(true);
  });

  it.each([
    'Content-Type',
    'User-Agent',
    'X-Signature',
    'host',
    'X-Author',
    'X-Keyboard',
    'X-Team',
    'Date',
    'X-Compass',
  ])('%s is shown', (name) => {
    expect(isSecretHeader(name)).toBe(false);
  });
});

describe('what is kept of headers', () => {
  const statics: StaticHeader[] = [
    ['X-Team', 'growth', 'shown'],
    ['X-Api', 'secret'],
    ['X-Both', 'a', 'shown'],
    ['x-both', 'b'],
  ];

  it('of static ones: the value where a person shows it, else its length', () => {
    expect(keepStaticHeaders(statics)).toEqual([
      ['X-Team', 'growth'],
      ['X-Api', null, 6],
      ['X-Both', 'a'],
      ['x-both', null, 1],
    ]);
    expect(secretNames(statics)).toEqual(new Set(['x-api', 'x-both']));
  });

  it('of an attempt: all of ours, and of a static name no value once one of its values is secret', () => {
    const sent = [
      ['Host', 'h'],
      ['X-Signature', 'abc'],
      ['X-Team', 'growth'],
      ['X-API', 'secret'],
      ['X-Both', 'a'],
    ] as const;
    expect(keepSentHeaders(sent, statics)).toEqual([
      ['Host', 'h'],
      ['X-Signature', 'abc'],
      ['X-Team', 'growth'],
      ['X-API', null, 6],
      ['X-Both', null, 1],
    ]);
  });

  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  it.each([
    ['a write key alone', 'Authorization', basic('key'), true],
    ['a write key with an empty password', 'authorization', basic('key:').replace('Basic', 'bASIC'), true],
    ['a password', 'Authorization', basic('key:p'), false],
    ['a password that holds colons', 'Authorization', basic(':p:'), false],
    ['a bearer token', 'Authorization', 'Bearer key', false],
    ['another scheme with the word in it', 'Authorization', `X ${basic('key:')}`, false],
    ['a scheme that begins so', 'Authorization', basic('key:').replace('Basic ', 'Basic2 '), false],
    ['Basic in another secret header', 'Proxy-Authorization', basic('key:'), false],
    ['a cookie', 'Cookie', 'a=b', false],
    ['nothing of a secret', 'Content-Type', 'text/plain', true],
  ])('of a request that came in, with %s', (_, name, value, stays) => {
    expect(keepRequestHeaders([[name, value]])).toEqual([stays ? [name, value] : [name, null, value.length]]);
  });
});
