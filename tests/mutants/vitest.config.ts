import { defineConfig } from 'vitest/config';

/** One room's tests; `run.ts` names them in the environment. */
export default defineConfig({
  test: {
    environment: 'node',
    include: (process.env.HOOKBENCH_MUTANT_TESTS ?? 'tests/unit/**/*.test.ts').split('\n'),
    testTimeout: 20_000,
  },
});
