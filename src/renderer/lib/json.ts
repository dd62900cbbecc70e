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

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

function indent(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let opened = false;
  const newLine = () => parts.push(`\n${'  '.repeat(depth)}`);
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
