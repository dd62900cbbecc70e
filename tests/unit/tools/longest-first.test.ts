import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import LongestFirst, { LONGEST } from '../../../tools/longest-first.mjs';

const root = resolve(import.meta.dirname, '../../..');

test('every file of the list is there, once', () => {
  expect(LONGEST.filter((name) => !existsSync(resolve(root, name)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});

test('files of a project follow each other, its longest first, and no file is lost', async () => {
  const projectOf = (isolate: boolean) => ({ config: { isolate, sequence: { groupOrder: 0 } } });
  const projects = [projectOf(true), projectOf(false)];
  const file = (name: string, place: number) =>
    ({ moduleId: resolve(root, name), project: projects[place] }) as unknown as TestSpecification;
  const [first, second] = LONGEST;
  const files = [
    file('tests/unit/model/json.test.ts', 1),
    file(second!, 1),
    file('tests/unit/main/quit.test.ts', 0),
    file(first!, 1),
  ];
  const vitest = { projects, cache: { getTestSpecificationResult: () => undefined } } as unknown as Vitest;
  expect(await new LongestFirst(vitest).sort(files)).toEqual([2, 3, 1, 0].map((n) => files[n]));
});
