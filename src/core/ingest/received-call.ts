/** The bytes of single calls as their client wrote them. */
import { isUtf8 } from 'node:buffer';
import { batchSpans } from '../model/batch-spans.ts';
import type { ReceivedBytes, ReceivedCalls } from '../store/ports/lists.ts';
import { decodeBody } from './decode.ts';
import { type Route, routeOf } from './routes.ts';
import { splitCalls } from './split.ts';

/**
 * Each call out of its batch, out of its encoding, and otherwise untouched. A request in which no call can be told apart
 * gives its whole body; one that cannot be decoded gives the raw bytes. It does not look whether a batch is JSON: ingest
 * did, and parsing it again took 4.5 µs a call of the search index's thread.
 */
export const receivedCalls: ReceivedCalls = ({ path, body, encoding }) => {
  const route = routeOf(path);
  const decoded = decodeBody(body, encoding);
  if (!decoded.ok) return () => body;
  if (route.kind === 'pixel') return pixelCall(route, path, decoded.bytes);
  return route.kind === 'batch' ? callsOfBatch(decoded.bytes) : () => decoded.bytes;
};

type CallAt = ReturnType<ReceivedCalls>;

function pixelCall(route: Extract<Route, { kind: 'pixel' }>, target: string, body: Uint8Array): CallAt {
  const split = splitCalls({ route, target, body, encoding: null });
  return () => (split.ok ? Buffer.from(JSON.stringify(split.calls[0])) : body);
}

function callsOfBatch(whole: Uint8Array): CallAt {
  if (!isUtf8(whole)) return () => whole;
  const text = Buffer.from(whole.buffer, whole.byteOffset, whole.length).toString('utf8');
  const spans = batchSpans(text);
  const isAscii = text.length === whole.length;
  return (position) => {
    const span = spans[position];
    if (span === undefined) return whole;
    return isAscii ? whole.subarray(...span) : Buffer.from(text.slice(...span));
  };
}

/** The call at `position`, from 0. */
export const receivedCall = (request: ReceivedBytes, position: number): Uint8Array => receivedCalls(request)(position);
