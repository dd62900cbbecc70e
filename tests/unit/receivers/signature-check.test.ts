import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkSignature } from '../../../src/core/receivers/signature-check.ts';

const SECRET = 's3cret';
const digest = (body: string, secret = SECRET): string => createHmac('sha1', secret).update(body).digest('hex');
const check = (body: string, header: string | undefined, secret: string | null = SECRET) =>
  checkSignature(secret, header, Buffer.from(body));

describe('X-Signature', () => {
  const body = '{"type":"track","event":"Käufe"}';

  it('verifies as the lowercase hex HMAC-SHA1 of the raw bytes', () => {
    expect(check(body, digest(body))).toEqual({ verdict: 'verified', reserialises: true });
  });

  it.each([
    ['another secret', digest(body, 'other')],
    ['another body', digest(`${body} `)],
    ['upper case', digest(body).toUpperCase()],
    ['one digit off', digest(body).replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['a digest too long', `${digest(body)}0`],
    ['two digests', `${digest(body)}, ${digest(body)}`],
    ['text that is no digest', 'ünsigned'],
  ])('does not verify with %s', (_what, header) => {
    expect(check(body, header)).toEqual({ verdict: 'mismatch', reserialises: null });
  });

  it('tells a request without one, and a receiver without a secret', () => {
    expect(check(body, undefined).verdict).toBe('unsigned');
    expect(check(body, '').verdict).toBe('unsigned');
    expect(check(body, digest(body), null).verdict).toBe('no_secret');
  });

  it.each([
    ['blanks', '{"a": 1}'],
    ['a number that JSON rounds', '{"a":12345678901234567890}'],
    ['keys that JavaScript reorders', '{"b":1,"1":2}'],
    ['escapes', '{"a":"\\u0041"}'],
    ['no JSON', 'not json'],
    ['deep nesting', '['.repeat(200_000)],
  ])('notes raw bytes that verify while the re-serialised body would not: %s', (_what, raw) => {
    expect(check(raw, digest(raw))).toEqual({ verdict: 'verified', reserialises: false });
  });
});
