import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  FIRST_SIZE,
  LEAST_SIZE,
  readWindowState,
  usableState,
  writeWindowState,
} from '../../../src/main/window-state.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1040 };
const left = { x: -1920, y: 0, width: 1920, height: 1040 };
const bounds = { x: 100, y: 50, width: 1200, height: 800 };
const fresh = { bounds: null, maximised: false, theme: 'system' };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookbench-window-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what was written is read again, and only this user may read it', () => {
  const file = join(folder, 'new/window.json');
  const state = { bounds, maximised: true, theme: 'dark' } as const;
  writeWindowState(file, state);
  expect(readWindowState(file, [screen])).toEqual(state);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('each state takes the place of the one before, in folders that only this user may enter', () => {
  const file = join(folder, 'new/deep/window.json');
  for (const theme of ['light', 'dark', 'system'] as const) {
    const state = { bounds: null, maximised: false, theme };
    writeWindowState(file, state);
    expect(readWindowState(file, [screen])).toEqual(state);
  }
  expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
});

test("the sizes are the design's", () => {
  expect([FIRST_SIZE, LEAST_SIZE]).toEqual([
    { width: 1440, height: 900 },
    { width: 880, height: 600 },
  ]);
});

test('a missing or damaged file gives the first start', () => {
  const file = join(folder, 'window.json');
  expect(readWindowState(file, [screen])).toEqual(fresh);
  writeFileSync(file, '{"bounds":');
  expect(readWindowState(file, [screen])).toEqual(fresh);
});

test('a place that cannot be written is no error', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() =>
    writeWindowState(join(folder, 'file/window.json'), { bounds, maximised: false, theme: 'light' }),
  ).not.toThrow();
});

describe('a place that no screen shows any more is forgotten', () => {
  test.each<[string, Record<string, unknown>]>([
    ['of a removed screen', { ...bounds, x: -1800 }],
    ['right of every screen', { ...bounds, x: 1900 }],
    ['below every screen', { ...bounds, y: 1030 }],
    ['with its title above the screen', { ...bounds, y: -10 }],
    ['with a fraction', { ...bounds, x: 0.5 }],
    ['with a text', { ...bounds, width: '1200' }],
    ['without a height', { x: 1, y: 1, width: 900 }],
    ['with infinity', { ...bounds, x: Number.POSITIVE_INFINITY }],
  ])('%s', (_title, given) => {
    expect(usableState({ bounds: given }, [screen]).bounds).toBeNull();
  });

  test.each<[string, Partial<typeof bounds>, boolean]>([
    ['120 pixels at the left edge', { x: 120 - 1200 }, true],
    ['119 pixels at the left edge', { x: 119 - 1200 }, false],
    ['120 pixels at the right edge', { x: 1920 - 120 }, true],
    ['119 pixels at the right edge', { x: 1920 - 119 }, false],
    ['its title at the very top', { y: 0 }, true],
    ['its title one pixel above', { y: -1 }, false],
    ['60 pixels at the lower edge', { y: 1040 - 60 }, true],
    ['59 pixels at the lower edge', { y: 1040 - 59 }, false],
  ])('%s: enough to be found and moved, or not', (_title, given, isKept) => {
    const placed = { ...bounds, ...given };
    for (const [dx, dy] of [
      [0, 0],
      [3000, 200],
      [-5000, -300],
    ] as const) {
      const moved = { ...placed, x: placed.x + dx, y: placed.y + dy };
      const area = { ...screen, x: dx, y: dy };
      expect(usableState({ bounds: moved }, [area]).bounds).toEqual(isKept ? moved : null);
    }
  });

  test('but one on a second screen is kept', () => {
    expect(usableState({ bounds: { ...bounds, x: -1800 } }, [screen, left]).bounds?.x).toBe(-1800);
  });

  test('and a small one grows to the least size', () => {
    expect(usableState({ bounds: { ...bounds, width: 200, height: 100 } }, [screen]).bounds).toMatchObject({
      width: 880,
      height: 600,
    });
  });
});

test.each([undefined, null, 1, 'x', [], { bounds: null }, { theme: 'pink', maximised: 'yes' }])(
  '%j is no state',
  (value) => {
    expect(usableState(value, [screen])).toEqual(fresh);
  },
);
