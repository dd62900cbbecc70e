import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { interfaceToken, TOKEN_FILE } from '../../../src/headless/kept-token.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const DAY_MS = 86_400_000;

test('a workspace keeps its token for a day, readable by this user alone', () => {
  const folder = tempWorkspace();
  const token = interfaceToken(folder, 1_000);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(statSync(join(folder, TOKEN_FILE)).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual([TOKEN_FILE]);
  expect(interfaceToken(folder, 1_000 + DAY_MS - 1)).toBe(token);
  const next = interfaceToken(folder, 1_000 + DAY_MS);
  expect(next).not.toBe(token);
  expect(interfaceToken(folder, 1_000 + 2 * DAY_MS - 1)).toBe(next);
});

test('another workspace has another', () => {
  expect(interfaceToken(tempWorkspace())).not.toBe(interfaceToken(tempWorkspace()));
});

const path = (folder: string): string => join(folder, TOKEN_FILE);
test.each<[string, (folder: string) => void]>([
  ['that others can read', (folder) => chmodSync(path(folder), 0o644)],
  [
    'that is a link',
    (folder) => {
      writeFileSync(join(folder, 'elsewhere'), readFileSync(path(folder)), { mode: 0o600 });
      rmSync(path(folder));
      symlinkSync(join(folder, 'elsewhere'), path(folder));
    },
  ],
  ['that is no JSON', (folder) => writeFileSync(path(folder), 'x')],
  ['that is short', (folder) => writeFileSync(path(folder), JSON.stringify({ token: 'abc', madeAt: 1 }))],
  ['of no known age', (folder) => writeFileSync(path(folder), JSON.stringify({ token: 'A'.repeat(43) }))],
  [
    'from the future',
    (folder) => writeFileSync(path(folder), JSON.stringify({ token: 'A'.repeat(43), madeAt: 3_000 })),
  ],
])('one %s is replaced, with mode 0600', (_title, spoil) => {
  const folder = tempWorkspace();
  const token = interfaceToken(folder, 1_000);
  spoil(folder);
  const next = interfaceToken(folder, 2_000);
  expect(next).toMatch(/^[\w-]{43}$/);
  expect([token, 'A'.repeat(43)]).not.toContain(next);
  expect(statSync(path(folder)).mode & 0o777).toBe(0o600);
  expect(interfaceToken(folder, 2_001)).toBe(next);
});

test('where it cannot be kept there is one for this start', () => {
  const folder = tempWorkspace();
  mkdirSync(path(folder));
  expect(interfaceToken(folder)).toMatch(/^[\w-]{43}$/);
  expect(interfaceToken(join(folder, 'absent'))).toMatch(/^[\w-]{43}$/);
  expect(readdirSync(folder)).toEqual([TOKEN_FILE]);
});
