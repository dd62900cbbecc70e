/** Reads the calls from the bytes of a request. Pure: the same request always gives the same calls. */
import { isJsonObject, type JsonObject, MAX_CALLS } from '../model/call.ts';
import { parseJsonBytes } from '../model/json.ts';
import type { AroundCalls } from '../model/json-findings.ts';
import type { Note } from '../model/message.ts';
import { type Envelope, timeOf, withEmptyObjects } from '../model/normalise.ts';
import { countText, overSizeText } from '../model/reason-text.ts';
import type { Rejection } from '../model/validate.ts';
import type { CallType } from '../model/vocabulary.ts';
import { decodeBody } from './decode.ts';
import { pixelCall } from './pixel.ts';
import type { Route } from './routes.ts';
import { bodyKey } from './write-key.ts';

/** The routes that bring calls. */
export type CallRoute = Extract<Route, { kind: 'call' | 'batch' | 'pixel' }>;

export interface Calls {
  readonly ok: true;
  /** Each may be any JSON value, because a batch can hold anything. At most 2,500. */
  readonly calls: readonly unknown[];
  /** The type that the path names; null in a batch, where each call names its own. */
  readonly type: CallType | null;
  readonly batch: Envelope | null;
  /** From the body, after any Basic user. */
  readonly writeKey: string | null;
  readonly decodedBytes: number;
  /** The decoded body; empty when the calls came in the query. */
  readonly text: string;
  readonly around: AroundCalls;
}

/** A request without a call to ingest. */
export interface NoCalls {
  readonly ok: false;
  /** 200 where the real API says so too. */
  readonly status: 200 | 400 | 415;
  /** Error code of the answer; null with status 200, which only an empty batch has. */
  readonly code: string | null;
  readonly rejection: Rejection;
  readonly writeKey: string | null;
  readonly decodedBytes: number;
}

export interface RawBody {
  readonly route: CallRoute;
  /** The pixel's call is in the query. */
  readonly target: string;
  readonly body: Uint8Array;
  readonly encoding: string | null;
}

export function splitCalls(raw: RawBody): Calls | NoCalls {
  if (raw.route.kind === 'pixel') return splitPixel(raw.route.type, raw.target);
  const decoded = decodeBody(raw.body, raw.encoding);
  if (!decoded.ok) return undecodable(raw, decoded.problem);
  const decodedBytes = decoded.bytes.length;
  const parsed = parseJsonBytes(decoded.bytes);
  if (!parsed.ok) return notJson(parsed.problem.detail, decodedBytes);
  if (!isJsonObject(parsed.value)) return notAnObject('The body is not a JSON object.', decodedBytes, null);
  return raw.route.kind === 'batch'
    ? splitBatch(parsed.value, parsed.text, decodedBytes)
    : oneCall(parsed.value, raw.route.type, parsed.text, decodedBytes);
}

/** For a body that was not read to its end. */
export function overflowed(announcedBytes: number | null): NoCalls {
  return tooLarge(announcedBytes === null ? 'over 500 KB' : overSizeText(announcedBytes), announcedBytes ?? 0, null);
}

function oneCall(call: JsonObject, type: CallType, text: string, decodedBytes: number): Calls {
  const writeKey = bodyKey(call.writeKey);
  return { ok: true, calls: [call], type, batch: null, writeKey, decodedBytes, text, around: NOTHING };
}

function splitBatch(body: JsonObject, text: string, decodedBytes: number): Calls | NoCalls {
  const { batch } = body;
  if (batch !== undefined && batch !== null && !Array.isArray(batch)) {
    return notAnObject('The batch is not an array.', decodedBytes, bodyKey(body.writeKey));
  }
  const calls: readonly unknown[] = batch ?? [];
  const writeKey = bodyKey(body.writeKey) ?? firstCallKey(calls);
  // A Go client that closes with an empty queue sends `"batch": null`.
  if (calls.length === 0) return emptyBatch(writeKey, decodedBytes);
  if (calls.length > MAX_CALLS) {
    return tooLarge(`${countText(calls.length)} calls`, decodedBytes, writeKey);
  }
  const { context, integrations, sentAt } = body;
  const notes: Note[] = [];
  return {
    ok: true,
    calls,
    type: null,
    batch: { ...withEmptyObjects({ context, integrations }, notes, ' of the batch'), sentAt: timeOf(sentAt), notes },
    writeKey,
    decodedBytes,
    text,
    around: around(body),
  };
}

const NOTHING: AroundCalls = { before: '', after: '' };

/**
 * When an earlier field has a `batch` of its own, the cut is wrong. The body then counts as changed, so ingest searches it
 * and finds nothing.
 */
function around(body: JsonObject): AroundCalls {
  const text = JSON.stringify({ ...body, batch: [] });
  const calls = text.indexOf(BEFORE_CALLS) + BEFORE_CALLS.length;
  return { before: text.slice(0, calls), after: text.slice(calls) };
}

const BEFORE_CALLS = '"batch":[';

/** Browser batches of some versions carry the key in each call. */
function firstCallKey(calls: readonly unknown[]): string | null {
  const first = calls[0];
  return isJsonObject(first) ? bodyKey(first.writeKey) : null;
}

function splitPixel(type: CallType, target: string): Calls | NoCalls {
  const pixel = pixelCall(target);
  if (!pixel.ok) return notJson(pixel.problem.detail, 0);
  if (!isJsonObject(pixel.value)) return notAnObject('data is not a JSON object.', 0, null);
  return oneCall(pixel.value, type, '', 0);
}

function emptyBatch(writeKey: string | null, decodedBytes: number): NoCalls {
  const rejection: Rejection = { reason: 'empty_batch', detail: null };
  return { ok: false, status: 200, code: null, rejection, writeKey, decodedBytes };
}

function notJson(detail: string, decodedBytes: number): NoCalls {
  const rejection: Rejection = { reason: 'invalid_json', detail };
  return { ok: false, status: 400, code: 'invalid_json', rejection, writeKey: null, decodedBytes };
}

function notAnObject(detail: string, decodedBytes: number, writeKey: string | null): NoCalls {
  const rejection: Rejection = { reason: 'not_an_object', detail };
  return { ok: false, status: 400, code: 'not_an_object', rejection, writeKey, decodedBytes };
}

function tooLarge(detail: string, decodedBytes: number, writeKey: string | null): NoCalls {
  const rejection: Rejection = { reason: 'batch_too_large', detail };
  return { ok: false, status: 400, code: 'batch_too_large', rejection, writeKey, decodedBytes };
}

function undecodable(raw: RawBody, problem: 'unsupported' | 'too_large' | 'damaged'): NoCalls {
  switch (problem) {
    case 'too_large':
      return raw.encoding === null ? overflowed(raw.body.length) : overflowed(null);
    case 'damaged':
      return notJson(`The ${raw.encoding} data is damaged.`, 0);
    case 'unsupported': {
      const detail = `The content encoding ${(raw.encoding ?? '').slice(0, 40)} is not known. Use gzip or none.`;
      return { ...notJson(detail, 0), status: 415, code: 'unsupported_encoding' };
    }
  }
}
