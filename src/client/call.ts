/**
 * Turns what the caller gives into the text that is sent (client specification, section 2.2; decisions, Client
 * library).
 * The fields have version 2's order and, as there, empty maps and texts are left out.
 */
import { CallError, type CallErrorCode } from './errors.ts';
import { MAX_CALL_BYTES, MAX_CALL_DEPTH, MAX_MESSAGE_ID_CHARACTERS } from './limits.ts';
import { bytesOf, isTooDeep } from './measure.ts';
import { isTimestamp } from './timestamp.ts';
import type { Kind } from './types.ts';

type Given = Readonly<Record<string, unknown>>;

export interface CallContext {
  readonly newId: () => string;
  /** The time of the call on the wire. */
  readonly now: () => string;
  readonly allowAnonymousPages: boolean;
}

/** A call ready to be queued. */
export interface EncodedCall {
  readonly json: string;
  readonly bytes: number;
}

const COMMON = ['userId', 'context', 'integrations', 'timestamp', 'messageId'];
const VIEW = [...COMMON, 'anonymousId', 'name', 'category', 'traits', 'properties'];
const FIELDS: Readonly<Record<Kind, ReadonlySet<string>>> = {
  identify: new Set([...COMMON, 'anonymousId', 'traits']),
  track: new Set([...COMMON, 'anonymousId', 'event', 'properties']),
  page: new Set(VIEW),
  screen: new Set(VIEW),
  group: new Set([...COMMON, 'anonymousId', 'groupId', 'traits']),
  alias: new Set([...COMMON, 'previousId']),
};

/** The call as JSON and its size, or the first thing wrong with it. Never throws. */
export function encodeCall(kind: Kind, given: unknown, context: CallContext): EncodedCall | CallError {
  if (!isMap(given)) return refuse('not_an_object', `${kind} needs an object with its fields.`);
  try {
    return faultOf(kind, given, context) ?? measured(kind, JSON.stringify(wireCall(kind, given, context)));
  } catch (cause) {
    // Circular values, BigInt, and getters or toJSON that throw end up here.
    return new CallError('not_serialisable', `${kind} cannot be written as JSON: ${textOf(cause)}`, null, cause);
  }
}

function measured(kind: Kind, json: string): EncodedCall | CallError {
  const bytes = bytesOf(json);
  if (bytes > MAX_CALL_BYTES) {
    return refuse('call_too_large', `${kind} is ${bytes} bytes as JSON; a call may have ${MAX_CALL_BYTES}.`);
  }
  if (isTooDeep(json)) return refuse('too_deep', `${kind} nests deeper than ${MAX_CALL_DEPTH} levels.`);
  return { json, bytes };
}

function wireCall(kind: Kind, given: Given, { newId, now }: CallContext): object {
  const context = filled(given.context);
  const integrations = filled(given.integrations);
  const anonymousId = given.anonymousId || undefined;
  const { userId = undefined } = given;
  const last = { type: kind, messageId: given.messageId || newId(), timestamp: wireTime(given.timestamp) ?? now() };
  switch (kind) {
    case 'identify':
      return { context, integrations, traits: filled(given.traits), anonymousId, userId: userId || undefined, ...last };
    case 'track': {
      const properties = filled(given.properties);
      return {
        context,
        integrations,
        properties,
        anonymousId,
        userId: userId || undefined,
        event: given.event,
        ...last,
      };
    }
    case 'page':
    case 'screen': {
      const properties = filled(given.traits ?? given.properties);
      const named = { category: given.category || undefined, name: given.name || undefined };
      return { context, integrations, properties, anonymousId, userId: userId || undefined, ...named, ...last };
    }
    case 'group': {
      const { groupId } = given;
      const traits = filled(given.traits);
      return { context, integrations, traits, anonymousId, userId: userId || undefined, groupId, ...last };
    }
    case 'alias':
      return { context, integrations, previousId: given.previousId, userId, ...last };
  }
}

function wireTime(given: unknown): unknown {
  if (isDate(given)) return given.toISOString();
  return given || undefined;
}

/** Undefined for a map without entries. */
function filled(map: unknown): unknown {
  if (!isGiven(map)) return undefined;
  if (typeof (map as { toJSON?: unknown }).toJSON === 'function') return map;
  for (const _ in map as object) return map;
  return undefined;
}

function faultOf(kind: Kind, given: Given, context: CallContext): CallError | null {
  return (
    unknownField(kind, given) ??
    wrongId(given) ??
    missing(kind, given, context) ??
    wrongText(given) ??
    wrongMap(kind, given) ??
    wrongTime(given.timestamp)
  );
}

/** Without this, a misspelt field would be lost in silence. */
function unknownField(kind: Kind, given: Given): CallError | null {
  const known = FIELDS[kind];
  for (const field in given) {
    if (!known.has(field) && given[field] !== undefined) {
      return refuse('unknown_field', `${kind} has no field ${JSON.stringify(field.slice(0, 40))}.`, field);
    }
  }
  return null;
}

const IDS = ['userId', 'anonymousId', 'groupId', 'previousId', 'messageId'];

function wrongId(given: Given): CallError | null {
  for (const field of IDS) {
    const id = given[field];
    if (isGiven(id) && typeof id !== 'string') return refuse('id_not_string', `${field} must be text.`, field);
  }
  const { messageId } = given;
  if (typeof messageId !== 'string' || messageId.length <= MAX_MESSAGE_ID_CHARACTERS) return null;
  // Ingest counts a surrogate pair as one character too.
  const characters = [...messageId].length;
  if (characters <= MAX_MESSAGE_ID_CHARACTERS) return null;
  const text = `messageId has ${characters} characters; it may have ${MAX_MESSAGE_ID_CHARACTERS}.`;
  return refuse('message_id_too_long', text, 'messageId');
}

/** "Required" of the specification's table. */
function missing(kind: Kind, given: Given, { allowAnonymousPages }: CallContext): CallError | null {
  const needsUserId = kind === 'alias' || (kind === 'page' && !allowAnonymousPages);
  if (needsUserId && !given.userId) return refuse('user_id_required', `${kind} needs a userId.`, 'userId');
  if (!given.userId && !given.anonymousId) {
    return refuse('no_user_anon_id', `${kind} needs a userId or an anonymousId.`, 'userId');
  }
  if (kind === 'group' && !given.groupId) return refuse('group_id_required', 'group needs a groupId.', 'groupId');
  if (kind === 'alias' && !given.previousId) {
    return refuse('previous_id_required', 'alias needs a previousId.', 'previousId');
  }
  if (kind !== 'track') return null;
  if (!isGiven(given.event) || given.event === '') return refuse('event_not_defined', 'track needs an event.', 'event');
  return typeof given.event === 'string' ? null : refuse('event_not_string', 'event must be text.', 'event');
}

function wrongText({ name, category }: Given): CallError | null {
  if (isGiven(name) && typeof name !== 'string') return refuse('name_not_string', 'name must be text.', 'name');
  if (isGiven(category) && typeof category !== 'string') {
    return refuse('category_not_string', 'category must be text.', 'category');
  }
  return null;
}

function wrongMap(kind: Kind, given: Given): CallError | null {
  const { traits, properties, context, integrations } = given;
  if (!isMapOrAbsent(traits)) return refuse('traits_not_object', 'traits must be an object.', 'traits');
  if (!isMapOrAbsent(properties)) return refuse('properties_not_object', 'properties must be an object.', 'properties');
  if (!isMapOrAbsent(context)) return refuse('context_not_object', 'context must be an object.', 'context');
  if (!isMapOrAbsent(integrations)) {
    return refuse('integrations_not_object', 'integrations must be an object.', 'integrations');
  }
  if (isGiven(traits) && isGiven(properties)) {
    const text = `${kind} sends its traits as properties: give one of the two.`;
    return refuse('unknown_field', text, 'properties');
  }
  return null;
}

function wrongTime(timestamp: unknown): CallError | null {
  if (!isGiven(timestamp) || timestamp === '') return null;
  // An invalid date has no ISO form.
  const text = isDate(timestamp) ? (timestamp.toJSON() as string | null) : timestamp;
  if (typeof text === 'string' && isTimestamp(text)) return null;
  return refuse('bad_timestamp', 'timestamp must be a date or ISO 8601 text.', 'timestamp');
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * True for an object that JSON writes as an object: not for an array or a date, nor a Map or Set, whose content would
 * be lost.
 */
function isMap(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === '[object Object]';
}

/** True also for an object from another frame. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

function isMapOrAbsent(value: unknown): boolean {
  return !isGiven(value) || isMap(value);
}

function refuse(code: CallErrorCode, message: string, field: string | null = null): CallError {
  return new CallError(code, message, field);
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
