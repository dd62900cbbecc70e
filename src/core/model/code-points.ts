/** The order of user ids. */

/** Compares by code points, as UTF-8 bytes and SQLite do; `<` compares surrogates before U+E000 to U+FFFF. */
export function byCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const one = a.charCodeAt(i);
    const other = b.charCodeAt(i);
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others. */
const rank = (code: number): number => (code >= 0xd800 && code <= 0xdfff ? code + 0x10000 : code);
