/**
 * The delivered body of a message (delivery specification, section 2.2; decisions, Delivered body). It is built once,
 * as the text that JSON.stringify gives, so that a receiver that parses and re-stringifies it gets
 * the same bytes, which the signature covers.
 */
import type { JsonObject } from './call.ts';
import type { NormalCall } from './normalise.ts';
import type { BodyShape } from './rules.ts';
import { formatTimestamp } from './timestamp.ts';

/** In the documented shape, `knownContext` replaces a missing context. */
export function deliveredBody(shape: BodyShape, normal: NormalCall, knownContext: JsonObject): string {
  if (normal.type === 'delete') return JSON.stringify(deleteBody(normal));
  return JSON.stringify(shape === 'documented' ? documentedBody(normal, knownContext) : fullMessage(normal));
}

/** Exactly three fields, in either shape. */
function deleteBody({ userId, timestamp }: NormalCall): JsonObject {
  return { type: 'delete', userId, timestamp };
}

/**
 * The fields of section 2.2 in its order: the common ones, those of the type, then `context`, which accompanies each
 * call. Ours beyond it: `anonymousId` where there is no userId, page `name` and `category`, screen `properties`.
 * Any other field that the call does not have is left out, null included.
 */
function documentedBody(normal: NormalCall, knownContext: JsonObject): JsonObject {
  const { type, call, timestamp } = normal;
  const userId = normal.userId ?? undefined;
  const anonymousId = normal.userId === null ? (normal.anonymousId ?? undefined) : undefined;
  const context = normal.context ?? knownContext;
  const version = 1;
  switch (type) {
    case 'track': {
      const { event } = call;
      return { type, userId, anonymousId, timestamp, version, event, properties: given(call.properties), context };
    }
    case 'identify':
      return { type, userId, anonymousId, timestamp, version, traits: given(call.traits), context };
    case 'page': {
      const properties = given(call.properties);
      const name = given(call.name);
      return {
        type,
        userId,
        anonymousId,
        timestamp,
        version,
        properties,
        name,
        category: given(call.category),
        context,
      };
    }
    case 'screen': {
      const name = given(call.name);
      return { type, userId, anonymousId, timestamp, version, name, properties: given(call.properties), context };
    }
    case 'group': {
      const { groupId } = normal;
      return { type, userId, anonymousId, timestamp, version, groupId, traits: given(call.traits), context };
    }
    case 'alias':
      return {
        type,
        anonymousId,
        timestamp,
        version,
        'Previous ID': normal.previousId,
        'User ID': userId,
        context,
      };
    case 'delete':
    case null:
      return deleteBody(normal);
  }
}

/** Undefined, which JSON.stringify leaves out, for the values that clients write when they have nothing. */
function given(value: unknown): unknown {
  return value === null || value === '' ? undefined : value;
}

/**
 * The whole normalised message, with the client's keys in the client's order, for the pass-through body and the parsed
 * view. It lacks the write key, which is the sender's secret.
 */
export function fullMessage(normal: NormalCall): JsonObject {
  const { writeKey: _, ...message } = normal.call as Record<string, unknown>;
  if (normal.type !== null) message.type = normal.type;
  message.messageId = normal.messageId;
  setGiven(message, 'userId', normal.userId);
  setGiven(message, 'anonymousId', normal.anonymousId);
  setGiven(message, 'groupId', normal.groupId);
  setGiven(message, 'previousId', normal.previousId);
  setGiven(message, 'context', normal.context);
  setGiven(message, 'integrations', normal.integrations);
  setGiven(message, 'timestamp', normal.timestamp);
  setGiven(message, 'originalTimestamp', timeText(normal.originalTimestamp));
  setGiven(message, 'sentAt', timeText(normal.sentAt));
  message.receivedAt = normal.receivedAt;
  return message;
}

function timeText(at: number | null): string | null {
  return at === null ? null : formatTimestamp(at);
}

/** Leaves what the client wrote (a null, a bad value) where there is nothing better. */
function setGiven(message: Record<string, unknown>, field: string, value: unknown): void {
  if (value !== null) message[field] = value;
}

/** The id before, in the delivered body of an alias call, in either shape; null when there is none. */
export function previousIdOf(alias: JsonObject | null): string | null {
  const id = alias?.['Previous ID'] ?? alias?.previousId;
  return typeof id === 'string' ? id : null;
}
