import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { DELETION_FAILPOINTS, FAILPOINTS, IMPORT_FAILPOINTS, SYNC_FAILPOINTS } from '../../src/core/failpoint.ts';
import { builtCli } from '../kill/built-cli.ts';

/** All the JavaScript that a built command line can load. The bundler's comments name the files that code came from. */
const codeOf = (cli: string): string =>
  readdirSync(dirname(cli), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('js'))
    .map((file) => readFileSync(join(dirname(cli), file), 'utf8').replace(/^\/\/ .*$/gm, ''))
    .join('\n');

/** These two are words of other texts too. */
const names = [
  ...FAILPOINTS.filter((name) => name !== 'answered' && name !== 'stopping'),
  ...SYNC_FAILPOINTS,
  ...DELETION_FAILPOINTS,
  ...IMPORT_FAILPOINTS,
];
const traces = (code: string): string[] => [
  ...names.filter((name) => new RegExp(`["'\`]${name}["'\`]`).test(code)),
  ...(code.match(/\w*failpoint\w*/gi) ?? []),
];

test('what is shipped holds no failpoint, and the build of the kill runs holds them all', async () => {
  expect(traces(codeOf(await builtCli()))).toEqual([]);
  expect(traces(codeOf(await builtCli('failpoints')))).toEqual(
    expect.arrayContaining([...names, 'HOOKBENCH_FAILPOINT', 'failpoint']),
  );
});

test('what is shipped takes one byte a character in memory, and no explanations', async () => {
  const code = codeOf(await builtCli());
  expect(code.match(/[^\0-\x7f]/g)).toBeNull();
  const source = readFileSync(join(import.meta.dirname, '../../src/core/store/writer.ts'), 'utf8');
  const explanation = /^ \* (.+)$/m.exec(source)![1]!;
  expect(code).not.toContain(explanation);
});

test("what is shipped imports none of Node's modules, because Node then loads all that the module exports", async () => {
  const code = codeOf(await builtCli());
  expect(code.match(/^import\b.*"node:.*$/gm)).toBeNull();
  expect(code).toContain('process.getBuiltinModule("node:http").createServer');
});
