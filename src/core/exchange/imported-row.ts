/** What one row of an imported file says: a request with calls, nothing for us, or why it is refused. */
import { cleanPath, routeOf } from '../ingest/routes.ts';
import { isJsonObject, type JsonObject, usableMessageId } from '../model/call.ts';
import { isTooDeep, MAX_DEPTH } from '../model/json.ts';
import { findJsonError } from '../model/json-error.ts';

export interface ImportedRequest {
  readonly kind: 'request';
  /** One of the paths that take calls in a body. */
  readonly path: string;
  readonly body: string;
  /** Of an export of Hookbench: the id that the message had, and what webhooks got. */
  readonly messageId: string | null;
  readonly delivered: string | null;
}

export type ImportedRow =
  | ImportedRequest
  | { readonly kind: 'other' }
  | { readonly kind: 'refused'; readonly text: string };

const OTHER: ImportedRow = { kind: 'other' };
const refused = (text: string): ImportedRow => ({ kind: 'refused', text });

/** Of a row that is no JSON. */
export const NO_JSON = refused('It is not valid JSON.');

/** `text` is null for a row over the limit. `looksFirst`: see {@link parsed}. */
export function readRow(format: 'ndjson' | 'har', text: string | null, looksFirst = false): ImportedRow {
  if (text === null) return refused('It is longer than 1 MB.');
  const value = parsed(text, looksFirst);
  if (value === undefined) return NO_JSON;
  if (isTooDeep(text)) return refused(`It nests deeper than ${MAX_DEPTH} levels.`);
  if (!isJsonObject(value)) return refused('It is not a JSON object.');
  return format === 'har' ? readEntry(value) : readLine(value, text);
}

/**
 * Undefined for text that is no JSON. `JSON.parse` makes an error and a script object of 100 bytes and more for each
 * such text, which stay until the next full collection. A file may have a million of them: then Hookbench looks first
 * and parses only what is JSON.
 */
function parsed(text: string, looksFirst: boolean): unknown {
  if (looksFirst && findJsonError(text) !== null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readLine(line: JsonObject, text: string): ImportedRow {
  // A call as Segment keeps it.
  if (!Object.hasOwn(line, 'hookbench'))
    return { kind: 'request', path: '/v1/batch', body: `{"batch":[${text}]}`, messageId: null, delivered: null };
  if (line.hookbench !== 1) return refused('It was exported by a later version of Hookbench.');
  const request = isJsonObject(line.request) ? line.request : {};
  return requestOf(request.path, request.body, line) ?? refused('Its path takes no calls.');
}

function readEntry(entry: JsonObject): ImportedRow {
  const request = isJsonObject(entry.request) ? entry.request : {};
  const ours = isJsonObject(entry._hookbench) ? entry._hookbench : {};
  if (ours.kind === 'attempt' || request.method !== 'POST') return OTHER;
  const { text, _encoding } = isJsonObject(request.postData) ? request.postData : ({} as JsonObject);
  return requestOf(pathOf(request.url), _encoding === undefined ? text : undefined, ours) ?? OTHER;
}

function pathOf(url: unknown): string | null {
  if (typeof url !== 'string') return null;
  return URL.parse(url)?.pathname ?? null;
}

/** Null when no calls are sent to such a path. */
function requestOf(path: unknown, body: unknown, ours: JsonObject): ImportedRow | null {
  if (typeof path !== 'string') return null;
  // The call of a pixel is exported as a body.
  const target = cleanPath(path).replace(/^\/v1\/pixel\//, '/v1/');
  const { kind } = routeOf(target);
  if (kind !== 'call' && kind !== 'batch') return null;
  if (typeof body !== 'string') return refused('It has no body as text.');
  const delivered = typeof ours.delivered === 'string' ? ours.delivered : null;
  return { kind: 'request', path: target, body, messageId: usableMessageId(ours.messageId), delivered };
}
