/** Makes the notices of a deletion: ordinary messages, as if a client had posted them in a batch. */
import { prepareCalls } from '../ingest/prepare.ts';
import type { NewMessage, NewRequest } from '../model/records.ts';
import type { BodyShape } from '../model/rules.ts';
import { formatTimestamp } from '../model/timestamp.ts';

/** The users of one source that are in one request. */
export interface NoticeBatch {
  readonly sourceId: number;
  readonly sourceName: string;
  /** Whether Webhooks is on for the source now. */
  readonly sourceWebhooks: boolean;
  readonly destination: { readonly enabled: boolean; readonly webhookCount: number; readonly body: BodyShape };
  readonly notices: ReadonlyArray<{ readonly userId: string; readonly messageId: string }>;
  /** Wall time of the deletion request, which all its notices carry. */
  readonly createdAt: number;
  /** Wall time. */
  readonly now: number;
}

const NO_EVENTS: ReadonlySet<string> = new Set();
const NO_CONTEXT = {};

/** A notice carries exactly `type`, `userId` and `timestamp` (delivery specification, section 2.2). */
const noticeCall = (userId: string, createdAt: number) => ({
  type: 'delete',
  userId,
  timestamp: formatTimestamp(createdAt),
});

export function noticeRequest(batch: NoticeBatch): { request: NewRequest; messages: NewMessage[] } {
  const { notices, createdAt, now, sourceId } = batch;
  const calls = notices.map(({ userId, messageId }) => ({ ...noticeCall(userId, createdAt), messageId }));
  const body = Buffer.from(JSON.stringify({ batch: calls }));
  const request: NewRequest = {
    receivedAt: now,
    method: 'POST',
    path: '/v1/batch',
    headers: [['Content-Type', 'application/json']],
    body,
    encoding: null,
    decodedBytes: body.length,
    writeKey: null,
    sourceId,
    status: 200,
    code: null,
  };
  return { request, messages: noticeMessages(batch, calls) };
}

function noticeMessages(batch: NoticeBatch, calls: readonly unknown[]): NewMessage[] {
  const { destination, sourceName, sourceWebhooks, now } = batch;
  return prepareCalls(calls, {
    receivedAt: now,
    receivedAtText: formatTimestamp(now),
    batch: null,
    ip: null,
    correction: 'never',
    origin: 'deletion',
    type: null,
    refusal: null,
    switches: {
      destinationEnabled: destination.enabled,
      sourceWebhooks,
      sourceName,
      webhookCount: destination.webhookCount,
      eventsOff: NO_EVENTS,
    },
    body: destination.body,
    knownContext: NO_CONTEXT,
    // Each notice brings its own.
    newId: () => '',
  });
}
