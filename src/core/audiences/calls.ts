/**
 * The calls that a sync sends, made by the code that makes every message (delivery specification, section 6; decisions,
 * Audiences and deletions). Pure, so that a dry run shows what a sync would send.
 */
import { prepareCalls } from '../ingest/prepare.ts';
import type { JsonObject } from '../model/call.ts';
import type { NewMessage, NewRequest } from '../model/records.ts';
import type { BodyShape } from '../model/rules.ts';
import { formatTimestamp } from '../model/timestamp.ts';
import type { StoredAudience } from '../store/ports/audiences.ts';
import type { PlannedCall } from '../store/ports/syncs.ts';

/** What the calls of one chunk have in common. */
export interface CallFields {
  readonly audience: Pick<StoredAudience, 'id' | 'kind' | 'property'>;
  /** Of the sync; part of each messageId. */
  readonly token: string;
  /** Wall time, epoch milliseconds. */
  readonly at: number;
  readonly destination: { readonly enabled: boolean; readonly body: BodyShape; readonly webhookCount: number };
}

export interface MadeCalls {
  readonly request: NewRequest;
  /** One for each call, in order. */
  readonly messages: readonly NewMessage[];
}

/** As if a client had posted them as one batch, without a write key. */
export function makeCalls(calls: readonly PlannedCall[], fields: CallFields): MadeCalls {
  const { at, destination } = fields;
  const bodies = calls.map((call) => callOf(call, fields));
  const messages = prepareCalls(bodies, {
    receivedAt: at,
    receivedAtText: formatTimestamp(at),
    batch: null,
    ip: null,
    correction: 'never',
    origin: 'audience',
    type: null,
    refusal: null,
    switches: {
      destinationEnabled: destination.enabled,
      sourceWebhooks: true,
      sourceName: '',
      webhookCount: destination.webhookCount,
      eventsOff: NO_EVENTS,
    },
    body: destination.body,
    knownContext: NOTHING_KNOWN,
    newId: () => `aud_${fields.token}`,
  });
  return { request: requestOf(bodies, at), messages };
}

const NO_EVENTS: ReadonlySet<string> = new Set();
const NOTHING_KNOWN: JsonObject = {};

function callOf({ position, userId, type, value }: PlannedCall, fields: CallFields): JsonObject {
  const { audience, token, at, destination } = fields;
  const { property } = audience;
  const told = JSON.parse(value) as unknown;
  const common = { type, messageId: `aud_${token}_${position}`, userId, timestamp: formatTimestamp(at) };
  // In the documented shape a call without a context gets an empty one.
  const context = destination.body === 'pass-through' ? { context: { personas: personasOf(audience) } } : {};
  if (type === 'identify') return { ...common, traits: { [property]: told }, ...context };
  const event = told === true ? 'Audience Entered' : 'Audience Exited';
  return { ...common, event, properties: { audience_key: property, [property]: told }, ...context };
}

/**
 * What Segment's audiences and computed traits say of themselves, by its documentation of Engage. It also has
 * `namespace` and `space_id`, which are left out: Hookbench has no space.
 */
const personasOf = ({ id, kind, property }: CallFields['audience']): JsonObject => ({
  computation_class: kind,
  computation_id: `${COMPUTATION_PREFIX[kind]}_${id}`,
  computation_key: property,
});

const COMPUTATION_PREFIX = { audience: 'aud', trait: 'tra' } as const;

function requestOf(batch: readonly JsonObject[], at: number): NewRequest {
  const body = Buffer.from(JSON.stringify({ batch }));
  return {
    receivedAt: at,
    method: 'POST',
    path: '/v1/batch',
    headers: [['Content-Type', 'application/json']],
    body,
    encoding: null,
    decodedBytes: body.length,
    writeKey: null,
    sourceId: null,
    status: 200,
    code: null,
  };
}
