import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { userDataOf } from '../../../src/main/user-data.ts';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookbench-data-')));
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const of = (workspace: string) => userDataOf('/app', workspace, join(folder, 'default'));

test('the default workspace has the data of the app, by whatever way it is named', () => {
  expect([of(join(folder, 'default')), of(join(folder, 'real/../default'))]).toEqual(['/app', '/app']);
});

test('every other workspace has its own, and so its own lock for a single instance', () => {
  const [a, b] = [of('/a'), of('/b')];
  expect(a).toMatch(/^\/app\/profiles\/[0-9a-f]{24}$/);
  expect(a).not.toBe(b);
  expect(of('/a')).toBe(a);
});

test('a link to a workspace is that workspace, also before it is there', () => {
  expect(of(join(folder, 'link'))).toBe(of(join(folder, 'real')));
  expect(of(join(folder, 'link/new/w'))).toBe(of(join(folder, 'real/new/w')));
});

test('a workspace on a drive that is not there is taken as it is written', () => {
  const native = vi.spyOn(realpathSync, 'native').mockImplementation(() => {
    throw new Error('ENOENT');
  });
  const [one, again, other] = ['/gone/w', '/gone/w', '/gone/v'].map(of);
  expect([one === again, one === other]).toEqual([true, false]);
  native.mockRestore();
});
