/** The received bytes of messages, taken out of their request. */
import { isUtf8 } from 'node:buffer';
import { receivedCalls } from '../ingest/received-call.ts';
import { unescaped } from '../model/filter-escapes.ts';
import type { SearchedRequest } from '../store/ports/search.ts';

/**
 * The asked calls. Only they: the bytes of a neighbour in the batch belong to another message, which may be erased alone.
 * The filter reads them in the same way, so the index knows every text that a filter finds.
 */
export function receivedTexts({ positions, ...request }: SearchedRequest): Uint8Array[] {
  const call = receivedCalls(request);
  return positions.map((position) => call(position));
}

/** A text as UTF-8. Bytes that are not UTF-8 are read as everywhere else: with a replacement character. */
export function utf8Of(text: string | Uint8Array): Uint8Array {
  if (typeof text === 'string') return Buffer.from(text);
  return isUtf8(text) ? text : Buffer.from(Buffer.from(text).toString('utf8'));
}

const BACKSLASH = 0x5c;

/** A text in each way that a filter reads it: a body, which comes as bytes, also with the escapes of JSON undone. */
export function readingsOf(text: string | Uint8Array): Uint8Array[] {
  const written = utf8Of(text);
  if (typeof text === 'string' || !text.includes(BACKSLASH)) return [written];
  return [written, Buffer.from(unescaped(Buffer.from(written).toString('utf8')))];
}
