/**
 * `POST /token`: the OAuth endpoint of Segment's libraries (client credentials with a signed assertion, RFC 6749,
 * section 4.4, and RFC 7523). Any well-formed request gets a token. Ingest cannot check the assertion's signature,
 * audience and expiry, because nobody could give it the public key. It stores no token, because the write key says
 * where a call belongs.
 */
import { isJsonObject } from '../model/call.ts';
import type { Header } from '../model/header.ts';
import { parseJsonBytes } from '../model/json.ts';
import type { Answer } from './answers.ts';
import { decodeBody } from './decode.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** A number, because one library takes a text to mean that there is no token. */
const EXPIRES_IN_SECONDS = 3600;
const TOKEN_BYTES = 24;

const HEADERS: readonly Header[] = [
  ['Content-Type', 'application/json'],
  ['Cache-Control', 'no-store'],
];

/** `newHex` makes the token from that many random bytes. `tooLong` says that the body was not read to its end. */
export function tokenAnswer(
  body: Uint8Array,
  encoding: string | null,
  tooLong: boolean,
  newHex: (bytes: number) => string,
): Answer {
  const decoded = decodeBody(body, encoding);
  if (tooLong || !decoded.ok) return refused('invalid_request', 'The form cannot be read.');
  const form = new URLSearchParams(Buffer.from(decoded.bytes).toString('utf8'));
  const problem = problemOf(form);
  if (problem !== null) return problem;
  const token = { access_token: newHex(TOKEN_BYTES), token_type: 'Bearer', expires_in: EXPIRES_IN_SECONDS };
  return { status: 200, code: null, body: JSON.stringify(token), headers: HEADERS };
}

function problemOf(form: URLSearchParams): Answer | null {
  const grantType = form.get('grant_type');
  if (grantType === null) return refused('invalid_request', 'The form has no grant_type.');
  if (grantType !== 'client_credentials')
    return refused('unsupported_grant_type', 'The grant_type must be client_credentials.');
  if (form.get('client_assertion_type') !== ASSERTION_TYPE)
    return refused('invalid_request', `The client_assertion_type must be ${ASSERTION_TYPE}.`);
  const assertion = form.get('client_assertion');
  if (assertion === null) return refused('invalid_request', 'The form has no client_assertion.');
  if (!looksLikeJwt(assertion)) return refused('invalid_client', 'The client_assertion is not a signed JWT.');
  return null;
}

/** Checks that header and claims are JSON objects and that there is a signature, not what they say. */
function looksLikeJwt(text: string): boolean {
  const parts = /^([\w-]+)\.([\w-]+)\.[\w-]+$/.exec(text);
  if (parts === null) return false;
  return [parts[1], parts[2]].every((part) => {
    const parsed = parseJsonBytes(Buffer.from(part as string, 'base64url'));
    return parsed.ok && isJsonObject(parsed.value);
  });
}

/** `error` is the code, as in RFC 6749, section 5.2; the other fields are those of every answer. */
function refused(code: 'invalid_request' | 'unsupported_grant_type' | 'invalid_client', message: string): Answer {
  const body = JSON.stringify({ success: false, code, message, error: code, error_description: message });
  return { status: code === 'invalid_client' ? 401 : 400, code, body, headers: HEADERS };
}
