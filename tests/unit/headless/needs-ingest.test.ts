import { describe, expect, it } from 'vitest';
import { needsIngest } from '../../../src/headless/serve.ts';

describe('a taken ingest port ends the start', () => {
  it.each([
    [undefined, false, undefined, false],
    [8765, false, undefined, true],
    [undefined, true, undefined, true],
    [8765, true, false, false],
  ])('--ingest-port %s, --json %s, as npm start wants %s: %s', (ingestPort, json, requireIngest, ends) => {
    expect(needsIngest({ ingestPort, json }, { requireIngest })).toBe(ends);
  });
});
