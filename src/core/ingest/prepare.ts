/**
 * From parsed calls to messages ready to be stored (decisions, Ingest, Selecting the destination, Delivered body).
 * Pure, apart from the ids that it is given. This is the hot path: one JSON.stringify for the received text of a call
 * and one for its delivered body, no promise and no schema library.
 */

import { deliveredBody } from '../model/body.ts';
import {
  callTypeOf,
  clip,
  idText,
  isJsonObject,
  type JsonObject,
  MAX_CALL_BYTES,
  usableMessageId,
} from '../model/call.ts';
import { callName } from '../model/call-name.ts';
import { type NormalCall, normaliseCall, type RequestFields } from '../model/normalise.ts';
import { overSizeText } from '../model/reason-text.ts';
import type { NewMessage } from '../model/records.ts';
import type { BodyShape } from '../model/rules.ts';
import { type Switches, selectDestination } from '../model/selection.ts';
import { badTimestamp, type Rejection, validateCall } from '../model/validate.ts';
import type { CallType, Origin } from '../model/vocabulary.ts';

export interface PrepareFields extends RequestFields {
  readonly origin: Origin;
  /** The type that the path names, or null where each call names its own. */
  readonly type: CallType | null;
  /** The users whose calls are rejected; nobody when left out. */
  readonly suppressed?: ReadonlySet<string>;
  /** Why the source refuses every call of the request, or null. */
  readonly refusal: Rejection | null;
  readonly switches: Switches;
  readonly body: BodyShape;
  /** The user's address where a call brings no context: that of the page or phone. */
  readonly knownContext: JsonObject;
  /** A new id for a call without one. */
  readonly newId: () => string;
}

/** The calls as JSON.stringify gives them. */
export const textsOf = (calls: readonly unknown[]): string[] => calls.map((call) => JSON.stringify(call));

/** One message for each call, in the same order. */
export function prepareCalls(
  calls: readonly unknown[],
  fields: PrepareFields,
  texts: readonly string[] = textsOf(calls),
): NewMessage[] {
  return calls.map((call, position) => prepareCall(call, position, fields, texts[position]!));
}

export function prepareCall(call: unknown, position: number, fields: PrepareFields, text: string): NewMessage {
  const size = Buffer.byteLength(text);
  if (!isJsonObject(call)) return notACall(position, size, fields);
  const type = fields.type ?? callTypeOf(call.type, fields.origin !== 'sdk');
  const rejection =
    suppressionOf(call, fields.suppressed) ??
    (size > MAX_CALL_BYTES ? { reason: 'call_too_large' as const, detail: overSizeText(size) } : null) ??
    fields.refusal ??
    validateCall(call, type, fields.batch);
  if (rejection !== null) return rejectedMessage(call, type, position, size, rejection, fields);
  const normal = normaliseCall(call, type, fields, fields.newId);
  return normal.timestamp === null
    ? rejectedMessage(call, type, position, size, badTimestamp(call), fields)
    : goodMessage(normal, type as CallType, position, size, fields);
}

/** Comes before every other check, because those keep the bytes of the call. Spaces and case of an id count. */
function suppressionOf(call: JsonObject, suppressed: ReadonlySet<string> | undefined): Rejection | null {
  if (suppressed === undefined || suppressed.size === 0) return null;
  const userId = idText(call.userId) ?? null;
  return userId !== null && suppressed.has(userId) ? { reason: 'user_suppressed', detail: userId } : null;
}

function goodMessage(
  normal: NormalCall,
  type: CallType,
  position: number,
  size: number,
  fields: PrepareFields,
): NewMessage {
  const event = type === 'track' ? (normal.call.event as string) : null;
  const selection = selectDestination(normal.integrations, fields.switches, event);
  return {
    messageId: normal.messageId,
    position,
    origin: fields.origin,
    type,
    name: callName(type, normal.call),
    userId: normal.userId,
    anonymousId: normal.anonymousId,
    state: selection.reason === null ? 'queued' : 'not_selected',
    reason: selection.reason,
    reasonDetail: selection.detail,
    size,
    notes: selection.notes.length === 0 ? normal.notes : [...normal.notes, ...selection.notes],
    wire: Buffer.from(deliveredBody(fields.body, normal, fields.knownContext)),
  };
}

/** Cuts the texts of a rejected call's row, because such a call may have any size. */
const MAX_ROW_TEXT = 1000;

function rejectedMessage(
  call: JsonObject,
  type: CallType | null,
  position: number,
  size: number,
  rejection: Rejection,
  fields: PrepareFields,
): NewMessage {
  return {
    ...rejectedRow(rejection, position, size, fields.origin, usableMessageId(call.messageId) ?? fields.newId()),
    type: type ?? 'unknown',
    name: callName(type, call),
    userId: rowId(call.userId),
    anonymousId: rowId(call.anonymousId),
  };
}

function rowId(value: unknown): string | null {
  const id = idText(value) ?? null;
  return id === null ? null : clip(id, MAX_ROW_TEXT);
}

function notACall(position: number, size: number, fields: PrepareFields): NewMessage {
  const rejection: Rejection =
    size > MAX_CALL_BYTES
      ? { reason: 'call_too_large', detail: overSizeText(size) }
      : { reason: 'not_an_object', detail: null };
  return rejectedRow(rejection, position, size, fields.origin, fields.newId());
}

/** A row for a call of which only the rejection is known. */
export function rejectedRow(
  rejection: Rejection,
  position: number,
  size: number,
  origin: Origin,
  messageId: string,
): NewMessage {
  return {
    messageId,
    position,
    origin,
    type: 'unknown',
    name: '',
    userId: null,
    anonymousId: null,
    state: 'rejected',
    reason: rejection.reason,
    reasonDetail: rejection.detail,
    size,
    notes: [],
    wire: null,
  };
}
