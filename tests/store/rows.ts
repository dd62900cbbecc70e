/** Rows with something in every field, to be changed where a test cares. */
import type { AttemptRecord, MessageRecord, ReplayRecord, RequestRecord } from '../../src/core/model/stored.ts';
import { EMPTY_CELLS, FINAL_STATES } from '../../src/core/model/vocabulary.ts';

export function messageRow(id: number, over: Partial<MessageRecord> = {}): MessageRecord {
  const { state = 'delivered' } = over;
  const isFinal = FINAL_STATES.has(state);
  return {
    id,
    messageId: `m${id}`,
    sourceId: 1,
    requestId: id,
    position: 0,
    origin: 'sdk',
    type: 'track',
    name: 'Signed Up',
    userId: 'u1',
    anonymousId: null,
    state,
    reason: state === 'rejected' ? 'unknown_type' : null,
    reasonDetail: null,
    receivedAt: id,
    size: 2,
    round: 0,
    nextDueAt: isFinal || state === 'paused' ? null : 1,
    firstAttemptAt: null,
    windowEndsAt: null,
    finishedAt: isFinal ? id : null,
    cells: EMPTY_CELLS,
    repeats: 0,
    replays: 0,
    notes: [],
    ...over,
  };
}

export const requestRow = (id: number, over: Partial<RequestRecord> = {}): RequestRecord => ({
  id,
  receivedAt: id,
  method: 'POST',
  path: '/v1/track',
  headers: [
    ['Host', 'localhost'],
    ['Cookie', null, 12],
  ],
  body: Buffer.from(`{"request":${id}}`),
  encoding: null,
  decodedBytes: 13,
  writeKey: 'wk',
  sourceId: 1,
  status: 200,
  code: null,
  ...over,
});

export function attemptRow(id: number, messageId: number, over: Partial<AttemptRecord> = {}): AttemptRecord {
  const { outcome = 'accepted' } = over;
  return {
    id,
    messageId,
    replayId: null,
    webhookId: 7,
    slot: 1,
    webhookName: 'CRM',
    url: 'http://crm.test/',
    round: 1,
    startedAt: id,
    clockAt: 10 * id,
    outcome,
    status: outcome === null ? null : 200,
    durationMs: outcome === null ? null : 1.5,
    result: outcome === null ? null : RESULT,
    ...over,
  };
}

const RESULT: AttemptRecord['result'] = {
  reason: null,
  detail: null,
  statusText: 'OK',
  responseHeaders: [['Date', 'today']],
  responseBytes: 2,
  responseCut: false,
  certificate: null,
  phases: [0, null, null, null, null, 1, 2, 3],
  requestHeaders: [['X-Api-Key', null, 9]],
};

export const replayRow = (id: number, messageId: number, over: Partial<ReplayRecord> = {}): ReplayRecord => ({
  id,
  messageId,
  createdAt: id,
  finishedAt: null,
  webhookIds: [7, 9],
  sent: 'delivered',
  signed: true,
  retryUntil: null,
  nextAt: null,
  ended: null,
  ...over,
});
