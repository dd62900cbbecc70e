import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCodes } from '../../../src/contract/errors.ts';
import { REJECT_REASONS } from '../../../src/core/model/vocabulary.ts';

const read = (name: string): string => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

test('docs/errors.md lists exactly the codes of the contract, with their words', () => {
  const table = read('errors.md').split('## Contract')[1]!.split('## ')[0]!;
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, code, words]) => [code, words]);
  expect(Object.fromEntries(rows)).toEqual(errorCodes);
});

test('docs/behaviour.md lists exactly the reasons of rejection', () => {
  const line = /^Reasons of rejection: (.+)\.$/m.exec(read('behaviour.md'))![1]!;
  expect([...line.matchAll(/`(\w+)`/g)].map(([, reason]) => reason)).toEqual([...REJECT_REASONS]);
});
