import { expect, test } from 'vitest';
import { tailOf } from '../../../src/core/model/secret-tail.ts';

test.each([
  ['', ''],
  ['short', ''],
  ['12345678901', ''],
  ['123456789012', '12'],
  ['whsec_abcdefghijklmnopqrstuvwxyz', 'yz'],
])('of the secret %j, %j is shown', (secret, tail) => {
  expect(tailOf(secret)).toBe(tail);
});
