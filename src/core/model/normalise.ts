/**
 * A call in the form that everything after ingest works with (decisions, Ingest): ids as text, times in UTC with
 * milliseconds, the batch's `context` and `integrations` merged under the call's own, a messageId for every call.
 *
 * It also takes invalid calls and keeps their bad values, so that a rejected call can be shown. Objects are
 * merged by spread, which copies own keys as own keys: a `__proto__` in a call stays data.
 */
import { idText, isEmptyArray, isJsonObject, type JsonObject, usableMessageId } from './call.ts';
import type { Note } from './message.ts';
import { type Correction, correctTime, formatTimestamp, isWrongClock, parseTimestamp } from './timestamp.ts';
import { type BatchFields, clientTimeOf } from './validate.ts';
import type { CallType } from './vocabulary.ts';

/** The fields of a batch that apply to all of its calls. */
export interface Envelope extends BatchFields {
  /** Epoch milliseconds, or null without a readable one. */
  readonly sentAt: number | null;
  /** Notes on what was changed in it, which apply to each of its calls. */
  readonly notes: readonly Note[];
}

/** What a request says about all of its calls. */
export interface RequestFields {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** The same time, as on the wire. */
  readonly receivedAtText: string;
  /** Envelope of a batch; null for a single call. */
  readonly batch: Envelope | null;
  /** The client's address, for browser and phone libraries that sent none; null leaves it out. */
  readonly ip: string | null;
  /** Which timestamps are corrected by the time of sending. */
  readonly correction: Correction;
}

export interface NormalCall {
  readonly type: CallType | null;
  readonly messageId: string;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly groupId: string | null;
  readonly previousId: string | null;
  /** Corrected where that is due, ISO 8601. Null only when the client's cannot be read. */
  readonly timestamp: string | null;
  /** Epoch milliseconds as the client gave it; null when it gave none. */
  readonly originalTimestamp: number | null;
  readonly receivedAt: string;
  /** Epoch milliseconds, or null. */
  readonly sentAt: number | null;
  readonly context: JsonObject | null;
  readonly integrations: JsonObject | null;
  /** The call as received, except that empty arrays which stand for empty objects are objects. */
  readonly call: JsonObject;
  readonly notes: readonly Note[];
}

/**
 * `newId` is asked for a messageId only when the call brings none that can be used.
 * The time of sending is that of the envelope if it has one, because clients rebuild the envelope for each try.
 */
export function normaliseCall(
  given: JsonObject,
  type: CallType | null,
  request: RequestFields,
  newId: () => string,
): NormalCall {
  const notes: Note[] = [];
  if (request.batch !== null && request.batch.notes.length > 0) notes.push(...request.batch.notes);
  const call = withEmptyObjects(given, notes);
  const userId = readId(call.userId, 'userId', notes);
  const anonymousId = readId(call.anonymousId, 'anonymousId', notes);
  const groupId = type === 'group' ? readId(call.groupId, 'groupId', notes) : null;
  const previousId = type === 'alias' ? readId(call.previousId, 'previousId', notes) : null;
  const messageId = readMessageId(call, newId, notes);
  const sentAt = request.batch?.sentAt ?? timeOf(call.sentAt);
  const times = readTimes(call, request, sentAt, notes);
  return {
    type,
    messageId,
    userId,
    anonymousId,
    groupId,
    previousId,
    timestamp: times === null ? null : textOf(times.timestamp, request),
    originalTimestamp: times?.original ?? null,
    receivedAt: request.receivedAtText,
    sentAt,
    context: withIp(mergeUnder(request.batch?.context, call.context), request.ip),
    integrations: mergeUnder(request.batch?.integrations, call.integrations),
    call,
    notes: notes.length === 0 ? NO_NOTES : notes,
  };
}

const NO_NOTES: readonly Note[] = [];

function readId(value: unknown, field: string, notes: Note[]): string | null {
  if (typeof value === 'number') notes.push({ code: 'id_number_to_string', field });
  return idText(value) ?? null;
}

function readMessageId(call: JsonObject, newId: () => string, notes: Note[]): string {
  const given = usableMessageId(call.messageId);
  if (given === null) {
    notes.push({ code: 'message_id_assigned', field: 'messageId' });
    return newId();
  }
  if (typeof call.messageId === 'number') notes.push({ code: 'id_number_to_string', field: 'messageId' });
  return given;
}

const OBJECT_FIELDS = ['properties', 'traits', 'context', 'integrations'] as const;

/**
 * The same call, with `{}` for `[]` where an object belongs: PHP writes an empty map as `[]`. The field keeps its
 * place. The check goes field by field, because nearly no call needs it and a loop over names costs ten times as much.
 */
export function withEmptyObjects<T extends JsonObject>(fields: T, notes: Note[], of = ''): T {
  const { properties, traits, context, integrations } = fields;
  if (!isEmptyArray(properties) && !isEmptyArray(traits) && !isEmptyArray(context) && !isEmptyArray(integrations))
    return fields;
  const changed: Record<string, unknown> = { ...fields };
  for (const field of OBJECT_FIELDS) {
    if (!isEmptyArray(fields[field])) continue;
    changed[field] = {};
    notes.push({ code: 'empty_array_to_object', field: `${field}${of}` });
  }
  return changed as T;
}

/** Epoch milliseconds of a time on the wire; null when it is absent or cannot be read. */
export function timeOf(value: unknown): number | null {
  return typeof value === 'string' ? parseTimestamp(value) : null;
}

/** Null when the client gave a time that cannot be read. */
function readTimes(call: JsonObject, request: RequestFields, sentAt: number | null, notes: Note[]) {
  const given = clientTimeOf(call);
  const original = timeOf(given);
  if (given !== null && original === null) return null;
  const times = correctTime(request.receivedAt, original, sentAt, request.correction);
  const { movedMs } = times;
  if (original === null) notes.push({ code: 'timestamp_missing', field: 'timestamp' });
  else if (movedMs !== 0) {
    const code = isWrongClock(movedMs) ? 'clock_skew_corrected' : 'timestamp_moved';
    notes.push({ code, field: 'timestamp', detail: secondsText(movedMs) });
  }
  return times;
}

function secondsText(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${(Math.abs(ms) / 1000).toFixed(3)} s`;
}

function textOf(at: number, request: RequestFields): string {
  return at === request.receivedAt ? request.receivedAtText : formatTimestamp(at);
}

/** Keys of `own` win over those of `under`, key by key; nested objects are not merged. Null when there is neither. */
export function mergeUnder(under: unknown, own: unknown): JsonObject | null {
  const below = isJsonObject(under) ? under : null;
  const above = isJsonObject(own) ? own : null;
  if (below === null) return above;
  return above === null ? below : { ...below, ...above };
}

/**
 * Libraries that run on the user's own device, where the address of the connection is the user's. A server's library
 * says nothing about the user, whatever headers its HTTP client sends.
 */
const DEVICE_LIBRARIES: ReadonlySet<unknown> = new Set([
  'analytics.js',
  'analytics-ios',
  'analytics-swift',
  'analytics-android',
  'analytics-kotlin',
  'analytics-react-native',
  '@segment/analytics-react-native',
  'analytics-flutter',
  'analytics_flutter',
]);

function withIp(context: JsonObject | null, ip: string | null): JsonObject | null {
  if (context === null || ip === null) return context;
  if (context.ip !== undefined && context.ip !== null) return context;
  const library = context.library;
  return isJsonObject(library) && DEVICE_LIBRARIES.has(library.name) ? { ...context, ip } : context;
}
