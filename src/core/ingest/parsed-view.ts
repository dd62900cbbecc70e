/**
 * The parsed view of a stored message. The store keeps the raw request and the delivered bytes; this module makes the
 * normalised call from the request again. It is pure, so the result is what ingest worked with.
 */
import { batchSpans } from '../model/batch-spans.ts';
import { fullMessage } from '../model/body.ts';
import { callTypeOf, isJsonObject } from '../model/call.ts';
import type { Note } from '../model/message.ts';
import { type Envelope, type NormalCall, normaliseCall } from '../model/normalise.ts';
import { formatTimestamp } from '../model/timestamp.ts';
import { LOOPBACK } from './request.ts';
import { routeOf } from './routes.ts';
import { splitCalls } from './split.ts';

export interface StoredCall {
  /** Request target as received. */
  readonly path: string;
  readonly body: Uint8Array;
  readonly encoding: string | null;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** Place of the message in its request, from 0. */
  readonly position: number;
  /** The stored messageId, which replaces a missing or unusable one. */
  readonly messageId: string;
  /** The notes of the message. They say whether its timestamp was corrected, whatever the setting is now. */
  readonly notes?: readonly Pick<Note, 'code'>[];
}

/** A call of a stored request, as it was received and as ingest read it. */
export interface ReadCall {
  /** Its own text in the body of the request. A call in a query is written as JSON. */
  readonly text: string;
  readonly normal: NormalCall;
  /** What its batch says for all calls; null for a single call. */
  readonly batch: Envelope | null;
  /** How many calls the request has. */
  readonly calls: number;
}

/** Null when there is no call at this position. A rejected call keeps its bad values. */
export function readCall(stored: StoredCall): ReadCall | null {
  const route = routeOf(stored.path);
  if (route.kind !== 'call' && route.kind !== 'batch' && route.kind !== 'pixel') return null;
  const split = splitCalls({ route, target: stored.path, body: stored.body, encoding: stored.encoding });
  if (!split.ok) return null;
  const { calls, batch } = split;
  const call = calls[stored.position];
  if (!isJsonObject(call)) return null;
  const type = split.type ?? callTypeOf(call.type, true);
  const request = {
    receivedAt: stored.receivedAt,
    receivedAtText: formatTimestamp(stored.receivedAt),
    batch,
    ip: LOOPBACK,
    correction: stored.notes?.some(isCorrection) === true ? ('always' as const) : ('never' as const),
  };
  const normal = normaliseCall(call, type, request, () => stored.messageId);
  return { text: textOf(split.text, stored.position, call, batch !== null), normal, batch, calls: calls.length };
}

/** `text` is the body of the request, empty for a call in a query. */
function textOf(text: string, position: number, call: unknown, isBatch: boolean): string {
  if (text === '') return JSON.stringify(call);
  if (!isBatch) return text;
  return text.slice(...batchSpans(text)[position]!);
}

/** The whole normalised message as JSON text, or null when there is no call at this position. */
export function parsedViewOf(stored: StoredCall): string | null {
  const read = readCall(stored);
  return read === null ? null : JSON.stringify(fullMessage(read.normal));
}

const isCorrection = ({ code }: Pick<Note, 'code'>): boolean =>
  code === 'clock_skew_corrected' || code === 'timestamp_moved';
