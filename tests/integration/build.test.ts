/** `npm run build` from a clean checkout: everything that package.json names is there afterwards. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import about from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const sources = ['src', 'tools', 'bin', 'resources', 'package.json', 'electron.vite.config.ts', 'tsconfig.json'];

/** Every path under `exports`. */
const exported = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as Record<string, unknown>).flatMap(exported);

test('one command builds all that is exported and started', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hb-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of sources) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const built = spawnSync('npm', ['run', 'build'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  expect(built.status, built.stdout + built.stderr).toBe(0);
  const named = [...exported(about.exports), ...Object.values(about.bin), about.main];
  expect(named.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  const program = "const { Client } = await import('hookbench/client'); console.log(typeof Client)";
  const used = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, encoding: 'utf8' });
  expect([used.stdout.trim(), used.stderr]).toEqual(['function', '']);
});
