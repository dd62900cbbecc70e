/**
 * The signature lab: why a digest does not match, and which JSON libraries would write a body otherwise. A change is one thing that a verifier did to the body, the secret or
 * the hash; its words are the same in the interface and on the command line.
 */
import type { AttemptView, MessageRow } from './values.ts';

interface ChangeWords {
  /** In a list of variants: `Space after : and ,`. */
  readonly label: string;
  /** After "Your receiver": `hashed the body with a space after : and ,`. */
  readonly did: string;
  /** Who does that; empty when it needs no word. */
  readonly by: string;
}

const words = (label: string, did: string, by = ''): ChangeWords => ({ label, did, by });

/** Changes of the body: the verifier hashed other bytes than those that were sent. */
export const BODY_CHANGES = {
  spaced: words('Space after : and ,', 'wrote the JSON again with a space after : and ,', 'Python json.dumps'),
  spaced_colons: words('Space after :', 'wrote the JSON again with a space after :', 'Python separators=(",", ": ")'),
  two_spaces: words('Two-space indent', 'wrote the JSON again, indented by 2', 'JSON.stringify(body, null, 2)'),
  four_spaces: words('Four-space indent', 'wrote the JSON again, indented by 4', 'PHP JSON_PRETTY_PRINT'),
  tabs: words('Tab indent', 'wrote the JSON again, indented by tabs', 'Go json.MarshalIndent'),
  compact: words('No spaces', 'wrote the JSON again without spaces', 'JSON.stringify'),
  characters: words('Escapes written as characters', 'wrote escaped characters as themselves', 'any JSON library'),
  ascii: words('Non-ASCII as \\u00e9', 'wrote non-ASCII characters as \\u escapes', 'Python json.dumps'),
  ascii_upper: words(
    'Non-ASCII as \\u00E9',
    'wrote non-ASCII characters as upper-case \\u escapes',
    'Jackson ESCAPE_NON_ASCII',
  ),
  slashes: words('/ written as \\/', 'wrote / as \\/', 'PHP with JSON_UNESCAPED_UNICODE'),
  ascii_slashes: words(
    '/ as \\/, non-ASCII as \\u00e9',
    'wrote / as \\/ and non-ASCII as \\u escapes',
    'PHP json_encode',
  ),
  html: words(
    'HTML-escaped: & written as \\u0026',
    'hashed an HTML-escaped body (< > & as \\u escapes)',
    'Go json.Marshal, Rails to_json',
  ),
  html_gson: words(
    "HTML-escaped: & = ' written as \\u0026",
    "hashed an HTML-escaped body (< > & = ' as \\u escapes)",
    'Gson toJson',
  ),
  dotnet: words(
    'Escaped for HTML and ASCII, upper case',
    'wrote non-ASCII and HTML characters as upper-case \\u escapes',
    '.NET System.Text.Json',
  ),
  keys_sorted: words('Keys sorted', 'sorted the keys', 'Python sort_keys, Go map'),
  keys_sorted_utf16: words('Keys sorted by UTF-16 units', 'sorted the keys by UTF-16 units', 'JavaScript sort()'),
  keys_sorted_top: words(
    'Outermost keys sorted',
    'sorted the keys of the outermost object',
    'PHP ksort, Ruby sort.to_h',
  ),
  keys_listed: words(
    'Keys by a list',
    'left out inner keys that the outermost object does not have, and sorted the keys',
    'JSON.stringify(body, Object.keys(body).sort())',
  ),
  integer_keys_first: words('Integer keys first', 'moved keys that are integers to the front', 'JavaScript objects'),
  repeated_first: words('First of repeated keys', 'kept the first value of a repeated key'),
  repeated_last: words('Last of repeated keys', 'kept the last value of a repeated key', 'any JSON library'),
  numbers_javascript: words('Numbers as JavaScript writes them', 'wrote a number as JavaScript does', 'JSON.stringify'),
  numbers_python: words('Numbers as Python writes them', 'wrote a number as Python does', 'Python json.dumps'),
  numbers_go: words('Numbers as Go writes them', 'wrote a number as a Go float64', 'Go map[string]any'),
  numbers_ruby: words('Numbers as Ruby writes them', 'wrote a number as Ruby does', 'Ruby JSON.generate'),
  numbers_php: words('Numbers as PHP writes them', 'wrote a number as PHP does', 'PHP json_encode'),
  numbers_java: words('Numbers as Java writes them', 'wrote a fraction as Double.toString does', 'Jackson'),
  numbers_java_doubles: words('Every number as a double: 3 is 3.0', 'wrote every number as a double', 'Gson to Map'),
  numbers_two_places: words('Two decimal places: 184.50', 'wrote fractions with two places', 'decimal types'),
  numbers_without_zero: words('1.0 written as 1', 'wrote 1.0 as 1', 'JavaScript, PHP'),
  empty_arrays: words('{} written as []', 'wrote an empty object as an array', 'PHP json_decode(…, true)'),
  empty_on_lines: words(
    'Empty brackets on lines of their own',
    'put line breaks into empty brackets',
    'Ruby JSON.pretty_generate',
  ),
  nulls_dropped: words('Nulls left out', 'left out members that are null', 'Gson, omitempty'),
  newline: words('Newline at the end', 'hashed a newline after the body', 'Go json.Encoder, echo'),
  crlf: words('CRLF at the end', 'hashed CR LF after the body'),
  byte_order_mark: words(
    'Byte order mark',
    'hashed a byte order mark before the body',
    'a file saved as UTF-8 with BOM',
  ),
  trimmed: words('White space trimmed', 'trimmed the white space around the body', 'trim()'),
  crlf_lines: words('Line breaks as CR LF', 'hashed CR LF in place of line feeds', 'a text file on Windows'),
  latin1_decoded: words('Decoded as Latin-1', 'decoded the body as Latin-1 and encoded it as UTF-8', 'a wrong charset'),
  latin1_encoded: words('Encoded as Latin-1', 'encoded the body as Latin-1', 'a wrong charset'),
  utf16: words('Encoded as UTF-16', 'encoded the body as UTF-16', '.NET Encoding.Unicode'),
  question_marks: words('Non-ASCII as ?', 'encoded the body as ASCII, with ? for other characters', 'ASCII encoders'),
  question_marks_in_pairs: words(
    'Non-ASCII as ?, emoji as ??',
    'encoded the body as ASCII, with ? for other characters and ?? for those beyond U+FFFF',
    'Encoding.ASCII of .NET',
  ),
  ascii_only: words('Non-ASCII left out', 'encoded the body as ASCII, without other characters', 'ASCII with ignore'),
  twice: words('Body twice', 'hashed the body twice', 'a second update()'),
  html_text: words('HTML text', 'escaped the body as HTML text (&quot; for ")', 'PHP htmlspecialchars'),
  composed: words('Unicode composed (NFC)', 'composed characters (NFC)', 'normalize()'),
  decomposed: words('Unicode decomposed (NFD)', 'decomposed characters (NFD)', 'normalize()'),
  json_string: words('JSON of the JSON text', 'hashed the body as a JSON string', 'JSON.stringify(rawBody)'),
  base64: words('Body as base64', 'hashed the base64 form of the body', 'AWS Lambda isBase64Encoded'),
  hex: words('Body as hex', 'hashed the hex form of the body'),
  url_encoded: words('Body URL-encoded', 'hashed the URL-encoded body', 'JavaScript encodeURIComponent'),
  url_quoted: words(
    'Body URL-encoded but for /',
    'hashed the URL-encoded body, with / as it is',
    'Python urllib quote',
  ),
  python_bytes: words("b'…'", "hashed the text b'…' of the bytes", 'Python str(request.body)'),
  python_dict: words("{'key': 'value'}", 'hashed the printed dict', 'Python str(request.json)'),
  ruby_hash: words('{"key" => "value"}', 'hashed the printed hash', 'Ruby JSON.parse(body).to_s'),
  ruby_hash_before: words('{"key"=>"value"}', 'hashed the printed hash', 'JSON.parse(body).to_s before Ruby 3.4'),
  empty: words('Empty body', 'hashed an empty body', 'a body that was read before'),
  empty_object: words('{}', 'hashed {} in place of the body', 'a body that no parser took'),
  object_object: words('[object Object]', 'hashed the text [object Object]', 'JavaScript String(body)'),
  undefined: words('undefined', 'hashed the text undefined', 'JavaScript without a body parser'),
  null: words('null', 'hashed the text null', 'a body that no parser took'),
} as const;
export type BodyChange = keyof typeof BODY_CHANGES;

/** Changes of the secret: the verifier used another key. */
export const SECRET_CHANGES = {
  secret_newline: words(
    'Secret with a newline',
    'used the secret with a newline after it',
    'a secret read from a file',
  ),
  secret_crlf: words('Secret with CR LF', 'used the secret with CR LF after it', 'a secret read from a file'),
  secret_space_after: words('Secret with a space after it', 'used the secret with a space after it', 'copy and paste'),
  secret_space_before: words('Secret with a space before it', 'used the secret with a space before it', 'KEY= value'),
  secret_trimmed: words('Secret trimmed', 'trimmed the secret', 'trim()'),
  secret_double_quotes: words('Secret in "quotes"', 'used the quotes around the secret too', '.env files'),
  secret_single_quotes: words("Secret in 'quotes'", 'used the quotes around the secret too', '.env files'),
  secret_unquoted: words('Secret without its quotes', 'took the quotes off the secret', '.env files'),
  secret_cut: words('Secret cut at # or a space', 'used only the part of the secret before # or a space', '.env files'),
  secret_line_break: words('\\n of the secret as a line break', 'read \\n in the secret as a line break', '.env files'),
  secret_empty: words('Secret is empty', 'used an empty secret', 'a variable that is not set'),
  secret_undefined: words('Secret is undefined', 'used the text undefined as the secret', 'JavaScript'),
  secret_null: words('Secret is null', 'used the text null as the secret'),
  secret_none: words('Secret is None', 'used the text None as the secret', 'Python str(None)'),
  secret_with_prefix: words('Secret with whsec_', 'put whsec_ before the secret', 'Standard Webhooks'),
  secret_without_prefix: words('Secret without whsec_', 'took whsec_ off the secret', 'Standard Webhooks'),
  secret_without_prefix_base64: words(
    'Secret after whsec_, from base64',
    'took whsec_ off the secret and decoded the rest from base64',
    'Standard Webhooks',
  ),
  secret_from_base64: words('Secret from base64', 'decoded the secret from base64'),
  secret_from_hex: words('Secret from hex', 'decoded the secret from hex'),
  secret_as_base64: words('Secret as base64', 'used the base64 form of the secret', 'Kubernetes secrets'),
  secret_as_hex: words('Secret as hex', 'used the hex form of the secret'),
  secret_hashed: words('Secret hashed', 'used the SHA-1 of the secret, in hex'),
  secret_url_encoded: words('Secret URL-encoded', 'URL-encoded the secret'),
  secret_url_decoded: words('Secret URL-decoded', 'URL-decoded the secret'),
  secret_lower: words('Secret in lower case', 'wrote the secret in lower case'),
  secret_upper: words('Secret in upper case', 'wrote the secret in upper case'),
  secret_latin1: words('Secret as Latin-1', 'encoded the secret as Latin-1'),
  secret_utf16: words('Secret as UTF-16', 'encoded the secret as UTF-16', '.NET Encoding.Unicode'),
} as const;
export type SecretChange = keyof typeof SECRET_CHANGES;

/** Other hashes that verifiers use where X-Signature is HMAC-SHA1. */
export const HASH_CHANGES = {
  hmac_sha256: words('SHA-256 in place of SHA-1', 'used HMAC-SHA256 in place of HMAC-SHA1'),
  hmac_sha512: words('SHA-512 in place of SHA-1', 'used HMAC-SHA512 in place of HMAC-SHA1'),
  hmac_sha384: words('SHA-384 in place of SHA-1', 'used HMAC-SHA384 in place of HMAC-SHA1'),
  hmac_sha224: words('SHA-224 in place of SHA-1', 'used HMAC-SHA224 in place of HMAC-SHA1'),
  hmac_md5: words('MD5 in place of SHA-1', 'used HMAC-MD5 in place of HMAC-SHA1'),
  swapped: words(
    'Secret and body swapped',
    'used the body as the key and the secret as the message',
    'hmac(body, secret)',
  ),
  sha1: words('SHA-1 without the secret', 'hashed the body without the secret'),
  sha256: words('SHA-256 without the secret', 'hashed the body with SHA-256, without the secret'),
  md5: words('MD5 without the secret', 'hashed the body with MD5, without the secret'),
  sha1_secret: words('SHA-1 of the secret alone', 'hashed the secret without the body'),
  sha1_secret_body: words('SHA-1 of secret + body', 'hashed the secret followed by the body, without HMAC'),
  sha1_body_secret: words('SHA-1 of body + secret', 'hashed the body followed by the secret, without HMAC'),
  sha256_secret_body: words(
    'SHA-256 of secret + body',
    'hashed the secret followed by the body with SHA-256, without HMAC',
  ),
  sha256_body_secret: words(
    'SHA-256 of body + secret',
    'hashed the body followed by the secret with SHA-256, without HMAC',
  ),
  hashed_again: words('HMAC of the SHA-1 of the body', 'hashed the body first and signed the hex of that'),
} as const;
export type HashChange = keyof typeof HASH_CHANGES;

export const CHANGES = { ...BODY_CHANGES, ...SECRET_CHANGES, ...HASH_CHANGES };
export type Change = keyof typeof CHANGES;

/** How the digest was written, where that is not lower-case hex. */
export const DIGEST_FORMS = {
  hex: '',
  upper_hex: 'Your digest is in upper case. X-Signature is in lower case: compare in one case.',
  dashed_hex:
    'Your digest has dashes between its bytes, as BitConverter writes them. X-Signature is 40 hex digits alone.',
  prefixed: 'Your digest has a prefix. X-Signature is 40 hex digits alone.',
  base64: 'Your digest is in base64. X-Signature is hex.',
  base64_of_hex: 'Your digest is the base64 of the hex text. X-Signature is hex.',
} as const;
export type DigestForm = keyof typeof DIGEST_FORMS;

/** Characters of a digest as pasted, with its signs and white space. */
export const MAX_DIGEST = 1_000;

export interface Difference {
  /** Byte of the sent body at which the receiver's differs; its length when the receiver's goes on. */
  readonly at: number;
  /** `properties.coupon`; empty outside of a field, or when the body is not JSON. */
  readonly field: string;
}

export type LabVerdict =
  | { readonly kind: 'match'; readonly form: DigestForm }
  | {
      readonly kind: 'explained';
      readonly form: DigestForm;
      /** The changes that the receiver made: first of the body, then of the secret, then of the hash. */
      readonly changes: readonly Change[];
      /** Libraries that write exactly these bytes by default, such as `Python json.dumps`. */
      readonly writers: readonly string[];
      /** Null when it hashed the bytes that were sent. */
      readonly hashed: { readonly base64: string; readonly difference: Difference } | null;
    }
  /** No variant gives this digest. `tried` counts them. */
  | { readonly kind: 'unexplained'; readonly form: DigestForm; readonly tried: number }
  | { readonly kind: 'not_a_digest'; readonly problem: string };

/** A verdict on a digest of what an attempt sent, under the shared secret of now. */
export interface AttemptVerdict {
  readonly verdict: LabVerdict;
  /** Of the body. */
  readonly bytes: number;
  /** X-Signature as it was sent; null when the attempt was not signed. */
  readonly sent: string | null;
  /** The shared secret has changed since: `sent` is not the signature under the one of now. */
  readonly hasOtherSecret: boolean;
}

/** A search that goes on, or its end. */
export type SearchAnswer =
  | { readonly done: false; readonly search: string /** Digests compared so far. */; readonly tried: number }
  | ({ readonly done: true } & AttemptVerdict);

/** One change that a verifier may make, and the digest that it then computes. */
export interface Variant {
  /** Empty for the bytes, the secret and the hash of X-Signature itself. */
  readonly changes: readonly Change[];
  /** The library that makes all these changes; null for a single one. */
  readonly library: string | null;
  /** Lower-case hex. */
  readonly digest: string;
}

export const HAZARD_LANGUAGES = ['JavaScript', 'Python', 'Go', 'Ruby', 'PHP', 'Java', 'C#'] as const;
export type HazardLanguage = (typeof HAZARD_LANGUAGES)[number];

/** One place at which a library writes something else than what was sent. */
export interface HazardPlace {
  readonly kind: 'text' | 'number' | 'order' | 'repeated' | 'empty' | 'null' | 'white_space' | 'line_break';
  /** `properties.items[0].price`; empty for the whole body. */
  readonly path: string;
  /** The part that differs, cut to 40 characters; for an order the key that stood there. */
  readonly sent: string;
  readonly written: string;
}

/** What becomes of a body that a verifier parses and writes again with one library. */
export interface Hazard {
  readonly language: HazardLanguage;
  readonly library: string;
  /** 0 when the library writes the bytes that were sent. */
  readonly count: number;
  /** The first ones. */
  readonly places: readonly HazardPlace[];
}
/** Places of a hazard that are listed. */
export const MAX_PLACES = 20;

/** An attempt as the lab shows it before there is a digest. */
export interface SignedAttempt {
  readonly attempt: AttemptView;
  readonly message: MessageRow;
  /** Exactly the bytes that were sent. */
  readonly bodyBase64: string;
  /** X-Signature as it was sent; null when the attempt was not signed. */
  readonly sent: string | null;
  /** The signature of the body under the shared secret of now; null without one. */
  readonly expected: string | null;
  /** One for each library; empty when the body is not JSON. */
  readonly hazards: readonly Hazard[];
}

/** How the receiver's bytes compare with those that were sent. */
export interface BytesCompared {
  /** Null when they are the same. */
  readonly difference: Difference | null;
  /** HMAC-SHA1 of the receiver's bytes: the digest that a verifier of them computes. */
  readonly digest: string;
}

/** Of a receiver's body: what Hookbench sends is smaller, but a receiver may have hashed it as hex or UTF-16. */
export const MAX_COMPARED_BYTES = 1_000_000;
