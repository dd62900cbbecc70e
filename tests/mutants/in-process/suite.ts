/**
 * The part of vitest that the tests of rooms in memory use, for `runner.ts`: the same `expect`, and suites that are
 * collected and run here. Names of `each` are not formatted, since nobody reads them.
 */
// The exports below replace their namesakes.
export * from 'vitest';

type Step = () => unknown;

interface Hooks {
  readonly before: Step[];
  readonly after: Step[];
}

export interface Test {
  readonly id: string;
  readonly name: string;
  run(): Promise<void>;
}

let tests: Test[] = [];
let file = '';
let path: readonly string[] = [];
let hooks: readonly Hooks[] = [];
let finishing: Step[] = [];

/** The tests that `load` defines. */
export async function collect(fileName: string, load: () => Promise<void>): Promise<readonly Test[]> {
  tests = [];
  file = fileName;
  path = [];
  hooks = [{ before: [], after: [] }];
  await load();
  return tests;
}

/** The file of the test with this id. */
export const fileOf = (id: string): string => id.slice(0, id.lastIndexOf('#'));

function define(name: string, body: Step): void {
  const around = hooks;
  const run = async (): Promise<void> => {
    finishing = [];
    try {
      for (const { before } of around) for (const step of before) await step();
      await body();
    } finally {
      for (const { after } of around.toReversed()) for (const step of after) await step();
      for (const step of finishing.toReversed()) await step();
    }
  };
  tests.push({ id: `${file}#${tests.length}`, name: [...path, name].join(' > '), run });
}

function suite(name: string, body: () => void): void {
  const outside = { path, hooks };
  path = [...path, name];
  hooks = [...hooks, { before: [], after: [] }];
  body();
  ({ path, hooks } = outside);
}

const eachOf =
  (add: (name: string, body: Step) => void) =>
  (rows: readonly unknown[]) =>
  (name: string, body: (...values: unknown[]) => unknown): void => {
    const areLists = rows.every((row) => Array.isArray(row));
    for (const row of rows) add(name, () => (areLists ? body(...(row as unknown[])) : body(row)));
  };

export const test = Object.assign(define, { each: eachOf(define) });
export const it = test;
export const describe = Object.assign(suite, {
  each: eachOf(suite),
  skipIf: (skipped: boolean) => (skipped ? () => {} : suite),
});
export const beforeEach = (step: Step): void => void hooks.at(-1)?.before.push(step);
export const afterEach = (step: Step): void => void hooks.at(-1)?.after.push(step);
export const onTestFinished = (step: Step): void => void finishing.push(step);
