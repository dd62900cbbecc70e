import { expect, test } from 'vitest';
import type { AttemptRecord, StoredResult } from '../../../src/core/model/stored.ts';
import { attemptView } from '../../../src/core/serving/views.ts';

const RESULT: StoredResult = {
  reason: 'self_signed',
  detail: null,
  statusText: '',
  phases: [],
  requestHeaders: [],
  responseHeaders: [],
  responseBytes: 0,
  responseCut: false,
  certificate: null,
};
const RECORD: AttemptRecord = {
  id: 1,
  messageId: 1,
  replayId: null,
  webhookId: 1,
  slot: 1,
  webhookName: 'CRM',
  url: 'http://a.test/',
  round: 1,
  startedAt: 0,
  clockAt: 0,
  outcome: 'refused_certificate',
  status: null,
  durationMs: 1,
  result: RESULT,
};

test('an attempt says where redirects led it, when it has a result and followed any', () => {
  const detail = 'Followed 302 to http://b.test/1, 307 to https://c.test/2. self-signed certificate';
  const ledTo = (result: StoredResult | null): string | null => attemptView({ ...RECORD, result }).redirectedTo;
  expect(ledTo({ ...RESULT, detail })).toBe('https://c.test/2');
  expect([ledTo(RESULT), ledTo({ ...RESULT, detail: 'self-signed certificate' }), ledTo(null)]).toEqual([
    null,
    null,
    null,
  ]);
});
