/** The list of workspaces that were opened before. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KnownWorkspaces, knownPlace } from '../../../src/shell/known-workspaces.ts';

let own = '';
let now = 0;
let known: KnownWorkspaces;
beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'hb-known-'));
  now = 0;
  known = new KnownWorkspaces(join(own, 'known'), () => (now += 1));
});
afterEach(() => rmSync(own, { recursive: true, force: true }));

const folder = (name: string): string => {
  mkdirSync(join(own, name), { recursive: true });
  return join(own, name);
};
const names = (from: KnownWorkspaces = known) => from.others(join(own, 'none')).map(({ name }) => name);

test('the newest comes first, each once, and the open one is left out by any name of its folder', () => {
  const [a, b] = [folder('a'), folder('b')];
  for (const one of [a, b, a]) known.remember(one);
  expect(names()).toEqual(['a', 'b']);
  expect(known.others(a).map((one) => one.folder)).toEqual([b]);
  symlinkSync(a, join(own, 'link'));
  expect(known.others(join(own, 'link')).map((one) => one.folder)).toEqual([b]);
});

test('a folder that is gone is kept and said to be gone; a demo is marked', () => {
  const [gone, demo] = [folder('gone'), folder('shop')];
  writeFileSync(join(demo, 'demo.json'), '{"seed":42}');
  known.remember(gone);
  known.remember(demo);
  rmSync(gone, { recursive: true });
  expect(known.others(own)).toEqual([
    { folder: demo, name: 'shop', openedAt: 2, isDemo: true, isThere: true },
    { folder: gone, name: 'gone', openedAt: 1, isDemo: false, isThere: false },
  ]);
});

test.each(['', '{', 'null', '[]', '{"folder":5,"openedAt":1}', '{"folder":"/x"}', '{"folder":"","openedAt":1}'])(
  'a damaged entry %j costs no other one',
  (text) => {
    known.remember(folder('a'));
    writeFileSync(join(own, 'known', `${'0'.repeat(24)}.json`), text);
    writeFileSync(join(own, 'known', 'notes.txt'), 'of somebody else');
    expect(names()).toEqual(['a']);
    known.remember(folder('b'));
    expect(names()).toEqual(['b', 'a']);
  },
);

test('only the newest 20 are kept', () => {
  for (let n = 1; n <= 23; n += 1) known.remember(folder(`w${n}`));
  expect(names()).toHaveLength(20);
  expect([names()[0], names()[19]]).toEqual(['w23', 'w4']);
  expect(readdirSync(join(own, 'known'))).toHaveLength(20);
});

test('two processes that write at the same time lose no entry and leave no draft', async () => {
  const module = join(import.meta.dirname, '../../../src/shell/known-workspaces.ts');
  const program = `
    const { KnownWorkspaces } = await import(${JSON.stringify(module)});
    const known = new KnownWorkspaces(process.argv[1]);
    for (let n = 0; n < 60; n++) for (const name of ['shared', process.argv[2]]) known.remember(process.argv[3] + name);`;
  const runs = ['one', 'two'].map((name) =>
    spawn(process.execPath, ['--input-type=module', '-e', program, join(own, 'known'), name, `${own}/`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const codes = await Promise.all(runs.map(async (run) => (await once(run, 'exit'))[0]));
  expect(codes).toEqual([0, 0]);
  expect([...names()].sort()).toEqual(['one', 'shared', 'two']);
  expect(readdirSync(join(own, 'known')).filter((file) => !/^[0-9a-f]{24}\.json$/.test(file))).toEqual([]);
});

test('a place that cannot be written fails nothing, and an empty one keeps nothing', () => {
  writeFileSync(join(own, 'file'), '');
  const nowhere = new KnownWorkspaces(join(own, 'file', 'known'));
  nowhere.remember(folder('a'));
  expect(names(nowhere)).toEqual([]);
  expect(knownPlace({ HOOKBENCH_KNOWN: '' }, own)).toBeNull();
  expect(knownPlace({ HOOKBENCH_KNOWN: '/k' }, own)).toBe('/k');
  expect(knownPlace({}, own)).toBe(join(own, '.hookbench', '.known'));
  const none = new KnownWorkspaces(null);
  none.remember(folder('a'));
  expect(names(none)).toEqual([]);
});
