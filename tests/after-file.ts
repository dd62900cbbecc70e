/** For files that share a process: takes back what a file leaves. Vitest itself restores the spies. */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  // So that the next file has modules with a state of their own. Packages stay, as Node loads them.
  vi.resetModules();
});
