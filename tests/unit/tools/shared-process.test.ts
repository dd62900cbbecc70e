import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { SHARED } from '../../helpers/shared-process.ts';

const cwd = resolve(import.meta.dirname, '../../..');

/** What would last beyond the file that does it: mocks, other clocks, and changes of the process. */
const LASTING =
  /\bvi\.(mock|doMock|stub|useFakeTimers)|process\.(chdir|on)\b|process\.env[.[][^=]*[^=!]=[^=]|\bglobalThis\b/;

test.each(SHARED)('the files of %s leave their process as it was', (pattern) => {
  const files = globSync(pattern, { cwd });
  expect(files).not.toEqual([]);
  expect(files.filter((file) => LASTING.test(readFileSync(resolve(cwd, file), 'utf8')))).toEqual([]);
});
