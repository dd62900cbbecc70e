/**
 * Runs tests for Stryker in one process, without a start of vitest for each mutant. Only for rooms whose tests share
 * nothing between files and mock no module. Modules are loaded anew for each mutant.
 */
import { globSync } from 'node:fs';
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
import { collect, fileOf, type Test } from './suite.ts';

/** Instrumented code reads here which mutant is active, and writes what was covered. */
const space: InstrumenterContext = {};
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: space });

export class InProcessRunner implements TestRunner {
  readonly #files = globSync((process.env.HOOKBENCH_MUTANT_TESTS ?? '').split('\n')).sort();
  /** Milliseconds that each test took without a mutant. The quickest tests go first, because one failure is enough. */
  readonly #took = new Map<string, number>();
  readonly #importFresh = freshModules(process.cwd());
  #loads = 0;

  capabilities() {
    return { reloadEnvironment: true };
  }

  /** Runs the tests twice: in their order, then as with mutants, the quickest first. */
  async dryRun(): Promise<DryRunResult> {
    const tests = await resultsOf(await this.#load(this.#files), false);
    for (const { id, timeSpentMs } of tests) this.#took.set(id, timeSpentMs);
    const again = await resultsOf(this.#quickestFirst(await this.#load(this.#files)), false);
    const failed = again.filter(({ status }) => status === TestStatus.Failed);
    const byId = new Map([...tests, ...failed].map((result) => [result.id, result]));
    return { status: DryRunStatus.Complete, tests: [...byId.values()], mutantCoverage: space.mutantCoverage };
  }

  async mutantRun({ activeMutant, hitLimit, testFilter }: MutantRunOptions): Promise<MutantRunResult> {
    Object.assign(space, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    try {
      const tests = await this.#untilOneFails(testFilter);
      const hung = determineHitLimitReached(space.hitCount, hitLimit);
      return toMutantRunResult(hung ?? { status: DryRunStatus.Complete, tests });
    } catch (error) {
      // A mutant with which the tests cannot even be loaded.
      return toMutantRunResult({ status: DryRunStatus.Error, errorMessage: String(error) });
    }
  }

  /** Without a filter, all of them: the mutant is active while modules are loaded. */
  async #untilOneFails(filter: readonly string[] | undefined): Promise<TestResult[]> {
    const wanted = new Set(filter);
    const files = new Set(filter?.map(fileOf) ?? this.#files);
    const tests = (await this.#load(files)).filter(({ id }) => filter === undefined || wanted.has(id));
    return resultsOf(this.#quickestFirst(tests), true);
  }

  #quickestFirst(tests: readonly Test[]): Test[] {
    return tests.toSorted((a, b) => this.#timeOf(a) - this.#timeOf(b));
  }

  #timeOf({ id }: Test): number {
    return this.#took.get(id) ?? 0;
  }

  async #load(files: Iterable<string>): Promise<Test[]> {
    this.#loads += 1;
    const tests: Test[] = [];
    for (const file of files) tests.push(...(await collect(file, () => this.#importFresh(resolve(file), this.#loads))));
    return tests;
  }
}

async function resultsOf(tests: readonly Test[], untilOneFails: boolean): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const test of tests) {
    const result = await resultOf(test);
    results.push(result);
    if (untilOneFails && result.status === TestStatus.Failed) break;
  }
  return results;
}

async function resultOf({ id, name, run }: Test): Promise<TestResult> {
  const start = performance.now();
  space.currentTestId = id;
  try {
    await run();
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
