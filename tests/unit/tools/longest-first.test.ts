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

test('long files come first, whatever their project, those of shared workers last, and no file is lost', async () => {
  const file = (name: string, project: string, isolate = true) =>
    ({
      moduleId: resolve(root, name),
      project: { name: project, config: { isolate, sequence: { groupOrder: 0 } } },
    }) as unknown as TestSpecification;
  const [first, second] = LONGEST;
  const files = [
    file('tests/unit/model/json.test.ts', 'rooms', false),
    file('tests/ui/base/format.test.ts', 'ui'),
    file(second!, 'core'),
    file(first!, 'ui'),
  ];
  const vitest = { cache: { getTestSpecificationResult: () => undefined } } as unknown as Vitest;
  expect(await new LongestFirst(vitest).sort(files)).toEqual([files[3], files[2], files[1], files[0]]);
});
