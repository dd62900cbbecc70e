/** One HTTP header as written, order and case kept. */
export type Header = readonly [name: string, value: string];

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Characters that no header value may contain: control characters but TAB, and all beyond Latin-1. */
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Whether this can be a header's name: a token (RFC 9110, section 5.6.2). */
export function isHeaderName(text: string): boolean {
  return TOKEN.test(text);
}

/** Whether this can be a header's value, in Latin-1 (RFC 9110, section 5.5). */
export function isHeaderValue(text: string): boolean {
  return !NOT_IN_VALUE.test(text);
}

/** Headers from the flat list of names and values in which Node hands them over. */
export function headerPairs(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let at = 0; at < raw.length; at += 2) headers.push([raw[at] as string, raw[at + 1] as string]);
  return headers;
}
