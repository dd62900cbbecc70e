import { expect, test } from 'vitest';
import { callTypes, messageStates } from '../../../src/contract/names.ts';
import { CALL_TYPES, MESSAGE_STATES } from '../../../src/core/model/message.ts';

test('the contract names the states and types of the core, and `unknown` for what was no call', () => {
  expect(messageStates).toEqual(MESSAGE_STATES);
  expect(callTypes).toEqual([...CALL_TYPES, 'unknown']);
});
