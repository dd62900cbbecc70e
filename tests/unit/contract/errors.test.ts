import { globSync, readFileSync } from 'node:fs';
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

/** Lines that are logged as a warning or an error, with their level. */
function loggedLines(): string[] {
  const root = new URL('../../../', import.meta.url);
  const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => readFileSync(new URL(file, root), 'utf8'));
  const literal = sources.flatMap((text) => [...text.matchAll(/\blog\(\s*'(warn|error)',\s*'(\w+)'/g)]);
  const counted = sources.flatMap((text) => [...text.matchAll(/new Tally\(.*'(\w+)'/g)]);
  const either = sources.flatMap((text) => [
    ...text.matchAll(/\blog\(\w+ \? .*'(warn|error)'.*, \w+ \? '(\w+)' : '(\w+)'\)/g),
  ]);
  return [
    ...literal.map(([, level, code]) => `${code} ${level}`),
    ...counted.map(([, code]) => `${code} warn`),
    // The level stands on the side of its code.
    ...either.map(([text, level, first, second]) => `${text.includes(`? '${level}'`) ? first : second} ${level}`),
  ];
}

test('docs/errors.md lists exactly the lines of the log that may need attention, with their levels', () => {
  const table = read('errors.md').split('## Log')[1]!;
  const rows = [...table.matchAll(/^\| `(\w+)` \| (\w+) \| .+ \|$/gm)].map(([, code, level]) => `${code} ${level}`);
  expect(rows).toEqual([...new Set(loggedLines())].sort());
});
