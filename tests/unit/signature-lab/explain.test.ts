import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BodyChange, CHANGES, type Change, type LabVerdict } from '../../../src/contract/signature-lab.ts';
import { signatureOf } from '../../../src/core/model/signature.ts';
import { BYTE_CHANGES } from '../../../src/core/signature-lab/byte-changes.ts';
import { explain } from '../../../src/core/signature-lab/explain.ts';
import { HASHES } from '../../../src/core/signature-lab/hashes.ts';
import { readTree } from '../../../src/core/signature-lab/json-tree.ts';
import { secretsOf } from '../../../src/core/signature-lab/secret-changes.ts';
import { COMPACT, writeJson } from '../../../src/core/signature-lab/write-json.ts';
import { HABITS, LIBRARIES } from '../../../src/core/signature-lab/writers.ts';

const SECRET = "whsec_c2VjcmV0 key#1\\nZoë'";
const TEXT =
  '{"type":"track","userId":"usr_3ea4","properties":{"total":184.5,"count":3,"big":12345678901234567890,"zero":1.0,' +
  '"exp":1e16,"coupon":"WINTER & CO = <\'10\'>","url":"https://x.test/a","name":"Zoë e\u0301 😀","esc":"\\u00e8\\/",' +
  '"empty":{},"none":null,"10":1,"9":2,"dup":1,"dup":2,"\uffee":1,"😀":2,"-0":-0}}';
const BODY = Buffer.from(TEXT);

const asked = (digest: string, body: Uint8Array = BODY, secret = SECRET): LabVerdict =>
  explain({ body, secret, digest });
const changesOf = (verdict: LabVerdict): readonly Change[] | string =>
  verdict.kind === 'explained' ? verdict.changes : verdict.kind;
const styled = (style: (typeof HABITS)[number][1]): Buffer =>
  Buffer.from(writeJson(readTree(TEXT), { spacing: COMPACT, ...style }));

describe('a digest that matches', () => {
  const right = signatureOf(SECRET, BODY);
  test.each([
    ['hex', right],
    ['hex', ` ${right}\n`],
    ['hex', `"${right}"`],
    ['hex', right.replace(/(.{8})/g, '$1 ')],
    ['upper_hex', right.toUpperCase()],
    ['dashed_hex', right.replace(/(..)(?=.)/g, '$1-')],
    ['dashed_hex', right.toUpperCase().replace(/(..)(?=.)/g, '$1-')],
    ['prefixed', `sha1=${right}`],
    ['base64', Buffer.from(right, 'hex').toString('base64')],
    ['base64', Buffer.from(right, 'hex').toString('base64url')],
    ['base64_of_hex', Buffer.from(right).toString('base64')],
  ])('as %s', (form, digest) => {
    expect(asked(digest)).toEqual({ kind: 'match', form });
  });
  test('is never called anything else, whatever the body', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.string({ unit: 'binary' }), (body, secret) => {
        expect(asked(signatureOf(secret, body), body, secret)).toEqual({ kind: 'match', form: 'hex' });
      }),
      { numRuns: 300 },
    );
  });
});

describe('what is no digest says how long it is', () => {
  test.each([
    ['', 'There is no digest yet.'],
    ['ab', 'This is not a hex digest. It has 2 characters, 40 expected.'],
    ['0'.repeat(39), 'This is not a hex digest. It has 39 characters, 40 expected.'],
    ['z', 'This is not a hex digest. It has 1 character, 40 expected.'],
    [`${'0'.repeat(39)}g`, 'This is not a hex digest. It has 40 characters, 40 expected.'],
  ])('%j', (digest, problem) => {
    expect(asked(digest)).toEqual({ kind: 'not_a_digest', problem });
  });
});

describe('one change is named', () => {
  test.each(HABITS.filter(([change]) => change !== 'compact'))('%s', (change, style) => {
    const bytes = styled(style);
    expect(bytes.equals(BODY)).toBe(false);
    expect(changesOf(asked(signatureOf(SECRET, bytes)))).toEqual([change]);
  });
  test.each(BYTE_CHANGES.filter(([change]) => change !== 'trimmed' && change !== 'crlf_lines'))(
    '%s',
    (change, make) => {
      expect(changesOf(asked(signatureOf(SECRET, make(BODY)!)))).toEqual([change]);
    },
  );
  test.each<[BodyChange, string]>([
    ['compact', `{ "a" :1}`],
    ['trimmed', ` x `],
    ['crlf_lines', 'x\ny'],
  ])('%s', (change, sent) => {
    const hashed = { compact: '{"a":1}', trimmed: 'x', crlf_lines: 'x\r\ny' }[change as 'compact']!;
    expect(changesOf(asked(signatureOf(SECRET, Buffer.from(hashed)), Buffer.from(sent)))).toEqual([change]);
  });
  const secrets = ["  whsec_c2VjcmV0 key#1\\nZoë' ", SECRET, '"quoted"', 'deadBEEF', 'a%20b'];
  const named = new Set(secrets.flatMap((secret) => secretsOf(secret).flatMap(({ changes }) => changes)));
  test('every change of a secret', () => {
    expect([...named].toSorted()).toEqual(
      Object.keys(CHANGES)
        .filter((code) => code.startsWith('secret_'))
        .toSorted(),
    );
  });
  test.each(
    secrets.flatMap((secret) =>
      secretsOf(secret)
        .slice(1)
        .map((changed) => [changed.changes[0]!, secret, changed] as const),
    ),
  )('%s of %j', (change, secret, { key }) => {
    const digest = createHmac('sha1', key).update(BODY).digest('hex');
    expect(changesOf(asked(digest, BODY, secret))).toEqual([change]);
  });
  test.each(HASHES.slice(1).map((hash) => [hash.changes[0]!, hash] as const))('%s', (change, hash) => {
    const digest = hash.digest(Buffer.from(SECRET), BODY).toString('hex');
    expect(asked(digest)).toMatchObject({ kind: 'explained', changes: [change], hashed: null });
  });
});

test.each([
  ['question_marks', 'Zo? ?'],
  ['question_marks_in_pairs', 'Zo? ??'],
  ['ascii_only', 'Zo '],
])('a body as ASCII is named: %s', (change, name) => {
  const body = Buffer.from('{"name":"Zo\u00eb \ud83d\ude00"}');
  expect(asked(signatureOf(SECRET, Buffer.from(`{"name":"${name}"}`)), body)).toMatchObject({ changes: [change] });
});

describe('changes together', () => {
  const sha256 = (key: string, body: Uint8Array) => createHmac('sha256', key).update(body).digest('base64');
  const spacedOfAscii = styled({
    ...HABITS.find(([code]) => code === 'spaced')![1],
    ...HABITS.find(([code]) => code === 'nulls_dropped')![1],
  });
  test.each<[string, Change[], string]>([
    ['two habits', ['spaced', 'nulls_dropped'], signatureOf(SECRET, spacedOfAscii)],
    [
      'two habits and a newline',
      ['spaced', 'nulls_dropped', 'newline'],
      signatureOf(SECRET, Buffer.concat([spacedOfAscii, Buffer.from('\n')])),
    ],
    ['secret and hash', ['secret_newline', 'hmac_sha256'], sha256(`${SECRET}\n`, BODY)],
    [
      'body, secret and hash',
      ['newline', 'secret_newline', 'hmac_sha256'],
      sha256(`${SECRET}\n`, Buffer.from(`${TEXT}\n`)),
    ],
  ])('%s', (_name, changes, digest) => {
    expect(changesOf(asked(digest))).toEqual(changes);
  });
});

test.each(LIBRARIES.map((library) => [library.name, library] as const))('%s is named', (name, { style, end = '' }) => {
  const verdict = asked(signatureOf(SECRET, Buffer.from(writeJson(readTree(TEXT), style) + end)));
  expect(verdict).toMatchObject({ kind: 'explained', writers: [name] });
});

test('a difference has its byte and its field, and the bytes that were hashed', () => {
  const sent = Buffer.from('{"properties":{"name":"Zoë","coupon":"A & B"}}');
  const hashed = Buffer.from('{"properties":{"name":"Zoë","coupon":"A \\u0026 B"}}');
  expect(asked(signatureOf(SECRET, hashed), sent)).toEqual({
    kind: 'explained',
    form: 'hex',
    changes: ['html'],
    writers: ['Rails to_json', 'Gson toJson of a Map', 'Gson toJson of a JsonObject'],
    hashed: { base64: hashed.toString('base64'), difference: { at: sent.indexOf('&'), field: 'properties.coupon' } },
  });
});

test('a digest of something else is not explained, and the number of variants is told', () => {
  const verdict = asked('0'.repeat(40), Buffer.from('not JSON'));
  expect(verdict).toEqual({ kind: 'unexplained', form: 'hex', tried: expect.any(Number) });
  expect((verdict as { tried: number }).tried).toBeGreaterThan(300);
});
