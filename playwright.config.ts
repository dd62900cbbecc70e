import { defineConfig } from '@playwright/test';
import type { ShellOptions } from './tests/e2e/launch.ts';

export default defineConfig<ShellOptions>({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 30_000,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['./tools/closing-line-playwright.mjs']],
  use: { trace: 'off', video: 'off', screenshot: 'off' },
  projects: [
    { name: 'headless', testIgnore: 'desktop.spec.ts', use: { shell: 'headless' } },
    { name: 'electron-double', testMatch: 'desktop.spec.ts', use: { shell: 'electron-double' } },
    { name: 'electron', testMatch: 'desktop.spec.ts', use: { shell: 'electron' } },
  ],
});
