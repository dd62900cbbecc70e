/** From a request of a file to calls ready to be stored, each as the only one of its request. */
import { hash } from 'node:crypto';
import { annotated } from '../ingest/annotate.ts';
import { type PrepareFields, prepareCalls, textsOf } from '../ingest/prepare.ts';
import { type Route, routeOf } from '../ingest/routes.ts';
import { type Calls, splitCalls } from '../ingest/split.ts';
import { isJsonObject, type JsonObject } from '../model/call.ts';
import { parseJsonText } from '../model/json.ts';
import { rejectionText } from '../model/reason-text.ts';
import type { NewMessage, NewRequest } from '../model/records.ts';
import type { BodyShape } from '../model/rules.ts';
import { formatTimestamp } from '../model/timestamp.ts';
import type { RejectReason } from '../model/vocabulary.ts';
import type { ImportedRequest } from './imported-row.ts';
import { soleCalls } from './own-body.ts';

export interface ImportFields {
  /** Wall time of the import: when Hookbench gets the call. */
  readonly receivedAt: number;
  /** True: to webhooks, as a call that just came. False: kept as history. */
  readonly deliver: boolean;
  readonly destination: { readonly enabled: boolean; readonly body: BodyShape; readonly webhookCount: number };
  /** Users whose calls are rejected. */
  readonly suppressed: ReadonlySet<string>;
}

export type ImportedCall =
  | { readonly ok: true; readonly request: NewRequest; readonly message: NewMessage }
  | { readonly ok: false; readonly text: string };

/** One for each call of the request; one that is refused when it holds none. */
export function importedCalls(row: ImportedRequest, fields: ImportFields): ImportedCall[] {
  const split = splitOf(row.path, row.body);
  if (!split.ok) return [refusal(split.rejection.reason, split.rejection.detail, 'unknown')];
  return soleCalls(split.text, split.calls.length).map((body) => importedCall({ ...row, body }, fields));
}

/** {@link importedCalls} gets only paths that take calls. */
function splitOf(path: string, text: string) {
  const route = routeOf(path) as Extract<Route, { kind: 'call' | 'batch' }>;
  return splitCalls({ route, target: path, body: Buffer.from(text), encoding: null });
}

const refusal = (reason: string, detail: string | null, type: NewMessage['type']): ImportedCall => ({
  ok: false,
  text: rejectionText(reason as RejectReason, detail, type === 'delete' ? 'unknown' : type),
});

const fieldsOf = (row: ImportedRequest, split: Calls, fields: ImportFields): PrepareFields => ({
  receivedAt: fields.receivedAt,
  receivedAtText: formatTimestamp(fields.receivedAt),
  batch: split.batch,
  ip: null,
  // The file is as old as it is; its times are what they were.
  correction: 'never',
  origin: 'import',
  type: split.type,
  suppressed: fields.suppressed,
  refusal: null,
  switches: {
    ...SWITCHES,
    destinationEnabled: fields.destination.enabled,
    webhookCount: fields.destination.webhookCount,
  },
  body: fields.destination.body,
  knownContext: NOTHING_KNOWN,
  newId: () => row.messageId ?? idOfText(row.body),
});

function importedCall(row: ImportedRequest, fields: ImportFields): ImportedCall {
  const split = splitOf(row.path, row.body);
  if (!split.ok) return refusal(split.rejection.reason, split.rejection.detail, 'unknown');
  const texts = textsOf(split.calls);
  const prepared = prepareCalls(split.calls, fieldsOf(row, split, fields), texts);
  const message = annotated(prepared, split, texts)[0]!;
  if (message.state === 'rejected') return refusal(message.reason!, message.reasonDetail, message.type);
  const wire = deliveredBefore(row, message);
  if (wire === null) return { ok: false, text: 'Its delivered body is not that of its call.' };
  return {
    ok: true,
    request: requestOf(row, fields.receivedAt),
    message: fields.deliver ? { ...message, wire } : { ...message, wire, ...HISTORY },
  };
}

const SWITCHES = { sourceWebhooks: true, sourceName: '', eventsOff: new Set<string>() };
const NOTHING_KNOWN: JsonObject = {};
const HISTORY = { state: 'not_selected', reason: 'imported', reasonDetail: null } as const;

/** The same text always gets the same id, so that a file can be imported again. */
const idOfText = (text: string): string => `imp_${hash('sha256', text).slice(0, 32)}`;

/**
 * The bytes that webhooks got, if the file has them. Null when they are not those of this call: they would be sent in
 * its name.
 */
function deliveredBefore({ delivered }: ImportedRequest, { wire }: NewMessage): Uint8Array | null {
  if (delivered === null) return wire;
  const given = parseJsonText(delivered);
  if (!given.ok || !isJsonObject(given.value)) return null;
  const made = JSON.parse(Buffer.from(wire!).toString('utf8')) as JsonObject;
  return SAME.every((field) => given.value !== null && sameField(given.value as JsonObject, made, field))
    ? Buffer.from(delivered)
    : null;
}

/** Whom and what a call is about, in either shape of body. */
const SAME = ['type', 'userId', 'User ID', 'anonymousId', 'event', 'groupId', 'previousId', 'Previous ID'] as const;

/** The shape may have been another one, which lacks the field. */
function sameField(given: JsonObject, made: JsonObject, field: string): boolean {
  return !Object.hasOwn(given, field) || !Object.hasOwn(made, field) || given[field] === made[field];
}

function requestOf({ path, body }: ImportedRequest, receivedAt: number): NewRequest {
  const bytes = Buffer.from(body);
  return {
    receivedAt,
    method: 'POST',
    path,
    headers: [['Content-Type', 'application/json']],
    body: bytes,
    encoding: null,
    decodedBytes: bytes.length,
    writeKey: null,
    sourceId: null,
    status: 200,
    code: null,
  };
}
