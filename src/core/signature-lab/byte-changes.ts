/** What becomes of a body as bytes or text, without JSON. */
import type { BodyChange } from '../../contract/signature-lab.ts';

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
const latin1Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };

/** As Python prints bytes: quotes by what is inside, `\xc3` for each byte beyond ASCII. */
function pythonBytes(bytes: Uint8Array): string {
  const quote = bytes.includes(0x27) && !bytes.includes(0x22) ? '"' : "'";
  let text = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (character === quote || character === '\\') text += `\\${character}`;
    else if (byte >= 0x20 && byte < 0x7f) text += character;
    else text += { 9: '\\t', 10: '\\n', 13: '\\r' }[byte] ?? `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `b${quote}${text}${quote}`;
}

/** Of a character that stands for a byte. */
const percentOf = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Null where the change does not apply. */
export const BYTE_CHANGES: ReadonlyArray<readonly [BodyChange, (body: Uint8Array) => Uint8Array | null]> = [
  ['newline', (body) => Buffer.concat([body, utf8('\n')])],
  ['crlf', (body) => Buffer.concat([body, utf8('\r\n')])],
  ['byte_order_mark', (body) => Buffer.concat([utf8('\ufeff'), body])],
  ['trimmed', (body) => utf8(textOf(body).trim())],
  ['crlf_lines', (body) => utf8(textOf(body).replace(/\r?\n/g, '\r\n'))],
  ['latin1_decoded', (body) => utf8(latin1Of(body))],
  ['latin1_encoded', (body) => Buffer.from(textOf(body).replace(/[^\0-\xff]/gu, '?'), 'latin1')],
  ['utf16', (body) => Buffer.from(textOf(body), 'utf16le')],
  ['question_marks', (body) => utf8(textOf(body).replace(/[^\0-\x7f]/gu, '?'))],
  ['question_marks_in_pairs', (body) => utf8(textOf(body).replace(/[^\0-\x7f]/g, '?'))],
  ['ascii_only', (body) => utf8(textOf(body).replace(/[^\0-\x7f]/gu, ''))],
  ['twice', (body) => Buffer.concat([body, body])],
  ['html_text', (body) => utf8(textOf(body).replace(/[&<>"']/g, (sign) => HTML[sign]!))],
  ['composed', (body) => utf8(textOf(body).normalize('NFC'))],
  ['decomposed', (body) => utf8(textOf(body).normalize('NFD'))],
  ['json_string', (body) => utf8(JSON.stringify(textOf(body)))],
  ['base64', (body) => utf8(Buffer.from(body).toString('base64'))],
  ['hex', (body) => utf8(Buffer.from(body).toString('hex'))],
  ['url_encoded', (body) => utf8(encodeURIComponent(textOf(body).toWellFormed()))],
  ['url_quoted', (body) => utf8(latin1Of(body).replace(/[^\w.~/-]/g, percentOf))],
  ['python_bytes', (body) => utf8(pythonBytes(body))],
  ['empty', () => utf8('')],
  ['empty_object', () => utf8('{}')],
  ['object_object', () => utf8('[object Object]')],
  ['undefined', () => utf8('undefined')],
  ['null', () => utf8('null')],
];
