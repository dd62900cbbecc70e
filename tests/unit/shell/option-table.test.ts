import { expect, test } from 'vitest';
import { parseWordsAndOptions } from '../../../src/shell/option-table.ts';

const OPTIONS = {
  filter: { type: 'string', value: 'TOKENS', help: '' },
  json: { type: 'boolean', help: '' },
} as const;
const parsed = (...args: string[]) => {
  const { values, words } = parseWordsAndOptions(OPTIONS, args);
  return { ...values, words };
};

test('a value may begin with one dash', () => {
  expect(parsed('--filter', '-status:delivered', '--json')).toEqual({
    filter: '-status:delivered',
    json: true,
    words: [],
  });
  expect(parsed('--filter', '-', 'a')).toEqual({ filter: '-', words: ['a'] });
  expect(parsed('--', '--filter', '-a')).toEqual({ words: ['--filter', '-a'] });
});

test('an option is no value, and a switch takes none', () => {
  expect(() => parsed('--filter', '--json')).toThrow(/ambiguous/);
  expect(() => parsed('--json', '-x')).toThrow(/Unknown option/);
});
