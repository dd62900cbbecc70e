/** Two texts of bytes around their first difference, in rows of eight. Pure. */

export interface HexByte {
  readonly value: number;
  readonly differs: boolean;
}
export interface HexRow {
  /** Of its first byte. */
  readonly at: number;
  readonly bytes: readonly HexByte[];
}

const ROW = 8;
const ROWS = 3;
/** Bytes that must agree again before the difference is over. */
const AGREE = 4;
/** A longer difference is marked to the end of what is shown. */
const REACH = 24;

/** Three rows of each side, the difference in the second unless it is in the first. */
export function hexPanes(sent: Uint8Array, other: Uint8Array, at: number): readonly [HexRow[], HexRow[]] {
  const [inSent, inOther] = changedLengths(sent, other, at);
  return [rowsOf(sent, at, inSent), rowsOf(other, at, inOther)];
}

function rowsOf(bytes: Uint8Array, at: number, length: number): HexRow[] {
  const from = Math.max(0, Math.floor(at / ROW) * ROW - ROW);
  const rows: HexRow[] = [];
  for (let start = from; start < from + ROW * ROWS && start < bytes.length; start += ROW) {
    const row = Array.from(bytes.subarray(start, start + ROW), (value, i) => {
      const place = start + i;
      return { value, differs: place >= at && place < at + length };
    });
    rows.push({ at: start, bytes: row });
  }
  return rows;
}

/** How many bytes of each side stand for each other: 1 and 6 where `&` became `\u0026`. */
function changedLengths(sent: Uint8Array, other: Uint8Array, at: number): readonly [number, number] {
  for (let both = 1; both <= 2 * REACH; both += 1)
    for (let i = Math.max(0, both - REACH); i <= Math.min(both, REACH); i += 1)
      if (agree(sent, at + i, other, at + both - i)) return [i, both - i];
  return [sent.length - at, other.length - at];
}

function agree(one: Uint8Array, i: number, two: Uint8Array, j: number): boolean {
  if (i > one.length || j > two.length) return false;
  for (let n = 0; n < AGREE; n += 1) {
    if (one[i + n] !== two[j + n]) return false;
    if (one[i + n] === undefined) return true;
  }
  return true;
}

/** Printable ASCII as itself, anything else as a dot. */
export const hexCharacter = (value: number): string =>
  value >= 0x20 && value < 0x7f ? String.fromCharCode(value) : '.';
