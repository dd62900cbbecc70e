/**
 * Runs tests for Stryker in one process, without a start of vitest for each mutant. Only for rooms whose tests share
 * nothing between files and mock no module. Modules are loaded anew for each mutant, each test file when its first test
 * is due. `guard.ts` notices those that hang.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from '@stryker-mutator/api/core';
import { PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { freshModules } from './fresh-modules.ts';
import { Guard } from './guard.ts';
import { collect, fileOf, type Test } from './suite.ts';

/** Instrumented code reads here which mutant is active, and writes what was covered. */
const space: InstrumenterContext = {};
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: space });

/** In the sandbox: the milliseconds of each test, for a process that is started in the place of an ended one. */
const TIMES = 'test-times.json';
type RunTest = (id: string) => Promise<TestResult>;

export class InProcessRunner implements TestRunner {
  readonly #files = globSync((process.env.HOOKBENCH_MUTANT_TESTS ?? '').split('\n')).sort();
  readonly #importFresh = freshModules(process.cwd());
  /**
   * Milliseconds that each test took without a mutant, in this process or the one that ran them. The quickest tests go
   * first, because one failure is enough.
   */
  #took = new Map<string, number>();
  /** Tests that killed a mutant, the latest at the end. They go before all others: neighbours die by the same test. */
  readonly #killers = new Set<string>();
  readonly #guard = new Guard();
  #loads = 0;

  capabilities() {
    return { reloadEnvironment: true };
  }

  /** Runs the tests twice: in their order, then as with mutants, the quickest first. */
  async dryRun(): Promise<DryRunResult> {
    const all = await this.#loadAll();
    const tests = await this.#run(all.keys(), false, async (id) => resultOf(all.get(id)!));
    this.#took = new Map(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
    writeFileSync(TIMES, JSON.stringify([...this.#took]));
    const again = await this.#run(this.#bestFirst(this.#took.keys()), false, this.#fresh());
    const failed = again.filter(({ status }) => status === TestStatus.Failed);
    const byId = new Map([...tests, ...failed].map((result) => [result.id, result]));
    return { status: DryRunStatus.Complete, tests: [...byId.values()], mutantCoverage: space.mutantCoverage };
  }

  /** Without a filter, all tests run: the mutant is active while modules are loaded. */
  async mutantRun({ activeMutant, hitLimit, testFilter }: MutantRunOptions): Promise<MutantRunResult> {
    const { id } = activeMutant;
    if (this.#guard.isKnownToHang(id)) return toMutantRunResult({ status: DryRunStatus.Timeout, reason: 'It loops.' });
    if (this.#took.size === 0) this.#took = readTimes();
    Object.assign(space, { activeMutant: id, hitCount: 0, hitLimit });
    const tests = await this.#run(this.#bestFirst(testFilter ?? this.#took.keys()), true, this.#guarded(id));
    const hung = determineHitLimitReached(space.hitCount, hitLimit);
    return toMutantRunResult(hung ?? { status: DryRunStatus.Complete, tests });
  }

  #bestFirst(ids: Iterable<string>): string[] {
    const wanted = new Set(ids);
    const killers = [...this.#killers].filter((id) => wanted.has(id)).reverse();
    const timeOf = (id: string): number => this.#took.get(id) ?? 0;
    return [...new Set([...killers, ...[...wanted].sort((a, b) => timeOf(a) - timeOf(b))])];
  }

  async #run(ids: Iterable<string>, untilOneFails: boolean, run: RunTest): Promise<TestResult[]> {
    const results: TestResult[] = [];
    for (const id of ids) {
      const result = await run(id);
      results.push(result);
      if (!untilOneFails || result.status !== TestStatus.Failed) continue;
      this.#killers.delete(id);
      this.#killers.add(id);
      break;
    }
    return results;
  }

  /** A test also fails when its file cannot be loaded. */
  #guarded(mutant: string): RunTest {
    const run = this.#fresh();
    return async (id) => {
      const failed = (why: string): TestResult => ({ ...unseen(id), status: TestStatus.Failed, failureMessage: why });
      const job = (): Promise<TestResult> => run(id).catch((error) => failed(String(error)));
      const result = await this.#guard.watch(mutant, this.#took.get(id) ?? 0, job);
      return result ?? failed('The test waits for something that never comes.');
    };
  }

  /** Runs tests of modules that nothing ran before; each file is loaded when its first test is due. */
  #fresh(): RunTest {
    this.#loads += 1;
    const load = this.#loads;
    const loaded = new Map<string, Map<string, Test>>();
    return async (id) => {
      const file = fileOf(id);
      const tests = loaded.get(file) ?? (await this.#load(file, load));
      loaded.set(file, tests);
      const test = tests.get(id);
      return test === undefined ? { ...unseen(id), status: TestStatus.Skipped } : resultOf(test);
    };
  }

  async #loadAll(): Promise<Map<string, Test>> {
    this.#loads += 1;
    const tests = new Map<string, Test>();
    for (const file of this.#files) for (const [id, test] of await this.#load(file, this.#loads)) tests.set(id, test);
    return tests;
  }

  async #load(file: string, load: number): Promise<Map<string, Test>> {
    const tests = await collect(file, () => this.#importFresh(resolve(file), load));
    return new Map(tests.map((test) => [test.id, test]));
  }
}

const readTimes = (): Map<string, number> =>
  new Map<string, number>(existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : []);

const unseen = (id: string) => ({ id, name: id, timeSpentMs: 0 });

/** An error that nobody catches would end the process. It fails the test that runs; after its end it does nothing. */
let failRunning: (error: unknown) => void = () => {};
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) => failRunning(error));
const uncaught = (): Promise<never> =>
  new Promise((_resolve, reject) => {
    failRunning = reject;
  });

async function resultOf({ id, name, run }: Test): Promise<TestResult> {
  const start = performance.now();
  space.currentTestId = id;
  try {
    await Promise.race([uncaught(), run()]);
    return { id, name, status: TestStatus.Success, timeSpentMs: performance.now() - start };
  } catch (error) {
    const failureMessage = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, name, status: TestStatus.Failed, timeSpentMs: performance.now() - start, failureMessage };
  } finally {
    space.currentTestId = undefined;
  }
}

export const strykerPlugins = [
  { kind: PluginKind.TestRunner, name: 'in-process', injectableClass: InProcessRunner } as const,
];
