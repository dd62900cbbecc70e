import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { lasts } from '../../helpers/shared-process.ts';

const cwd = resolve(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(resolve(cwd, file), 'utf8');

test.each([
  "vi.mock('node:tls')",
  'vi.doMock(path, make)',
  'const passed = vi.hoisted(make)',
  'process.chdir(folder)',
  "process.on('warning', note)",
  'process.exitCode = 0',
  "process.env.HOME = '/nowhere'",
  "process.env['HOME'] = '/nowhere'",
  'globalThis.fetch = fetched',
  '(globalThis as { fetch?: unknown }).fetch = fetched',
  "Object.defineProperty(process, 'platform', { value })",
  'Object.assign(globalThis, { fetch })',
  'process.memoryUsage().rss',
])('a file with `%s` has a process of its own', (source) => {
  expect(lasts(source)).toBe(true);
});

test.each([
  "vi.spyOn(Date, 'now')",
  "vi.stubGlobal('fetch', fetched)",
  'vi.useFakeTimers()',
  'process.env.HOME',
  "if (process.env.HOME === '/')",
  'const real = globalThis.setTimeout',
  "vi.spyOn(globalThis, 'setTimeout').mockImplementation((run) => run())",
])('a file with `%s` may share one', (source) => {
  expect(lasts(source)).toBe(false);
});

test('no test of the interface, all of which share a window, needs a process of its own', () => {
  const files = globSync('tests/ui/**/*.test.{ts,tsx}', { cwd });
  expect(files.length).toBeGreaterThan(80);
  expect(files.filter((file) => lasts(read(file)))).toEqual([]);
});
