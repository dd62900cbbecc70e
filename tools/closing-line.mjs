// Counts of one stage, handed to tools/test.mjs through a file, and their sum as one line.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folderVariable = 'HOOKBENCH_TEST_COUNTS';

/** `notes` are lines for the end of the run: which tests failed, or passed only when tried again. Nothing happens outside of `npm test`. */
export function writeCounts(stage, counts, notes = []) {
  const folder = process.env[folderVariable];
  if (!folder) return;
  writeFileSync(join(folder, `${stage}.json`), JSON.stringify(counts));
  writeFileSync(join(folder, `${stage}.notes.json`), JSON.stringify(notes));
}

/** What a stage has to say at the end of the run; nothing when it ended before it could. */
export function readNotes(folder, stage) {
  try {
    return JSON.parse(readFileSync(join(folder, `${stage}.notes.json`), 'utf8'));
  } catch {
    return [];
  }
}

/** The first line of an error, without colours. */
export const firstLine = (error) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours are control characters.
  (error?.message ?? 'no message').replace(/\u001b\[[0-9;]*m/g, '').split('\n', 1)[0];

/** A stage that failed without a failed test, or left no counts, counts as one failure. */
export function readCounts(folder, stage, exitCode) {
  let counts;
  try {
    counts = JSON.parse(readFileSync(join(folder, `${stage}.json`), 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

export const sum = (all) =>
  all.reduce(
    (total, counts) => ({
      passed: total.passed + counts.passed,
      failed: total.failed + counts.failed,
      skipped: total.skipped + counts.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

export const closingLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** Good when nothing failed and something ran. */
export const exitCodeOf = ({ passed, failed }) => (failed > 0 || passed === 0 ? 1 : 0);

export { folderVariable };
