import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { withOwnProcess } from './tests/helpers/shared-process.ts';
import LongestFirst from './tools/longest-first.mjs';
import { setTestFolders } from './tools/test-folders.mjs';

setTestFolders();

const NODE = ['tests/{unit,store,integration,simulation}/**/*.test.ts'];
const OWN = withOwnProcess(NODE);

const common = {
  /** No start of a test is kept among the workspaces of the person who runs it. */
  env: { HOOKBENCH_KNOWN: '' },
  /** One more try on a shared machine; a test that needed it is named FLAKY at the end of `npm test`, and is a defect. */
  retry: process.env.CI ? 1 : 0,
  /** For what hangs, not a measure: many tests start processes, and a machine may be busy with ten times the work. */
  testTimeout: 240_000,
  hookTimeout: 240_000,
};
/** A worker keeps its packages and what V8 knows of our code from file to file. Our modules are new for each. */
const shared = { isolate: false, setupFiles: ['tests/after-file.ts'] };
const node = { ...common, environment: 'node', expect: { poll: { timeout: 60_000 } } };

export default defineConfig({
  test: {
    // Two more than there are cores, because many of these tests wait for sockets, processes and threads.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // In the order in which they run: most files of the last one are short, and fill the gaps at the end.
    projects: [
      { test: { ...node, name: 'own', include: OWN } },
      {
        test: {
          ...common,
          ...shared,
          name: 'ui',
          environment: 'jsdom',
          include: ['tests/ui/**/*.test.{ts,tsx}'],
          setupFiles: [...shared.setupFiles, 'tests/ui/setup.ts'],
        },
      },
      { test: { ...node, ...shared, name: 'node', include: NODE, exclude: OWN, restoreMocks: true } },
    ],
  },
});
