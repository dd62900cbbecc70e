/** Parses and formats durations as the user types them. Values are milliseconds. */

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  sec: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  days: 86_400_000,
};
const PART = /(\d+(?:[.,]\d+)?)\s*([a-z]*)/g;

/**
 * `10 s`, `1 min 30 s`, `2.5 h`, `500 ms`; a bare number is seconds. Returns whole milliseconds, or null when the text
 * is none of these.
 */
export function parseSpan(text: string): number | null {
  const clean = text.trim().toLowerCase();
  const parts = [...clean.matchAll(PART)];
  if (parts.length === 0 || clean.replace(PART, '').trim() !== '') return null;
  let total = 0;
  for (const [, digits = '', unit = ''] of parts) {
    if (unit === '' && parts.length > 1) return null;
    const size = unit === '' ? 1_000 : Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (size === undefined) return null;
    total += Number(digits.replace(',', '.')) * size;
  }
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : null;
}

/** Formatted so that {@link parseSpan} returns the same number: `1 min 30 s`, `2 h 5 min`, `1 s 500 ms`, `0 s`. */
export function editableSpan(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [size, unit] of [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
    [1, 'ms'],
  ] as const) {
    const n = Math.floor(rest / size);
    // A little over a day reads better in hours: `36 h`, `100 h`.
    if (n === 0 || (unit === 'd' && rest % size !== 0)) continue;
    parts.push(`${n} ${unit}`);
    rest -= n * size;
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

/** Parses `5 s, 5 min, 30 min`. Returns the items, or the first one that is not a duration. */
export function parseSpanList(text: string): { spans: number[] } | { wrong: string } {
  const items = text
    .split(/[,;\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const spans: number[] = [];
  for (const item of items) {
    const span = parseSpan(item);
    if (span === null) return { wrong: item };
    spans.push(span);
  }
  return { spans };
}
