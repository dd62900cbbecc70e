/** Pretty printing that changes white space only: numbers, duplicate keys and escapes stay as they were sent. */

/** Indents JSON text by two blanks a level; text that is not JSON comes back as it is. */
export function prettyJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return indent(text);
}

/** Deeper levels are not indented further: brackets alone, thousands deep, would grow to gigabytes of blanks. */
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

/** The insides of strings longer than `limit` characters, as places in `text`: after one quote, up to the other. */
export function longStrings(text: string, limit: number): Array<{ from: number; to: number }> {
  const found: Array<{ from: number; to: number }> = [];
  for (let open = text.indexOf('"'); open !== -1; ) {
    const close = closingQuote(text, open + 1);
    if (close - open - 1 > limit) found.push({ from: open + 1, to: close });
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

/** The first `length` characters, one less rather than half of a surrogate pair. */
export function headOf(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
