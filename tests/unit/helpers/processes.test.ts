import { expect, test } from 'vitest';
import { processesWith } from '../../helpers/processes.ts';

test('a text that could be in any command line names no process', () => {
  expect(() => processesWith('')).toThrow('too short');
  expect(() => processesWith('/tmp/')).toThrow('too short');
});
