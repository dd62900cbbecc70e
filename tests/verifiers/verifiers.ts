/** Verifiers with a real mistake each, and what the signature lab must call it. */
import type { Change, DigestForm } from '../../src/contract/signature-lab.ts';

export const LANGUAGES = ['node', 'python', 'go', 'ruby', 'php', 'java', 'csharp', 'shell'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface BrokenVerifier {
  readonly language: Language;
  /** Of the programs' table of mistakes. */
  readonly mistake: string;
  /** The library that must be among those named; or else the changes, exactly. */
  readonly named: string | readonly Change[];
  /** What another version of the language does; then either counts. */
  readonly elsewhere?: readonly Change[];
  /** `hex` unless given. */
  readonly form?: DigestForm;
}

const broken = (language: Language, mistake: string, named: string | readonly Change[], form?: DigestForm) =>
  ({ language, mistake, named, ...(form === undefined ? {} : { form }) }) satisfies BrokenVerifier;

/** A list of changes that is empty means that the digest is right and only its form is not. */
export const BROKEN_VERIFIERS: readonly BrokenVerifier[] = [
  broken('node', 'stringify', 'JSON.stringify(JSON.parse(body))'),
  broken('node', 'stringify_indent', 'JSON.stringify(body, null, 2)'),
  broken('node', 'stringify_string', ['json_string']),
  broken('node', 'string_of_object', ['object_object']),
  broken('node', 'no_parser', ['undefined']),
  broken('node', 'base64_body', ['base64']),
  broken('node', 'url_encoded', ['url_encoded']),
  broken('node', 'no_hmac_after', ['sha1_body_secret']),
  broken('node', 'secret_undefined', ['secret_undefined']),
  broken('node', 'quoted_secret', ['secret_double_quotes']),
  broken('node', 'prefixed_secret', ['secret_with_prefix']),
  broken('node', 'hashed_first', ['hashed_again']),
  broken('node', 'prefixed_digest', [], 'prefixed'),
  broken('python', 'dumps', 'Python json.dumps'),
  broken('python', 'dumps_compact', "Python json.dumps(separators=(',', ':'))"),
  broken('python', 'dumps_sorted', 'Python json.dumps(sort_keys=True)'),
  broken('python', 'dumps_sorted_compact', "Python json.dumps(sort_keys=True, separators=(',', ':'))"),
  broken('python', 'dumps_unicode', 'Python json.dumps(ensure_ascii=False)'),
  broken('python', 'dumps_indent', 'Python json.dumps(indent=4)'),
  broken('python', 'str_of_dict', ['python_dict']),
  broken('python', 'str_of_bytes', ['python_bytes']),
  broken('python', 'quoted', ['url_quoted']),
  broken('python', 'latin1', ['latin1_decoded']),
  broken('python', 'nfd', ['decomposed']),
  broken('python', 'replaced', ['question_marks']),
  broken('python', 'secret_from_file', ['secret_newline']),
  broken('python', 'secret_none', ['secret_none']),
  broken('python', 'secret_as_base64', ['secret_as_base64']),
  broken('python', 'sha256', ['hmac_sha256']),
  broken('python', 'no_hmac', ['sha1_secret_body']),
  broken('python', 'no_secret', ['sha1']),
  broken('python', 'no_body', ['sha1_secret']),
  broken('python', 'base64_digest', [], 'base64'),
  broken('python', 'dumps_and_file', 'Python json.dumps'),
  broken('go', 'marshal', 'Go json.Marshal of a map'),
  broken('go', 'encoder', 'Go json.Encoder of a map'),
  broken('go', 'marshal_indent', 'Go json.MarshalIndent of a map'),
  broken('go', 'raw_message', ['html']),
  broken('go', 'sha512', ['hmac_sha512']),
  broken('go', 'hex_body', ['hex']),
  broken('go', 'base64_of_hex', [], 'base64_of_hex'),
  broken('ruby', 'generate', 'Ruby JSON.generate'),
  broken('ruby', 'pretty_generate', 'Ruby JSON.pretty_generate'),
  { ...broken('ruby', 'to_s', ['ruby_hash']), elsewhere: ['ruby_hash_before'] },
  broken('ruby', 'swapped', ['swapped']),
  broken('ruby', 'upper', [], 'upper_hex'),
  broken('ruby', 'puts', ['newline']),
  broken('php', 'encode_array', 'PHP json_encode of an array'),
  broken('php', 'encode_object', 'PHP json_encode of an object'),
  broken('php', 'encode_slashes', 'PHP json_encode of an array, JSON_UNESCAPED_SLASHES'),
  broken('php', 'encode_pretty', 'PHP json_encode of an array, JSON_PRETTY_PRINT'),
  broken('php', 'md5', ['hmac_md5']),
  broken('php', 'empty_secret', ['secret_empty']),
  broken('php', 'consumed', ['empty']),
  broken('java', 'latin1_decoded', ['latin1_decoded']),
  broken('java', 'latin1_encoded', ['latin1_encoded']),
  broken('java', 'utf16', ['utf16']),
  broken('java', 'utf16_secret', ['secret_utf16']),
  broken('csharp', 'dashes', [], 'dashed_hex'),
  broken('csharp', 'base64_digest', [], 'base64'),
  { ...broken('csharp', 'ascii', ['question_marks']), elsewhere: ['question_marks_in_pairs'] },
  broken('csharp', 'stream_writer', ['byte_order_mark']),
  broken('csharp', 'unicode_secret', ['secret_utf16']),
  broken('shell', 'echo', ['newline']),
  broken('shell', 'crlf', ['crlf']),
  broken('shell', 'byte_order_mark', ['byte_order_mark']),
  broken('shell', 'secret_with_space', ['secret_space_after']),
];

/** Bodies in which each mistake shows: HTML and other signs, numbers, empty objects, order, repeats. */
export const BODIES: readonly string[] = [
  '{"type":"track","event":"Order Completed","userId":"usr_3ea4","properties":{"orderId":"A-10479","total":184.5,"unit":1.0,"coupon":"WINTER & CO <b>","url":"https://shop.test/o?a=1","items":3,"extra":{},"none":null,"name":"Zo\u00eb"},"context":{"ip":"203.0.113.24"},"timestamp":"2026-11-20T14:12:40.107Z","version":1}',
  '{"version":1,"userId":"7 & 8","type":"identify","traits":{"z":[{"q":{}},[]],"a":"\u00fcber/\u2603 \ud83d\ude00 <i>","10":1e3,"9":0.00001,"big":12345678901234567890,"t":true,"quote":"it\'s \\"so\\"\\n"},"context":{}}',
];

/** Verifiers that write the body again with a whole library. */
export const REWRITERS = BROKEN_VERIFIERS.flatMap(({ language, mistake, named }) =>
  typeof named === 'string' && !mistake.includes('_and_') ? [{ language, mistake, library: named }] : [],
);

/** Bodies with one hazard each, and one without any for most libraries. */
export const HAZARDS: readonly string[] = [
  '{"a":"b","n":1}',
  '{"a":"W & C"}',
  '{"a":"Zo\u00eb"}',
  '{"a":"x/y"}',
  '{"a":1.5}',
  '{"a":1.0}',
  '{"a":1e3}',
  '{"a":1e21}',
  '{"a":0.00001}',
  '{"a":12345678901234567890}',
  '{"a":{}}',
  '{"a":[]}',
  '{"a":null}',
  '{"b":1,"a":2}',
  '{"10":1,"9":2}',
  '{"a":1,"a":2}',
  '{"a":"\\u00eb"}',
  '{"a":"\u2028"}',
  '{"a":"\\/"}',
  '{"a": 1}',
];

/** Every mistake of a language in the bodies that it is asked about. */
export function questionsIn(language: Language): Array<{ mistake: string; body: string }> {
  const each = (mistake: string, bodies: readonly string[]) => bodies.map((body) => ({ mistake, body }));
  const ours = <T extends { language: Language }>(all: readonly T[]) => all.filter((one) => one.language === language);
  return [
    ...each('right', BODIES),
    ...ours(BROKEN_VERIFIERS).flatMap(({ mistake }) => each(mistake, BODIES)),
    ...ours(REWRITERS).flatMap(({ mistake }) => each(mistake, HAZARDS)),
  ];
}
