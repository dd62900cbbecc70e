import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SHARED } from './tests/helpers/shared-process.ts';
import LongestFirst from './tools/longest-first.mjs';
import { setTestFolders } from './tools/test-folders.mjs';

setTestFolders();

/** One more try on a shared machine; a test that needed it is named FLAKY at the end of `npm test`, and is a defect. */
const retry = process.env.CI ? 1 : 0;

/** No start of a test is kept among the workspaces of the person who runs it. */
const env = { HOOKBENCH_KNOWN: '' };

/** For what hangs, not a measure: many tests start processes, and a machine may be busy with ten times the work. */
const limits = { testTimeout: 240_000, hookTimeout: 240_000 };

export default defineConfig({
  test: {
    // Two more than there are cores, because many of these tests wait for sockets, processes and threads.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'rooms',
          env,
          environment: 'node',
          include: SHARED,
          // A worker reads each module once, and not once a file. shared-process.test.ts keeps these files fit for that.
          isolate: false,
          restoreMocks: true,
          retry,
          ...limits,
        },
      },
      {
        test: {
          name: 'core',
          env,
          environment: 'node',
          include: ['tests/{unit,store,integration,simulation}/**/*.test.ts'],
          exclude: SHARED,
          retry,
          ...limits,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        test: {
          name: 'ui',
          env,
          environment: 'jsdom',
          include: ['tests/ui/**/*.test.{ts,tsx}'],
          retry,
          ...limits,
        },
      },
    ],
  },
});
