/** Whether a key of an object repeats in JSON text. Parsing keeps the last of them and says nothing. */

const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

export function hasRepeatedKey(text: string, parsed: unknown): boolean {
  let written = 0;
  for (const [, colon] of text.matchAll(STRINGS)) if (colon !== undefined) written += 1;
  return written !== keysIn(parsed);
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce<number>((sum, one) => sum + keysIn(one), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}
