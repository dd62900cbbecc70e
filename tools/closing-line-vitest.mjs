// Vitest's reporter for the closing line: counts tests, files that could not be loaded and errors outside of tests.
import { writeCounts } from './closing-line.mjs';

export default class ClosingLine {
  onTestRunEnd(modules, unhandled) {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state, note } = test.result();
        counts[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
        if (state !== 'passed' && state !== 'failed')
          console.log(`SKIPPED: ${module.moduleId} > ${test.fullName}: ${note ?? 'no reason given'}`);
      }
    }
    writeCounts('vitest', counts);
  }
}
