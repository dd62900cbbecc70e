import { describe, expect, test } from 'vitest';
import type { LivePart } from '../../../src/contract/live.ts';
import { allParts, batchOf, type LiveReaders } from '../../../src/core/serving/live.ts';

const NAMES: readonly LivePart[] = [
  'status',
  'clock',
  'sources',
  'webhooks',
  'destination',
  'ingest',
  'receivers',
  'faults',
];

/** Readers that note who was asked. */
function readersNoting(asked: LivePart[]): LiveReaders {
  const reader = (name: LivePart) => () => {
    asked.push(name);
    return { of: name };
  };
  return Object.fromEntries(NAMES.map((name) => [name, reader(name)])) as unknown as LiveReaders;
}

const pending = (parts: readonly LivePart[]) => ({
  seq: 7,
  messages: new Set<number>(),
  removed: new Set([3]),
  parts: new Set(parts),
  reset: false,
});
const lists = { messages: () => [] };

describe('the live parts', () => {
  test('all of them are read for a client that connects', () => {
    const asked: LivePart[] = [];
    expect(Object.keys(allParts(readersNoting(asked)))).toEqual(NAMES);
    expect(asked).toEqual(NAMES);
  });

  test('a batch reads those that changed and no other: the status is not made anew for each', () => {
    const asked: LivePart[] = [];
    const batch = batchOf(pending(['faults']), lists, readersNoting(asked));
    expect(batch).toEqual({
      seq: 7,
      reset: false,
      messages: [],
      removedMessages: [3],
      parts: { faults: { of: 'faults' } },
    });
    expect(asked).toEqual(['faults']);
  });
});
