import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { replayLine } from '../../../src/renderer/lib/replay-line.ts';
import { parseWordsAndOptions } from '../../../src/shell/option-table.ts';

const options = { to: { type: 'string', value: 'NAME|URL', multiple: true, help: '' } } as const;

/** What the command is given when a real sh runs the line. */
function given(line: string) {
  const script = `hookbench() { shift; for a in "$@"; do printf '%s\\0' "$a"; done; }\n${line}\n`;
  const words = execFileSync('sh', ['-c', script], { env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' });
  return parseWordsAndOptions(options, words.split('\0').slice(0, -1));
}

it.each([
  ['9d41a0d4-6b1e', null],
  ['9d41a0d4-6b1e', 'CRM sync'],
  ['9d41a0d4-6b1e', 'http://localhost:8766/r/ok?a=1&b=$(echo x)'],
  [`it's "quoted" \\ $HOME \`id\` !x`, `-n 'x'`],
  ['--to', '--json'],
  ['a\nb; echo pwned', '%PATH% #'],
])('the command is given the message %j and the target %j', (id, to) => {
  const { values, words } = given(replayLine(id, to));
  expect([words, values.to]).toEqual([[id], to === null ? undefined : [to]]);
});

it('has no quotes where none are needed', () => {
  expect(replayLine('9d41a0d4-6b1e')).toBe('hookbench replay 9d41a0d4-6b1e');
});
