/**
 * Reads the body of a request up to its limit. If the body is longer, ingest learns of it at once, and the reader
 * discards the rest of the upload so that the client can still read its answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Timers } from '../ports.ts';
import { maxRawBytes } from './decode.ts';
import type { BodyStart } from './request.ts';

/** The reader discards this much of an unwanted upload, then cuts the connection. */
export const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

const EMPTY = new Uint8Array(0);

/** How much of an unwanted body is kept for its record: enough to hold the messageId of its first call. */
const START_BYTES = 4 * 1024;
/** Real milliseconds that a client has to send them. A client that sends none still gets its answer. */
const START_MS = 250;

export interface Overflow {
  readonly start: BodyStart;
  /** Calls `then` when the client has sent everything, or far too much. */
  readonly afterUpload: (then: () => void) => void;
}

/** Calls `done` once, or never if the client leaves first. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
  timers: Timers,
  done: (body: Uint8Array, overflow: Overflow | undefined) => void,
): void {
  const encoded = request.headers['content-encoding'] !== undefined;
  const limit = maxRawBytes(encoded ? 'any' : null);
  const announced = announcedLength(request);
  const bytes = encoded ? null : announced;
  request.on('error', () => {});
  const isTooLong = announced !== null && announced > limit;
  if (isTooLong && expectsContinue) {
    // The client asked before sending (`Expect: 100-continue`). The answer is no, so it sends nothing.
    done(EMPTY, { start: { bytes, first: EMPTY }, afterUpload: (then) => then() });
    return;
  }
  if (expectsContinue) response.writeContinue();
  const refuse = (chunks: readonly Uint8Array[], received: number) => {
    const first = Buffer.concat(chunks).subarray(0, START_BYTES);
    done(EMPTY, { start: { bytes, first }, afterUpload: discard(request, received) });
  };
  if (isTooLong) return collectStart(request, timers, refuse);
  collect(request, limit, (body, chunks, received) =>
    body === null ? refuse(chunks, received) : done(body, undefined),
  );
}

function collectStart(
  request: IncomingMessage,
  timers: Timers,
  done: (chunks: readonly Uint8Array[], received: number) => void,
): void {
  const chunks: Uint8Array[] = [];
  let received = 0;
  const finish = () => {
    timer.cancel();
    request.off('data', onData);
    done(chunks, received);
  };
  const onData = (chunk: Uint8Array) => {
    received += chunk.length;
    chunks.push(chunk);
    if (received >= START_BYTES) finish();
  };
  const timer = timers.after(START_MS, finish);
  request.on('data', onData);
  request.once('close', () => timer.cancel());
}

/** When the body is longer than `limit`, `body` is null and `chunks` hold slightly more than `limit`. */
function collect(
  request: IncomingMessage,
  limit: number,
  done: (body: Uint8Array | null, chunks: readonly Uint8Array[], received: number) => void,
): void {
  const chunks: Uint8Array[] = [];
  let received = 0;
  const onData = (chunk: Uint8Array) => {
    received += chunk.length;
    chunks.push(chunk);
    if (received <= limit) return;
    request.off('data', onData);
    request.off('end', onEnd);
    done(null, chunks, received);
  };
  const onEnd = () => {
    const body = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, received);
    done(body, chunks, received);
  };
  request.on('data', onData);
  request.on('end', onEnd);
}

function discard(request: IncomingMessage, alreadyReceived: number): Overflow['afterUpload'] {
  let received = alreadyReceived;
  let over = false;
  let finish: (() => void) | null = null;
  const end = () => {
    if (over) return;
    over = true;
    finish?.();
  };
  request.on('data', (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > MAX_DISCARDED_BYTES) end();
  });
  // Comes after the end, too.
  request.on('close', end);
  return (then) => {
    finish = then;
    if (over) then();
  };
}

function announcedLength(request: IncomingMessage): number | null {
  const length = request.headers['content-length'];
  return length === undefined ? null : Number(length);
}
