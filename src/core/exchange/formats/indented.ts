/** Valid JSON over several lines. Strings and numbers keep their spelling, and repeated keys stay. */
export function indented(json: string): string {
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  return json.replace(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[{,:\]}]|\s+/gs, (part) => {
    if (part.startsWith('"')) return part;
    if (part === ':') return ': ';
    if (part === ',') return `,${line()}`;
    if (part === '{' || part === '[') {
      depth += 1;
      return part + line();
    }
    if (part === '}' || part === ']') {
      depth -= 1;
      return line() + part;
    }
    return part.replaceAll(/\s+/g, '');
  });
}
