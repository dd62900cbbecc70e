/** The bytes of single calls as their client wrote them. */
import { isUtf8 } from 'node:buffer';
import { batchSpans } from '../model/batch-spans.ts';
import type { ReceivedBytes, ReceivedCalls } from '../store/ports/lists.ts';
import { decodeBody } from './decode.ts';
import { routeOf } from './routes.ts';
import { splitCalls } from './split.ts';

/**
 * Each call out of its batch, out of its encoding, and otherwise untouched. A request in which no call can be told apart,
 * such as bad JSON, gives its whole body; one that cannot be decoded gives the raw bytes. A batch that ingest took is not
 * parsed again, which took 4.5 µs a call of the search index's thread.
 */
export const receivedCalls: ReceivedCalls = ({ path, body, encoding, code }) => {
  const route = routeOf(path);
  const decoded = decodeBody(body, encoding);
  if (!decoded.ok) return () => body;
  const whole = decoded.bytes;
  if (route.kind === 'batch' && code === null) return callsOfBatch(whole);
  if (route.kind !== 'batch' && route.kind !== 'pixel') return () => whole;
  const split = splitCalls({ route, target: path, body: whole, encoding: null });
  if (!split.ok) return () => whole;
  return route.kind === 'batch' ? callsOfBatch(whole) : () => Buffer.from(JSON.stringify(split.calls[0]));
};

/** Of a body that is JSON, or was before the store was damaged. */
function callsOfBatch(whole: Uint8Array): ReturnType<ReceivedCalls> {
  if (!isUtf8(whole)) return () => whole;
  // In Latin-1 each place is that of its byte, and all that tells calls apart is ASCII.
  const spans = batchSpans(Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength).toString('latin1'));
  return (position) => {
    const span = spans[position];
    return span === undefined ? whole : whole.subarray(...span);
  };
}

/** The call at `position`, from 0. */
export const receivedCall = (request: ReceivedBytes, position: number): Uint8Array => receivedCalls(request)(position);
