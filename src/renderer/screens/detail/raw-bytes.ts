/** Received bytes as readable text. Pure. */

const ROW = 16;

const pad = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const printable = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.');

/** `00000010  7b 22 …  |{"…|`, one row for 16 bytes. */
export function hexDump(bytes: Uint8Array): string {
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += ROW) {
    const row = [...bytes.subarray(at, at + ROW)];
    const hex = row.map((byte) => pad(byte, 2));
    const left = hex.slice(0, 8).join(' ').padEnd(23);
    const right = hex.slice(8).join(' ').padEnd(23);
    rows.push(`${pad(at, 8)}  ${left}  ${right}  |${row.map(printable).join('')}|`);
  }
  return rows.join('\n');
}

/** Everything but printable ASCII, tab and line ends as \\u escapes. */
export const escaped = (text: string): string =>
  text.replace(/[^\x20-\x7e\n\t]/g, (character) => `\\u${pad(character.charCodeAt(0), 4)}`);

/** The text, or null when the bytes are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
