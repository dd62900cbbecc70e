/** What becomes of a secret on its way from a settings page to the key of an HMAC. */
import { createHash } from 'node:crypto';
import type { SecretChange } from '../../contract/signature-lab.ts';

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const PREFIX = 'whsec_';
const QUOTED = /^(["'])(.*)\1$/s;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

function urlDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

type Changed = Buffer | string | null;

/** Null where the change does not apply. A text is encoded as UTF-8. */
const MAKERS: Readonly<Record<SecretChange, (secret: string) => Changed>> = {
  secret_newline: (secret) => `${secret}\n`,
  secret_crlf: (secret) => `${secret}\r\n`,
  secret_space_after: (secret) => `${secret} `,
  secret_space_before: (secret) => ` ${secret}`,
  secret_trimmed: (secret) => secret.trim(),
  secret_double_quotes: (secret) => `"${secret}"`,
  secret_single_quotes: (secret) => `'${secret}'`,
  secret_unquoted: (secret) => QUOTED.exec(secret)?.[2] ?? null,
  secret_cut: (secret) => /^[^#\s]*/.exec(secret.trimStart())?.[0] ?? null,
  secret_line_break: (secret) => secret.replaceAll('\\n', '\n'),
  secret_empty: () => '',
  secret_undefined: () => 'undefined',
  secret_null: () => 'null',
  secret_none: () => 'None',
  secret_with_prefix: (secret) => `${PREFIX}${secret}`,
  secret_without_prefix: (secret) => (secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : null),
  secret_without_prefix_base64: (secret) =>
    secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : null,
  secret_from_base64: (secret) => (BASE64.test(secret) ? Buffer.from(secret, 'base64') : null),
  secret_from_hex: (secret) => (/^(?:[0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : null),
  secret_as_base64: (secret) => utf8(secret).toString('base64'),
  secret_as_hex: (secret) => utf8(secret).toString('hex'),
  secret_hashed: (secret) => createHash('sha1').update(secret).digest('hex'),
  secret_url_encoded: (secret) => encodeURIComponent(secret),
  secret_url_decoded: urlDecoded,
  secret_lower: (secret) => secret.toLowerCase(),
  secret_upper: (secret) => secret.toUpperCase(),
  secret_latin1: (secret) => Buffer.from(secret, 'latin1'),
  secret_utf16: (secret) => Buffer.from(secret, 'utf16le'),
};

export interface ChangedSecret {
  readonly changes: readonly SecretChange[];
  readonly key: Buffer;
}

/** The secret itself, then each change of it that gives another key. */
export function secretsOf(secret: string): ChangedSecret[] {
  const all: ChangedSecret[] = [{ changes: [], key: utf8(secret) }];
  for (const [change, make] of Object.entries(MAKERS) as [SecretChange, (typeof MAKERS)[SecretChange]][]) {
    const made = make(secret);
    if (made === null) continue;
    const key = typeof made === 'string' ? utf8(made) : made;
    if (!all.some((other) => other.key.equals(key))) all.push({ changes: [change], key });
  }
  return all;
}
