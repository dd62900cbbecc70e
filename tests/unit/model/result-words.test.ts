import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/core/model/result-words.ts';
import type { StoredResult } from '../../../src/core/model/stored.ts';

const result: StoredResult = {
  reason: 'dns_failed',
  detail: 'socket of u1 closed',
  statusText: 'Hello u2',
  phases: [7, null, 8],
  requestHeaders: [
    ['X-User', 'u3'],
    ['content-length', '42'],
    ['X-Key', null, 9],
  ],
  responseHeaders: [
    ['X-Answer', 'u4'],
    ['Content-Length', '42'],
    ['Retry-After', '42'],
    ['Age', '42'],
  ],
  responseBytes: 42,
  responseCut: true,
  certificate: {
    subject: 'CN=u5',
    issuer: 'i',
    validFrom: 'f',
    validTo: 't',
    names: 'n',
    fingerprint256: 'p',
  },
};

test('the words of a result are what was sent and answered and why it failed', () => {
  for (const user of ['u1', 'u2', 'u3', 'u4', 'u5']) expect(wordsOf(result)).toContain(user);
});

test('no time or size is among them, so that users 7, 8, 9 and 42 are not said to be mentioned', () => {
  expect(wordsOf({ ...result, certificate: null })).toBe(
    '["socket of u1 closed","Hello u2",[["X-User","u3"],["X-Key",null]],[["X-Answer","u4"]],null]',
  );
});
