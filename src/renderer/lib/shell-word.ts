/** A word of a command line, quoted for a shell where it needs quotes. */
export function quoted(text: string): string {
  if (/^[\w.-]+$/.test(text)) return text;
  // Between double quotes these mean something to a shell.
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`;
}
