import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A temporary folder for the running test, removed when the test is done. */
export function tempWorkspace(parent: string = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'hookbench-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
