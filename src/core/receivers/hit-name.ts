/** Names a request for the log, by the type and name of the call in its body. */
import { isJsonObject, type JsonObject } from '../model/call.ts';
import { callName } from '../model/call-name.ts';
import { CALL_TYPES, type CallType } from '../model/vocabulary.ts';

/** A body that is not a call has no type and an empty name. Never throws. */
export function hitName(body: Buffer): { type: string | null; name: string } {
  const call = parse(body);
  const type = CALL_TYPES.find((known) => known === call?.type) ?? null;
  return call === null || type === null ? { type: null, name: '' } : { type, name: callName(type, named(type, call)) };
}

/** The user ids that a delivered call names: its user, and both ids of an alias. */
export function usersIn(body: Buffer): string[] {
  const call = parse(body);
  if (call === null) return [];
  return [call.userId, call['User ID'], call.previousId, call['Previous ID']].filter((id) => typeof id === 'string');
}

function parse(body: Buffer): JsonObject | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** A delivered alias has `Previous ID` and `User ID` (delivery specification, section 2.2). */
const named = (type: CallType, call: JsonObject): JsonObject =>
  type === 'alias'
    ? { ...call, previousId: call.previousId ?? call['Previous ID'], userId: call.userId ?? call['User ID'] }
    : call;
