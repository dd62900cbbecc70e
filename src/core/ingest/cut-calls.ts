/**
 * Takes calls out of the bytes of a request: those of suppressed users before they are stored, those of erased users
 * afterwards. The other calls keep their bytes and places; a `null` stands where a call was.
 */
import { gzipSync } from 'node:zlib';
import { batchSpans } from '../model/batch-spans.ts';
import { isJsonObject, type JsonObject } from '../model/call.ts';
import { decodeBody } from './decode.ts';
import { cleanPath, routeOf } from './routes.ts';
import { splitCalls } from './split.ts';

export interface RawRequest {
  /** Request target as received. */
  readonly path: string;
  readonly body: Uint8Array;
  readonly encoding: string | null;
}

export interface CutRequest extends RawRequest {
  readonly cutCalls: number;
}

const EMPTY = new Uint8Array();

/** A request without its call: no body, no query. */
export const withoutBytes = (request: RawRequest, cutCalls: number): CutRequest => ({
  path: cleanPath(request.path),
  body: EMPTY,
  encoding: null,
  cutCalls,
});

/** Null when there is no such call, or when the bytes hold no calls at all. */
export function cutCalls(request: RawRequest, isCut: (call: JsonObject) => boolean): CutRequest | null {
  const { path, body, encoding } = request;
  const route = routeOf(path);
  if (route.kind !== 'call' && route.kind !== 'batch' && route.kind !== 'pixel') return null;
  const split = splitCalls({ route, target: path, body, encoding });
  if (!split.ok) return null;
  const cut = split.calls.flatMap((call, i) => (isJsonObject(call) && isCut(call) ? [i] : []));
  if (cut.length === 0) return null;
  if (cut.length === split.calls.length) return withoutBytes(request, cut.length);
  return { path, ...encoded(withNulls(split.text, cut), encoding), cutCalls: cut.length };
}

/** Whether the bytes can be split into calls. */
export function holdsCalls({ path, body, encoding }: RawRequest): boolean {
  const route = routeOf(path);
  const isCallRoute = route.kind === 'call' || route.kind === 'batch' || route.kind === 'pixel';
  return isCallRoute && splitCalls({ route, target: path, body, encoding }).ok;
}

/** The decoded text of the body; null when it cannot be decoded. */
export function decodedText({ body, encoding }: RawRequest): string | null {
  const decoded = decodeBody(body, encoding);
  return decoded.ok ? Buffer.from(decoded.bytes).toString('utf8') : null;
}

function withNulls(text: string, cut: readonly number[]): string {
  const spans = batchSpans(text);
  const parts: string[] = [];
  let at = 0;
  for (const i of cut) {
    const [start, end] = spans[i]!;
    parts.push(text.slice(at, start), 'null');
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** In the coding that the request has. Deflate becomes gzip, so that only one coder is needed. */
function encoded(text: string, encoding: string | null): Pick<RawRequest, 'body' | 'encoding'> {
  const bytes = Buffer.from(text);
  return encoding === null ? { body: bytes, encoding } : { body: gzipSync(bytes), encoding: 'gzip' };
}
