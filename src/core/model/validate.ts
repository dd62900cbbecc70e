/** Decides whether one call is valid (decisions, Ingest). Pure; the first fault found names the reason. */
import {
  idText,
  isEmptyArray,
  isJsonObject,
  isLongerThan,
  type JsonObject,
  MAX_MESSAGE_ID_CHARACTERS,
} from './call.ts';
import type { CallType, RejectReason } from './vocabulary.ts';

export interface Rejection {
  readonly reason: RejectReason;
  /** Words for the person, or null where the reason says it all. */
  readonly detail: string | null;
}

/** What the envelope of a batch says for all its calls. */
export interface BatchFields {
  readonly context: unknown;
  readonly integrations: unknown;
}

/**
 * Null when the call is valid, apart from its timestamp, which only `normaliseCall` reads.
 * `type` is null when neither path nor call name a known one.
 */
export function validateCall(call: JsonObject, type: CallType | null, batch: BatchFields | null): Rejection | null {
  return (
    (type === null ? { reason: 'unknown_type', detail: unknownTypeDetail(call.type) } : null) ??
    checkIds(call) ??
    checkIdentity(call, type as CallType) ??
    checkRequired(call, type as CallType) ??
    checkObjects(call, type as CallType, batch) ??
    checkMessageId(call)
  );
}

function unknownTypeDetail(type: unknown): string | null {
  return typeof type === 'string' && type !== '' ? type.slice(0, 40) : null;
}

/** Spelt out field by field, here and in `normaliseCall`: a lookup by name costs ten times as much. */
function checkIds(call: JsonObject): Rejection | null {
  if (idText(call.userId) === undefined) return { reason: 'id_not_string', detail: 'userId' };
  if (idText(call.anonymousId) === undefined) return { reason: 'id_not_string', detail: 'anonymousId' };
  if (idText(call.groupId) === undefined) return { reason: 'id_not_string', detail: 'groupId' };
  if (idText(call.previousId) === undefined) return { reason: 'id_not_string', detail: 'previousId' };
  if (idText(call.messageId) === undefined) return { reason: 'id_not_string', detail: 'messageId' };
  return null;
}

function checkIdentity(call: JsonObject, type: CallType): Rejection | null {
  if (idText(call.userId) !== null) return null;
  if (type !== 'delete' && idText(call.anonymousId) !== null) return null;
  return { reason: 'no_user_anon_id', detail: null };
}

function checkRequired(call: JsonObject, type: CallType): Rejection | null {
  switch (type) {
    case 'track':
      return checkEvent(call.event);
    case 'group':
      return idText(call.groupId) === null ? { reason: 'group_id_required', detail: null } : null;
    case 'alias':
      return idText(call.previousId) === null ? { reason: 'previous_id_required', detail: null } : null;
    case 'identify':
    case 'page':
    case 'screen':
    case 'delete':
      return null;
  }
}

function checkEvent(event: unknown): Rejection | null {
  if (event === undefined || event === null || event === '') return { reason: 'event_not_defined', detail: null };
  return typeof event === 'string' ? null : { reason: 'event_not_string', detail: null };
}

function checkObjects(call: JsonObject, type: CallType, batch: BatchFields | null): Rejection | null {
  if (type === 'track' || type === 'page' || type === 'screen') {
    if (!isObjectOrAbsent(call.properties)) return { reason: 'properties_not_object', detail: null };
  } else if (type === 'identify' || type === 'group') {
    if (!isObjectOrAbsent(call.traits)) return { reason: 'traits_not_object', detail: null };
  }
  if (!isObjectOrAbsent(call.context)) return { reason: 'context_not_object', detail: null };
  if (!isObjectOrAbsent(call.integrations)) return { reason: 'integrations_not_object', detail: null };
  if (batch === null) return null;
  if (!isObjectOrAbsent(batch.context)) return { reason: 'context_not_object', detail: 'context of the batch' };
  if (!isObjectOrAbsent(batch.integrations)) {
    return { reason: 'integrations_not_object', detail: 'integrations of the batch' };
  }
  return null;
}

/** Nulls are normal: several clients write null for a missing value. */
function isObjectOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || isJsonObject(value) || isEmptyArray(value);
}

/** The client's own time: `timestamp`, or `originalTimestamp` where a client writes only that. */
export function clientTimeOf(call: JsonObject): unknown {
  return call.timestamp ?? call.originalTimestamp ?? null;
}

/** The rejection of a call whose own time cannot be read. */
export function badTimestamp(call: JsonObject): Rejection {
  const time = clientTimeOf(call);
  return { reason: 'bad_timestamp', detail: typeof time === 'string' ? time.slice(0, 40) : 'It is not text.' };
}

function checkMessageId(call: JsonObject): Rejection | null {
  const id = idText(call.messageId);
  if (typeof id !== 'string' || !isLongerThan(id, MAX_MESSAGE_ID_CHARACTERS)) return null;
  return { reason: 'message_id_too_long', detail: `${[...id].length} characters` };
}
