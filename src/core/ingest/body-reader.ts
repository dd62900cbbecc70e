/**
 * Reads the body of a request up to its limit. What is longer is not kept: ingest is told at once, and the rest of
 * the upload runs into nothing, so that the client gets to read its answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { maxRawBytes } from './decode.ts';

/** After this much more of an unwanted upload the connection is cut. */
export const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

const EMPTY = new Uint8Array(0);

export interface Overflow {
  /** `bytes` is the announced length, null when there was none or it says nothing of the decoded size. */
  readonly length: { readonly bytes: number | null };
  /** Calls `then` when the client has sent all it wants to, or far too much. */
  readonly afterUpload: (then: () => void) => void;
}

/** Calls `done` once, or never when the client goes away first. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
  done: (body: Uint8Array, overflow: Overflow | undefined) => void,
): void {
  const encoded = request.headers['content-encoding'] !== undefined;
  const limit = maxRawBytes(encoded ? 'any' : null);
  const announced = announcedLength(request);
  const length = { bytes: encoded ? null : announced };
  request.on('error', () => {});
  if (announced !== null && announced > limit) {
    // A client that asks before it sends is told no, and sends nothing.
    done(EMPTY, { length, afterUpload: expectsContinue ? (then) => then() : discard(request, 0) });
    return;
  }
  if (expectsContinue) response.writeContinue();
  collect(request, limit, (body, received) =>
    done(body ?? EMPTY, body === null ? { length, afterUpload: discard(request, received) } : undefined),
  );
}

/** Null when the body is longer than `limit`. */
function collect(
  request: IncomingMessage,
  limit: number,
  done: (body: Uint8Array | null, received: number) => void,
): void {
  const chunks: Uint8Array[] = [];
  let received = 0;
  const onData = (chunk: Uint8Array) => {
    received += chunk.length;
    if (received <= limit) {
      chunks.push(chunk);
      return;
    }
    request.off('data', onData);
    request.off('end', onEnd);
    done(null, received);
  };
  const onEnd = () => done(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, received), received);
  request.on('data', onData);
  request.on('end', onEnd);
}

function discard(request: IncomingMessage, alreadyReceived: number): Overflow['afterUpload'] {
  let received = alreadyReceived;
  let over = request.readableEnded || request.destroyed;
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
  request.on('end', end);
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
