import { expect, test } from 'vitest';
import { EMPTY_CELLS, FINAL_STATES, MESSAGE_STATES } from '../../../src/core/model/message.ts';

test('six states are final, and the others go on', () => {
  const goesOn = MESSAGE_STATES.filter((state) => !FINAL_STATES.has(state));
  expect(goesOn).toEqual(['queued', 'delivering', 'retrying', 'paused']);
  expect([...FINAL_STATES]).toEqual(['rejected', 'not_selected', 'delivered', 'failed', 'expired', 'stopped']);
});

test('a message that was not tried has an empty cell for each of five webhooks', () => {
  expect(EMPTY_CELLS).toBe('.....');
});
