// Playwright's reporter for the closing line: counts tests and errors outside of tests, prints why one was skipped,
// and names those that failed or passed only when tried again.
import { firstLine, writeCounts } from './closing-line.mjs';

export default class ClosingLine {
  #counts = { passed: 0, failed: 0, skipped: 0 };
  #notes = [];
  #suite;

  onBegin(_config, suite) {
    this.#suite = suite;
  }

  onError(error) {
    this.#counts.failed += 1;
    this.#notes.push(`FAILED: outside of a test: ${firstLine(error)}`);
  }

  onEnd() {
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      if (outcome === 'skipped') {
        this.#counts.skipped += 1;
        const reason = test.annotations.find(({ type }) => type === 'skip' || type === 'fixme')?.description;
        console.log(`SKIPPED: ${test.titlePath().filter(Boolean).join(' > ')}: ${reason || 'no reason given'}`);
        continue;
      }
      this.#counts[outcome === 'unexpected' ? 'failed' : 'passed'] += 1;
      if (outcome === 'expected') continue;
      const why = firstLine(test.results.find(({ error }) => error !== undefined)?.error);
      const word = outcome === 'flaky' ? 'FLAKY' : 'FAILED';
      this.#notes.push(`${word}: ${test.titlePath().filter(Boolean).join(' > ')}: ${why}`);
    }
    writeCounts('playwright', this.#counts, this.#notes);
  }
}
