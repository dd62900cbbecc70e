/** The part of a request that belongs to one message: of a batch its own call alone, with the bytes that it came in. */
import { decodeBody } from '../ingest/decode.ts';
import { cleanPath, routeOf } from '../ingest/routes.ts';
import { splitCalls } from '../ingest/split.ts';
import { batchSpans } from '../model/batch-spans.ts';
import type { RequestRecord } from '../model/stored.ts';
import { decodeUtf8 } from './utf8.ts';
import { withoutWriteKey } from './write-key-text.ts';

export type OwnBody = { readonly path: string; readonly encoding: string | null } & (
  | { readonly body: string }
  | { readonly bodyBase64: string }
);

type Received = Pick<RequestRecord, 'path' | 'body' | 'encoding'>;

/** The other calls are gone from the text, so an export of one message says nothing of its neighbours. */
export function ownBody(request: Received, position: number): OwnBody {
  const path = cleanPath(request.path);
  const call = pixelText(request);
  if (call !== null) return { path, encoding: null, body: withoutWriteKey(call) };
  const decoded = decodeBody(request.body, request.encoding);
  if (!decoded.ok) return { path, encoding: request.encoding, bodyBase64: base64(request.body) };
  const text = decodeUtf8(decoded.bytes);
  if (text === null) return { path, encoding: null, bodyBase64: base64(decoded.bytes) };
  return { path, encoding: null, body: withoutWriteKey(onlyCall(request, text, position)) };
}

/** A pixel has its call in the query. */
function pixelText({ path, body, encoding }: Received): string | null {
  const route = routeOf(path);
  if (route.kind !== 'pixel') return null;
  const split = splitCalls({ route, target: path, body, encoding });
  return split.ok ? JSON.stringify(split.calls[0]) : '';
}

function onlyCall({ path, body, encoding }: Received, text: string, position: number): string {
  const route = routeOf(path);
  if (route.kind !== 'batch') return text;
  const split = splitCalls({ route, target: path, body, encoding });
  return split.ok ? (soleCalls(text, split.calls.length)[position] ?? text) : text;
}

/** For each call of a batch the text of a batch with it alone. `text` is valid JSON with so many calls. */
export function soleCalls(text: string, calls: number): string[] {
  if (calls < 2) return [text];
  const spans = batchSpans(text);
  const head = text.slice(0, spans[0]![0]);
  const tail = text.slice(spans.at(-1)![1]);
  return spans.map(([start, end]) => head + text.slice(start, end) + tail);
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
