/**
 * JSON writes some characters in other ways than they are: `"` as `\"`, `ë` or `<` as `\u00eb` or `\u003c`, `/` as `\/`. So
 * a filter reads a body twice: as it is written, and with the escapes of JSON undone. It undoes them whether or not the body
 * is JSON, because a cut response is none.
 */

/**
 * Characters of ASCII that no encoder in use escapes; `" \ / < > & ' = +` and the backtick are escaped by some. A part of
 * these alone is looked for as it is written, which needs no second reading.
 */
const PLAIN = /^[\w !#$%()*,\-.:;?@[\]^{|}~]*$/;

export const mayBeEscaped = (part: string): boolean => !PLAIN.test(part);

const ESCAPES = /\\(?:u([\dA-Fa-f]{4})|(["\\/bfnrt]))/g;
const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A text with the escapes of JSON undone. Half of a pair becomes a replacement character, as it does in bytes. */
export const unescaped = (text: string): string =>
  text
    .replace(ESCAPES, (_, hex: string | undefined, short: string) =>
      hex === undefined ? (SHORT[short] ?? short) : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .toWellFormed();

/** Whether a body holds a part in one of both readings; `holds` looks into one text. */
export const inEitherReading = (part: string, holds: (text: string) => boolean): ((body: string) => boolean) =>
  mayBeEscaped(part) ? (body) => holds(body) || (body.includes('\\') && holds(unescaped(body))) : holds;
