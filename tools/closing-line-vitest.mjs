// Vitest's reporter for the closing line: counts tests, files that could not be loaded and errors outside of tests.
import { firstLine, writeCounts } from './closing-line.mjs';

export default class ClosingLine {
  onTestRunEnd(modules, unhandled) {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    const notes = unhandled.map((error) => `FAILED: outside of a test: ${firstLine(error)}`);
    for (const module of modules) {
      const broken = [module, ...module.children.allSuites()].flatMap((part) => part.errors());
      counts.failed += broken.length;
      for (const error of broken) notes.push(`FAILED: ${module.moduleId}: ${firstLine(error)}`);
      for (const test of module.children.allTests()) {
        const { state, note, errors } = test.result();
        const name = `${module.moduleId} > ${test.fullName}`;
        counts[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
        if (state !== 'passed' && state !== 'failed') console.log(`SKIPPED: ${name}: ${note ?? 'no reason given'}`);
        else if (state === 'failed' || test.diagnostic()?.flaky)
          notes.push(`${state === 'failed' ? 'FAILED' : 'FLAKY'}: ${name}: ${firstLine(errors?.[0])}`);
      }
    }
    writeCounts('vitest', counts, notes);
  }
}
