/** Pretty printing that changes only white space. Numbers, duplicate keys and escapes stay as they were sent. */

/** Indents JSON text by two spaces per level. Returns text that is not JSON unchanged. */
export function prettyJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return indent(text);
}

/** Without white space between its tokens. `text` must be valid JSON. */
export const compactJson = (text: string): string => [...text.matchAll(TOKEN)].join('');

/** Deeper levels are not indented further. Brackets nested thousands deep would grow to gigabytes of spaces. */
const DEEPEST_INDENT = 60;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

function indent(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let opened = false;
  const newLine = () => parts.push(`\n${'  '.repeat(Math.min(depth, DEEPEST_INDENT))}`);
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    // The first child and the closing bracket get their own line; an empty pair stays together.
    if (opened !== closes) newLine();
    parts.push(token === ':' ? ': ' : token);
    opened = token === '{' || token === '[';
    if (opened) depth += 1;
    if (token === ',') newLine();
  }
  return parts.join('');
}

export interface LongString {
  /** After the opening quote. */
  readonly from: number;
  /** At the closing quote. */
  readonly to: number;
  /** True when a colon follows, so that it is a key. */
  readonly isKey: boolean;
}

/** The insides of strings (values and keys) longer than this many characters, as positions in `text`. */
export function longStrings(text: string, limit: { readonly value: number; readonly key: number }): LongString[] {
  const found: LongString[] = [];
  for (let open = text.indexOf('"'); open !== -1; ) {
    const close = closingQuote(text, open + 1);
    const length = close - open - 1;
    if (length > Math.min(limit.value, limit.key)) {
      const isKey = /^\s*:/.test(text.slice(close + 1, close + 9));
      if (length > (isKey ? limit.key : limit.value)) found.push({ from: open + 1, to: close, isKey });
    }
    open = text.indexOf('"', close + 1);
  }
  return found;
}

/** The end of the text when the string is not closed. */
function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') return at;
    if (character === '\\') at += 1;
  }
  return text.length;
}

/** The first `length` characters, or one less to avoid splitting a surrogate pair. */
export function headOf(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
