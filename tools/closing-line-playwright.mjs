// Playwright's reporter for the closing line: counts tests and errors outside of tests, prints why one was skipped.
import { writeCounts } from './closing-line.mjs';

export default class ClosingLine {
  #counts = { passed: 0, failed: 0, skipped: 0 };
  #suite;

  onBegin(_config, suite) {
    this.#suite = suite;
  }

  onError() {
    this.#counts.failed += 1;
  }

  onEnd() {
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      if (outcome === 'skipped') {
        this.#counts.skipped += 1;
        const reason = test.annotations.find(({ type }) => type === 'skip' || type === 'fixme')?.description;
        console.log(`SKIPPED: ${test.titlePath().filter(Boolean).join(' > ')}: ${reason || 'no reason given'}`);
      } else this.#counts[outcome === 'unexpected' ? 'failed' : 'passed'] += 1;
    }
    writeCounts('playwright', this.#counts);
  }
}
