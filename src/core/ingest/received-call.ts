/** The bytes of single calls as their client wrote them. */
import { batchSpans } from '../model/batch-spans.ts';
import type { ReceivedBytes, ReceivedCalls } from '../store/ports/lists.ts';
import { decodeBody } from './decode.ts';
import { routeOf } from './routes.ts';
import { splitCalls } from './split.ts';

/**
 * Each call out of its batch, out of its encoding, and otherwise untouched. A request in which no call can be told apart,
 * such as bad JSON, gives its whole body; one that cannot be decoded gives the raw bytes.
 */
export const receivedCalls: ReceivedCalls = ({ path, body, encoding }) => {
  const route = routeOf(path);
  const decoded = decodeBody(body, encoding);
  const whole = decoded.ok ? decoded.bytes : body;
  if (!decoded.ok || (route.kind !== 'batch' && route.kind !== 'pixel')) return () => whole;
  const split = splitCalls({ route, target: path, body: whole, encoding: null });
  if (!split.ok) return () => whole;
  if (route.kind === 'pixel') return () => Buffer.from(JSON.stringify(split.calls[0]));
  const { text } = split;
  const spans = batchSpans(text);
  return (position) => {
    const span = spans[position];
    return span === undefined ? whole : Buffer.from(text.slice(...span));
  };
};

/** The call at `position`, from 0. */
export const receivedCall = (request: ReceivedBytes, position: number): Uint8Array => receivedCalls(request)(position);
