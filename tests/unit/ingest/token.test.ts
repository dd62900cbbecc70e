/** `POST /token` without a socket: which forms get a token, and in which words the others are refused. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tokenAnswer } from '../../../src/core/ingest/token.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${part({ alg: 'RS256' })}.${part({ iss: 'client-1' })}.c2ln-_`;
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const FORM = { grant_type: 'client_credentials', client_assertion_type: TYPE, client_assertion: JWT };

const bytes = (form: object) => Buffer.from(new URLSearchParams(form as Record<string, string>).toString());
const ask = (form: object, tooLong = false) => tokenAnswer(bytes(form), null, tooLong, (count) => `${count}h`);
const headers = [
  ['Content-Type', 'application/json'],
  ['Cache-Control', 'no-store'],
];
const refused = (status: number, code: string, message: string) => ({
  status,
  code,
  body: JSON.stringify({ success: false, code, message, error: code, error_description: message }),
  headers,
});

it('a well-formed request gets a token of 24 bytes that nobody keeps', () => {
  const body = '{"access_token":"24h","token_type":"Bearer","expires_in":3600}';
  expect(ask(FORM)).toEqual({ status: 200, code: null, body, headers });
  expect(tokenAnswer(gzipSync(bytes(FORM)), 'gzip', false, () => 'x').status).toBe(200);
});

describe('a form is refused', () => {
  const { grant_type: _, ...noGrant } = FORM;
  const { client_assertion: __, ...noAssertion } = FORM;
  const invalid = 'invalid_request';
  it.each([
    ['without a grant', noGrant, refused(400, invalid, 'The form has no grant_type.')],
    [
      'with another grant',
      { ...FORM, grant_type: '' },
      refused(400, 'unsupported_grant_type', 'The grant_type must be client_credentials.'),
    ],
    [
      'with another kind of assertion',
      { ...FORM, client_assertion_type: 'x' },
      refused(400, invalid, `The client_assertion_type must be ${TYPE}.`),
    ],
    ['without an assertion', noAssertion, refused(400, invalid, 'The form has no client_assertion.')],
  ])('%s', (_title, form, answer) => expect(ask(form)).toEqual(answer));

  it('that is too long or damaged', () => {
    const answer = refused(400, invalid, 'The form cannot be read.');
    expect(ask(FORM, true)).toEqual(answer);
    expect(tokenAnswer(bytes(FORM), 'gzip', false, () => 'x')).toEqual(answer);
  });

  const object = part({});
  it.each([
    '',
    'x',
    'a.b.c',
    `${object}.${object}`,
    `${object}.${object}.`,
    `${object}.${object}.s.s`,
    `.${object}.s`,
    `${part([])}.${object}.s`,
    `${object}.${part([])}.s`,
    `${object}.${part(null)}.s`,
    `${object}.e30x.s`,
    ` ${object}.${object}.s`,
    `${object}.${object}.s `,
    `${object}.${object}.s+`,
    `${object}x${object}xs`,
  ])('with the assertion %j, which is no signed JWT', (client_assertion) => {
    const message = 'The client_assertion is not a signed JWT.';
    expect(ask({ ...FORM, client_assertion })).toEqual(refused(401, 'invalid_client', message));
  });
});
