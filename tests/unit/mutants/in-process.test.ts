/** The runner of rooms in memory, as Stryker uses it, on a small project whose mutants are switched by hand. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestResult } from '@stryker-mutator/api/test-runner';
import { expect, onTestFinished, test } from 'vitest';

const CODE = `
export const isActive = (id: string): boolean => (globalThis as any).__stryker__.activeMutant === id;
const one = isActive('at load') ? 2 : 1;
if (isActive('breaks the load')) throw new Error('no module');
let calls = 0;
export const countCalls = (): number => (calls += isActive('leaves state') ? 5 : one);
export const unseen = (): number => (isActive('unseen') ? 2 : 1);
`;
const TESTS = `
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { countCalls, isActive, unseen } from './code.ts';
describe('hooks', () => {
  beforeEach(() => console.log('before'));
  afterEach(() => console.log('after'));
  it('go around a test', () => {
    onTestFinished(() => console.log('finished'));
    console.log('test');
  });
});
it('calls are counted from the load on', () => {
  const before = countCalls();
  expect(countCalls()).toBe(before + 1);
});
it.each([[1, 1], [2, 2]])('%i is itself', async (a, b) => expect(a).toBe(b));
it.each([[1], undefined])('among others a list is one value', (...values) => expect(values).toHaveLength(1));
it('sees the rest', () => void unseen());
it('ends', async () => {
  if (isActive('7')) await new Promise(() => {});
  while (isActive('8'));
});
it('goes on in later turns', () => new Promise<void>((done) => setImmediate(() => {
  if (isActive('9')) throw new Error('Nobody catches this.');
  if (isActive('10')) void Promise.reject(new Error('Nor this.'));
  else done();
})));
`;

interface Results {
  readonly dry: ReadonlyArray<readonly [name: string, status: number]>;
  readonly mutants: Readonly<Record<string, string>>;
  readonly oneTest: number;
  readonly printed: readonly string[];
}

function project(code: string, tests: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-mutants-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'code.ts'), code);
  writeFileSync(join(folder, 'code.test.ts'), tests);
  return folder;
}

/** A process with a runner. Fails when the process does. */
function inRunner(folder: string, script: string): string[] {
  const of = (name: string): string =>
    JSON.stringify(pathToFileURL(resolve('tests/mutants/in-process', `${name}.ts`)).href);
  const program = `
    import { InProcessRunner } from ${of('runner')};
    import { PATIENCE } from ${of('guard')};
    Object.assign(PATIENCE, { turnMs: 1, processorMs: 300 });
    const runner = new InProcessRunner();
    const statusOf = async (id) => (await runner.mutantRun({ activeMutant: { id } })).status;
    ${script}
  `;
  const env = { ...process.env, HOOKBENCH_MUTANT_TESTS: '*.test.ts' };
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    env,
    timeout: 60_000,
  });
  return String(text).trim().split('\n');
}

function run(code: string, tests: string): Results {
  const lines = inRunner(
    project(code, tests),
    `
    const dry = (await runner.dryRun()).tests.map(({ name, status }) => [name, status]);
    const mutants = {};
    for (const id of ['at load', 'leaves state', 'breaks the load', 'unseen', '7', '9', '10']) mutants[id] = await statusOf(id);
    const only = await runner.mutantRun({ activeMutant: { id: 'unseen' }, testFilter: ['code.test.ts#6'] });
    console.log(JSON.stringify({ dry, mutants, oneTest: only.nrOfTests }));
  `,
  );
  return { ...(JSON.parse(lines.at(-1)!) as Results), printed: lines.slice(0, -1) };
}

test('every test runs, each mutant has modules of its own, and a failure kills it', () => {
  const { dry, mutants, oneTest, printed } = run(CODE, TESTS);
  expect(dry).toEqual([
    ['hooks > go around a test', 0],
    ['calls are counted from the load on', 0],
    ['%i is itself', 0],
    ['%i is itself', 0],
    ['among others a list is one value', 0],
    ['among others a list is one value', 0],
    ['sees the rest', 0],
    ['ends', 0],
    ['goes on in later turns', 0],
  ]);
  expect(mutants).toEqual({
    'at load': 'killed',
    'leaves state': 'killed',
    'breaks the load': 'killed',
    unseen: 'survived',
    7: 'killed',
    9: 'killed',
    10: 'killed',
  });
  expect(oneTest).toBe(1);
  expect(printed.slice(0, 4)).toEqual(['before', 'test', 'after', 'finished']);
});

test('a test that fails without a mutant is told as failed', () => {
  expect(run(CODE, TESTS.replace('[2, 2]', '[2, 3]')).dry.map(([, status]) => status)).toEqual([
    0, 0, 0, 1, 0, 0, 0, 0, 0,
  ]);
});

test('a test that depends on a slower one before it is told as failed', () => {
  // It moves the clock on by an hour, because a busy machine can rest for any time in the other.
  const slow = `const { now } = performance; let ready = false; it('slow', () => {
    performance.now = () => now.call(performance) + 3_600_000;
    ready = true;
  });`;
  const tests = `${TESTS}${slow} it('quick', () => expect(ready).toBe(true));`;
  const printed = inRunner(project(CODE, tests), 'console.log(JSON.stringify((await runner.dryRun()).tests));');
  const dry = JSON.parse(printed.at(-1)!) as TestResult[];
  expect(dry.filter(({ status }) => status !== 0).map(({ name, status }) => [name, status])).toEqual([['quick', 1]]);
});

test('a mutant that loops ends the process, and the next one knows that it hangs', () => {
  const folder = project(CODE, TESTS);
  inRunner(folder, 'await runner.dryRun();');
  expect(() => inRunner(folder, "await statusOf('8');")).toThrow(expect.objectContaining({ signal: 'SIGKILL' }));
  expect(inRunner(folder, "console.log(await statusOf('8'), await statusOf('7'));").at(-1)).toBe('timeout killed');
});

test('a runner that was made before another process ran the tests knows them too', () => {
  const folder = project(CODE, TESTS);
  inRunner(folder, 'await runner.dryRun();');
  renameSync(join(folder, 'test-times.json'), join(folder, 'later.json'));
  const printed = inRunner(
    folder,
    `
    const { renameSync } = await import('node:fs');
    renameSync('later.json', 'test-times.json');
    const { status, nrOfTests } = await runner.mutantRun({ activeMutant: { id: 'unseen' } });
    console.log(status, nrOfTests, await statusOf('at load'));
  `,
  );
  expect(printed.at(-1)).toBe('survived 9 killed');
});
