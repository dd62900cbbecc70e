/**
 * Builds the request body and splits calls over requests. Pure. The envelope is that of version 2: `context` with
 * the library, `batch`, `messageId`, `sentAt`, in this order.
 */
import { MAX_BATCH_BYTES } from './limits.ts';
import { bytesOf } from './measure.ts';
import { LIBRARY } from './version.ts';

const HEAD = `{"context":${JSON.stringify({ library: LIBRARY })},"batch":[`;
const SENT_AT = '2026-11-20T17:31:04.089Z';

/** Calls that travel together. Calls are serialised once, when they are made. */
export interface Batch {
  /** The envelope's messageId, the same in every try. */
  readonly id: string;
  /** Grows from batch to batch; the pieces of one batch share it. */
  readonly order: number;
  readonly calls: string[];
  /** Bytes of the calls alone. */
  callBytes: number;
  /** Bytes of the whole body. */
  bytes: number;
}

export function emptyBatch(id: string, order: number): Batch {
  return { id, order, calls: [], callBytes: 0, bytes: bytesOf(HEAD) + bytesOf(tail(id, SENT_AT)) };
}

export function addCall(batch: Batch, json: string, bytes: number): void {
  batch.bytes += bytes + (batch.calls.length === 0 ? 0 : 1);
  batch.callBytes += bytes;
  batch.calls.push(json);
}

/** Whether one more call of `bytes` would make the body larger than a request may be. */
export function isTooMuch(batch: Batch, bytes: number, maxBytes: number = MAX_BATCH_BYTES): boolean {
  return batch.calls.length > 0 && batch.bytes + 1 + bytes > maxBytes;
}

/**
 * The body as it is sent. `sentAt` is the time of this try: the server corrects timestamps by it, and a time from
 * before a long wait would move them.
 */
export function bodyOf(batch: Batch, sentAt: string): string {
  return HEAD + batch.calls.join(',') + tail(batch.id, sentAt);
}

function tail(id: string, sentAt: string): string {
  return `],"messageId":${JSON.stringify(id)},"sentAt":"${sentAt}"}`;
}

/** The same calls in the same order in bodies of at most `maxBytes` each; a larger call goes alone. */
export function splitBatch(batch: Batch, maxBytes: number, newId: () => string): readonly Batch[] {
  const pieces: Batch[] = [];
  let piece = emptyBatch(batch.id, batch.order);
  for (const json of batch.calls) {
    const bytes = bytesOf(json);
    if (isTooMuch(piece, bytes, maxBytes)) {
      pieces.push(piece);
      piece = emptyBatch(newId(), batch.order);
    }
    addCall(piece, json, bytes);
  }
  return [...pieces, piece];
}
