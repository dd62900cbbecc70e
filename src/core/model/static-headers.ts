import { type Header, isHeaderName, isHeaderValue } from './header.ts';
import { remembering } from './remembering.ts';

/**
 * A static header of a webhook. Its value is a secret unless a person has marked it with `shown` (decisions, Delivery):
 * the name does not say whether a value is harmless.
 */
export type StaticHeader = readonly [name: string, value: string, mark?: 'shown'];

/** At most this many static headers on one webhook (decisions, Delivery). */
export const MAX_STATIC_HEADERS = 50;
/** At most this many bytes of static headers, counted as they are written: name, colon, space, value, CR LF. */
export const MAX_STATIC_HEADER_BYTES = 8 * 1024;

export type HeaderProblemCode =
  | 'too_many_headers'
  | 'headers_too_long'
  | 'empty_name'
  | 'bad_name'
  | 'bad_value'
  | 'reserved_name';

/** Why a list of static headers is not allowed. `field` is a path into the list. */
export interface HeaderProblem {
  readonly code: HeaderProblemCode;
  /** `headers`, `headers.3.name` or `headers.3.value`. */
  readonly field: string;
  readonly message: string;
}

export type StaticHeaders =
  | { readonly ok: true; readonly headers: readonly StaticHeader[] }
  | { readonly ok: false; readonly problem: HeaderProblem };

/** Headers that Hookbench sets itself: those of the connection, and those that describe the body and the sender. */
const RESERVED = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'content-type',
  'user-agent',
  'x-signature',
]);

/**
 * Checks static headers (delivery specification, section 2.1; decisions, Delivery) and takes the blanks
 * around names and values away, as HTTP does. The first problem is returned. Names may repeat.
 */
export function readStaticHeaders(
  input: readonly { readonly name: string; readonly value: string; readonly shown?: boolean | undefined }[],
): StaticHeaders {
  if (input.length > MAX_STATIC_HEADERS) {
    return refused('too_many_headers', 'headers', `A webhook can have at most ${MAX_STATIC_HEADERS} static headers.`);
  }
  const headers: StaticHeader[] = [];
  let bytes = 0;
  for (const [index, { name, value, shown }] of input.entries()) {
    const header = [trimBlanks(name), trimBlanks(value)] as const;
    const problem = problemOf(header, `headers.${index}`);
    if (problem) return { ok: false, problem };
    bytes += header[0].length + header[1].length + 4;
    headers.push(shown === true ? [...header, 'shown'] : header);
  }
  if (bytes > MAX_STATIC_HEADER_BYTES) {
    return refused('headers_too_long', 'headers', 'The static headers of a webhook can have at most 8 KiB together.');
  }
  return { ok: true, headers };
}

/** Only the blanks that HTTP itself ignores; String.trim would also hide a CR or LF at the end. */
function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}

function problemOf([name, value]: Header, at: string): HeaderProblem | null {
  const nameField = `${at}.name`;
  if (name === '') return { code: 'empty_name', field: nameField, message: 'Enter a header name.' };
  if (!isHeaderName(name)) {
    const message = "A header name can have letters, digits and !#$%&'*+-.^_`|~ only.";
    return { code: 'bad_name', field: nameField, message };
  }
  if (isReserved(name)) {
    return {
      code: 'reserved_name',
      field: nameField,
      message: `${name} is set by Hookbench and cannot be a static header.`,
    };
  }
  if (!isHeaderValue(value)) {
    const message = 'A header value cannot have line breaks, control characters or characters beyond Latin-1.';
    return { code: 'bad_value', field: `${at}.value`, message };
  }
  return null;
}

function isReserved(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith('proxy-');
}

function refused(code: HeaderProblemCode, field: string, message: string): StaticHeaders {
  return { ok: false, problem: { code, field, message } };
}

/** A header as it is kept: a secret one as `[name, null, length]`, so that no store, list or export holds its value. */
export type KeptHeader = readonly [name: string, value: string] | readonly [name: string, value: null, length: number];

const hidden = ([name, value]: Header | StaticHeader): KeptHeader => [name, null, value.length];

/** Static headers as a client of the contract sees them. */
export const keepStaticHeaders = (statics: readonly StaticHeader[]): KeptHeader[] =>
  statics.map((header) => (header[2] === 'shown' ? [header[0], header[1]] : hidden(header)));

/** The names, in lower case, of headers whose values are hidden. */
export const secretNames = (statics: readonly StaticHeader[]): ReadonlySet<string> =>
  new Set(statics.filter(([, , mark]) => mark !== 'shown').map(([name]) => name.toLowerCase()));

/**
 * The headers of an attempt as they are stored. Hookbench's own keep their values, X-Signature included, so that it can
 * be compared. A static header keeps its value only if a person shows it. Only the name decides: where a name has both
 * kinds, or one of ours replaced a static one, the value is hidden.
 */
export function keepSentHeaders(sent: readonly Header[], statics: readonly StaticHeader[]): readonly KeptHeader[] {
  const secret = secretNames(statics);
  if (secret.size === 0) return sent;
  return sent.map((header) => (secret.has(header[0].toLowerCase()) ? hidden(header) : header));
}

const SECRET_NAMES = /(authorization|authentication|cookie|token|secret|passw|pwd|credential|session|signature)/;
/** Words that mean a secret only as a whole part of the name: `x-auth`, `api-key`, not `author` or `keyboard`. */
const SECRET_PARTS = new Set(['auth', 'key', 'apikey', 'jwt', 'pass']);

/** Whether the name of a received header suggests a secret. When in doubt, it says yes. */
export const isSecretHeader = remembering(32, (name: string): boolean => {
  const lower = name.toLowerCase();
  if (lower === 'x-signature') return false;
  return SECRET_NAMES.test(lower) || lower.split(/[^a-z0-9]+/).some((part) => SECRET_PARTS.has(part));
});

/**
 * The headers of a received request as they are stored. A write key as Basic user stays, because its source shows it
 * anyway. Passwords, cookies and bearer tokens of other programs on this machine are hidden.
 */
export const keepRequestHeaders = (headers: readonly Header[]): KeptHeader[] =>
  headers.map((header) => (isWriteKey(header) || !isSecretHeader(header[0]) ? header : hidden(header)));

/** `Authorization: Basic` with a user and no password: how SDKs send the write key. */
function isWriteKey([name, value]: Header): boolean {
  if (name.toLowerCase() !== 'authorization' || !/^basic /i.test(value)) return false;
  const text = Buffer.from(value.slice(6), 'base64').toString('latin1');
  const colon = text.indexOf(':');
  return colon === -1 || colon === text.length - 1;
}
