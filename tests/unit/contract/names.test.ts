import { expect, test } from 'vitest';
import { callTypes, messageStates } from '../../../src/contract/names.ts';
import { notSendingReasons } from '../../../src/contract/not-sending.ts';
import { CALL_TYPES, MESSAGE_STATES } from '../../../src/core/model/message.ts';
import { NOT_SENDING_REASONS } from '../../../src/core/model/not-sending.ts';

test('the contract names the reasons for which nothing is sent, in the order of the core', () => {
  expect(notSendingReasons).toEqual(NOT_SENDING_REASONS);
});

test('the contract names the states and types of the core, and `unknown` for what was no call', () => {
  expect(messageStates).toEqual(MESSAGE_STATES);
  expect(callTypes).toEqual([...CALL_TYPES, 'unknown']);
});
