/** What an error of a file says on the command line. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startFailure } from '../../../src/shell/start-failure.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

function failing(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}

test('the system says what is wrong once, in words, with the path', () => {
  const folder = tempWorkspace();
  const said = [
    () => statSync('/no/such/calls.ndjson'),
    () => readdirSync('/dev/null/x'),
    () => readFileSync(folder),
  ].map((act) => startFailure(failing(act)));
  expect(said).toMatchObject([
    { exitCode: 1, code: 'ENOENT', message: 'No such file or folder: /no/such/calls.ndjson' },
    { exitCode: 1, code: 'ENOTDIR', message: 'A part of the path is no folder: /dev/null/x' },
    { exitCode: 1, code: 'EISDIR', message: 'This is a folder, not a file.' },
  ]);
});

test('an error without words of its own here keeps those of the system', () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write '/x'"), {
    code: 'ENOSPC',
    syscall: 'write',
    path: '/x',
  });
  expect(startFailure(full).message).toBe('No space left on device: /x');
});

test.each([
  [Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new Error('ENOENT: said by hand'), 'failed'],
  [new Error('x'), 'failed'],
])('%s stays as it is', (error, code) => {
  expect(startFailure(error)).toMatchObject({ code, message: error.message });
});
