import { describe, expect, it } from 'vitest';
import { MAX_ANSWER_BYTES, MAX_RESPONSE_BODY_BYTES, outcomeOfStatus } from '../../../src/core/model/attempt.ts';

describe('the outcome of a status', () => {
  const special = new Map([
    [408, 'throttled'],
    [429, 'throttled'],
  ]);
  const hundreds = ['no_connection', 'declined', 'accepted', 'declined', 'declined', 'failed', 'no_connection'];

  it('is that of its hundred, but for 408 and 429', () => {
    for (let status = 0; status < 700; status += 1) {
      const expected = special.get(status) ?? hundreds[Math.floor(status / 100)];
      expect([status, outcomeOfStatus(status)]).toEqual([status, expected]);
    }
  });
});

it('of an answer 64 KiB of body are kept, and 256 KiB are read', () => {
  expect([MAX_RESPONSE_BODY_BYTES, MAX_ANSWER_BYTES]).toEqual([65_536, 262_144]);
});
