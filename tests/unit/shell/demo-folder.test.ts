import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { demoFolder, emptyDemoFolder, openDemoFolder } from '../../../src/shell/demo-folder.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hb-demo-folder-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = () => join(root, 'demo-shop');
const seedIn = () => JSON.parse(readFileSync(join(folder(), 'demo.json'), 'utf8')) as { seed: number };

test('the folder is the given one, that of the environment, or one beside the default workspace', () => {
  expect(demoFolder('x', { HOOKBENCH_DEMO_WORKSPACE: '/y' }, '/w')).toBe('/w/x');
  expect(demoFolder(undefined, { HOOKBENCH_DEMO_WORKSPACE: 'y' }, '/w')).toBe('/w/y');
  expect(demoFolder(undefined, {}, '/w')).toMatch(/\.hookbench.demo-shop$/);
});

describe('opening the folder of a demo', () => {
  test('makes a new one with the seed, or with 42', () => {
    expect(openDemoFolder(folder(), { seed: undefined })).toEqual({ seed: 42 });
    rmSync(folder(), { recursive: true });
    expect(openDemoFolder(folder(), { seed: 7 })).toEqual({ seed: 7 });
    expect(seedIn()).toEqual({ seed: 7 });
  });

  test('goes on with the seed that it has, and refuses another one', () => {
    openDemoFolder(folder(), { seed: 7 });
    expect(openDemoFolder(folder(), { seed: undefined })).toEqual({ seed: 7 });
    expect(openDemoFolder(folder(), { seed: 7 })).toEqual({ seed: 7 });
    expect(() => openDemoFolder(folder(), { seed: 8 })).toThrow(/seed 7. Add --reset to begin again with 8/);
  });

  test.each([false, true])('leaves a folder alone that is no demo, with reset: %s', (reset) => {
    mkdirSync(folder());
    writeFileSync(join(folder(), 'store.sqlite'), 'precious');
    expect(() => openDemoFolder(folder(), { seed: 7, reset })).toThrow(/is no demo/);
    emptyDemoFolder(folder(), 7);
    expect(readdirSync(folder())).toEqual(['store.sqlite']);
  });

  test('a reset removes everything but the token of open pages and the key', () => {
    openDemoFolder(folder(), { seed: 7 });
    for (const name of ['store.sqlite', 'store.sqlite-wal', 'interface-token', 'key'])
      writeFileSync(join(folder(), name), name);
    mkdirSync(join(folder(), 'deeper'));
    expect(openDemoFolder(folder(), { seed: undefined, reset: true })).toEqual({ seed: 7 });
    expect(readdirSync(folder()).sort()).toEqual(['demo.json', 'interface-token', 'key']);
    expect(openDemoFolder(folder(), { seed: 9, reset: true })).toEqual({ seed: 9 });
    expect(seedIn()).toEqual({ seed: 9 });
    expect(existsSync(root)).toBe(true);
  });
});
