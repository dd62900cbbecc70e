/** The counts behind the last line of `npm test`, from runs of both tools on files made to fail. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closingLine, exitCodeOf, folderVariable, readCounts, readNotes, sum } from '../../tools/closing-line.mjs';

const root = join(import.meta.dirname, '../..');
const fixtures = join(root, 'tests/fixtures/closing-line');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hb-counts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(stage: string, args: readonly string[]) {
  // Neither tool may take this run for its own.
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TEST|PLAYWRIGHT|NODE_OPTIONS|TINYPOOL)/.test(name),
  );
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...Object.fromEntries(kept), [folderVariable]: folder, NO_COLOR: '1', FORCE_COLOR: undefined },
  });
  return { counts: readCounts(folder, stage, status), notes: readNotes(folder, stage), stdout };
}

const vitest = (...files: string[]) =>
  run('vitest', [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--root',
    fixtures,
    '--config',
    join(fixtures, 'vitest.fixture.config.ts'),
    `--reporter=${join(root, 'tools/closing-line-vitest.mjs')}`,
    ...files,
  ]);

const playwright = (...more: string[]) =>
  run('playwright', [
    join(root, 'node_modules/@playwright/test/cli.js'),
    'test',
    '--config',
    join(fixtures, 'playwright.fixture.config.ts'),
    `--reporter=${join(root, 'tools/closing-line-playwright.mjs')}`,
    ...more,
  ]);

describe('vitest', () => {
  test('passed, failed and skipped are counted, and each skip says why', () => {
    const { counts, notes, stdout } = vitest('mixed');
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 3 });
    expect(notes).toEqual([expect.stringMatching(/^FAILED: .*mixed.* > fails: expected 1 to be 2/)]);
    expect(stdout).toMatch(/SKIPPED: .*is skipped with a reason: no such device/);
  });

  test('a file that cannot be loaded is a failure', () => {
    const { counts, notes } = vitest('broken');
    expect(counts).toMatchObject({ passed: 0, failed: 1 });
    expect(notes).toEqual([expect.stringMatching(/^FAILED: .*broken.*: this file cannot be loaded$/)]);
  });

  test('one that passed only when it was tried again is named', () => {
    const { counts, notes } = vitest('flaky', '--retry=1');
    expect(counts).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(notes).toEqual([expect.stringMatching(/^FLAKY: .*passes when it is tried again: expected 1 to be 2/)]);
  });

  test('no test at all is a failure', () => {
    expect(vitest('nothing-of-this-name').counts.failed).toBe(1);
  });
});

describe('playwright', () => {
  test('one that passed only when it was tried again is named', () => {
    const { counts, notes } = playwright('flaky', '--retries=1');
    expect(counts).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(notes).toEqual([expect.stringMatching(/^FLAKY: .* > passes when it is tried again: .*toBe/)]);
  });

  test('passed, failed and skipped are counted, and each skip says why', () => {
    const { counts, notes, stdout } = playwright('mixed');
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
    expect(notes).toEqual([expect.stringMatching(/^FAILED: .* > fails: .*toBe/)]);
    expect(stdout).toMatch(/SKIPPED: .*is skipped with a reason: no such device/);
  });

  test('a file that cannot be loaded is a failure', () => {
    const config = join(fixtures, 'playwright.fixture.config.ts');
    const { status } = spawnSync(process.execPath, ['--check', config]);
    expect(status).toBe(0);
    const broken = join(folder, 'config.ts');
    writeFileSync(
      broken,
      `import base from ${JSON.stringify(config)};\nexport default { ...base, testDir: ${JSON.stringify(fixtures)}, testMatch: 'broken.playwright.ts' };\n`,
    );
    const { counts } = run('playwright', [
      join(root, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--config',
      broken,
      `--reporter=${join(root, 'tools/closing-line-playwright.mjs')}`,
    ]);
    expect(counts).toMatchObject({ passed: 0, failed: expect.any(Number) });
    expect(counts.failed).toBeGreaterThan(0);
  });
});

describe('the sum', () => {
  test('a stage that ended badly without counts, or with none failed, is one failure', () => {
    expect(readCounts(folder, 'vitest', 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    writeFileSync(join(folder, 'vitest.json'), '{"passed":3,"failed":0,"skipped":1}');
    expect(readCounts(folder, 'vitest', 1)).toEqual({ passed: 3, failed: 1, skipped: 1 });
    expect(readCounts(folder, 'vitest', 0)).toEqual({ passed: 3, failed: 0, skipped: 1 });
  });

  test('is one line, and good only when nothing failed and something ran', () => {
    const total = sum([
      { passed: 1, failed: 0, skipped: 2 },
      { passed: 3, failed: 0, skipped: 0 },
    ]);
    expect(closingLine(total)).toBe('4 passed, 0 failed, 2 skipped');
    expect(exitCodeOf(total)).toBe(0);
    expect(exitCodeOf({ ...total, failed: 1 })).toBe(1);
    expect(exitCodeOf({ passed: 0, failed: 0, skipped: 5 })).toBe(1);
  });
});
