import { defineConfig } from '@playwright/test';
import type { ShellOptions } from './tests/e2e/launch.ts';
import { setTestFolders } from './tools/test-folders.mjs';

setTestFolders();

// No start of a test is kept among the workspaces of the person who runs it.
process.env.HOOKBENCH_KNOWN ??= '';

export default defineConfig<ShellOptions>({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // One more than most machines of CI have cores, because pages wait for programs that start.
  workers: 3,
  // Limits for what hangs, no measures: the machine may be busy with ten times the work, and a page may wait for
  // programs that start.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  // One more try on a shared machine; a test that needed it is named FLAKY at the end of `npm test`, and is a defect.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list'], ['./tools/closing-line-playwright.mjs']],
  // An action names what it waits for; the limit of a test does not.
  use: { actionTimeout: 120_000, trace: 'off', video: 'off', screenshot: 'off' },
  projects: [
    { name: 'headless', testIgnore: 'desktop/**', use: { shell: 'headless' } },
    // A restart is two starts, and each starts a Chromium.
    { name: 'electron-double', testMatch: 'desktop/*.spec.ts', use: { shell: 'electron-double' } },
    { name: 'electron', testMatch: 'desktop/*.spec.ts', use: { shell: 'electron' } },
  ],
});
