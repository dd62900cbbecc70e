/** The context for preparing a call, with one good source and one webhook. */
import { type PrepareFields, prepareCall } from '../../src/core/ingest/prepare.ts';
import { timeOf } from '../../src/core/model/normalise.ts';
import { NOON, textOf } from './ingest-parts.ts';

export const RECEIVED = new Date(NOON).toISOString();

export function fieldsWith(over: Partial<PrepareFields> = {}): PrepareFields {
  let ids = 0;
  const fields: PrepareFields = {
    receivedAt: NOON,
    receivedAtText: RECEIVED,
    batch: null,
    ip: '127.0.0.1',
    correction: 'wrong_clock',
    knownContext: {},
    origin: 'sdk',
    type: null,
    refusal: null,
    switches: {
      destinationEnabled: true,
      sourceWebhooks: true,
      sourceName: 's',
      webhookCount: 1,
      eventsOff: new Set(),
    },
    body: 'documented',
    newId: () => {
      ids += 1;
      return `assigned-${ids}`;
    },
  };
  return { ...fields, ...over };
}

export const batchOf = (over: { context?: unknown; integrations?: unknown; sentAt?: unknown }) => ({
  batch: { context: over.context, integrations: over.integrations, sentAt: timeOf(over.sentAt), notes: [] },
});
export const prepare = (call: unknown, over: Partial<PrepareFields> = {}) =>
  prepareCall(call, 0, fieldsWith(over), JSON.stringify(call));
export const wireOf = (call: unknown, over: Partial<PrepareFields> = {}) => textOf(prepare(call, over).wire);
