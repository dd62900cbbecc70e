/** Received bytes as readable text. Pure. */
import type { RawRequestView } from '../../../contract/values.ts';
import { formatSize, plural } from '../../lib/format.ts';

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

export type Form = 'text' | 'escaped' | 'hex';

/** How many bytes the hex view shows. Each becomes five characters. */
export const HEX_BYTES = 64 * 1024;

/** What the shown bytes are. */
export function aboutBytes(
  length: number,
  isDecoded: boolean,
  form: Form,
  { position, cutCalls }: Pick<RawRequestView, 'position' | 'cutCalls'>,
): string {
  const calls = `${plural(cutCalls, 'call')} of suppressed or erased users`;
  if (length === 0)
    return cutCalls === 0 ? 'The request had no body.' : `Nothing is left of the body: it held ${calls}.`;
  const same = isDecoded ? 'Decoded, otherwise unchanged.' : 'Byte for byte as received.';
  const what = cutCalls === 0 ? same : `Not as received: ${calls} cut out, with null in their place.`;
  const cut = form === 'hex' && length > HEX_BYTES ? ` The first ${formatSize(HEX_BYTES)} are shown.` : '';
  return `${what} This message is call ${position + 1} of it.${cut}`;
}
