import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSecretHeader, readStaticHeaders } from '../../../src/core/model/static-headers.ts';

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
