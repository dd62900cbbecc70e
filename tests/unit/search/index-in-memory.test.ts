/** What the index reads of a store, and when, over a store and a file in memory. */
import { describe, expect, test } from 'vitest';
import type { Slice } from '../../../src/core/model/slice.ts';
import { SearchIndex } from '../../../src/core/search/search-index.ts';
import { SEGMENT, SEGMENT_IDS } from '../../../src/core/search/segment.ts';
import { MemorySearchStores } from '../../helpers/memory-search-stores.ts';

const LONG: Slice = { isOver: () => false };
const SHORT: Slice = { isOver: () => true };
/** First and last id of a block, as the index asks for it. */
const idsOf = (block: number) => [64 * block, 64 * block + 63];

/** An index that has the first blocks of a store of one message a block. */
function indexOf(blocks: number): { stores: MemorySearchStores; index: SearchIndex } {
  const stores = new MemorySearchStores();
  stores.fill(blocks);
  // Whole blocks go in.
  stores.texts.set(64 * blocks, ['newest']);
  const index = new SearchIndex(stores.source, stores.file);
  index.work(LONG);
  stores.read.length = 0;
  return { stores, index };
}

const blocksWith = (index: SearchIndex, text: string, before: number): number[] =>
  index
    .find({ texts: [text], before, after: 0, most: Number.MAX_SAFE_INTEGER })!
    .ranges.flatMap(({ top, bottom }) =>
      Array.from({ length: Math.ceil((top - bottom) / 64) }, (_, n) => n + Math.floor(bottom / 64)),
    )
    .sort((a, b) => a - b);

test('a block with a damaged page may hold every text, and counts as full', () => {
  const stores = new MemorySearchStores();
  stores.fill(3);
  stores.damaged.add(1);
  stores.texts.set(3 * 64, ['newest']);
  const index = new SearchIndex(stores.source, stores.file);
  index.work(LONG);
  expect(blocksWith(index, 'never written', 3 * 64)).toEqual([1]);
  expect(index.progress).toEqual({ indexed: 66, total: 67 });
});

test('it has the bytes of its file', () => {
  const { stores, index } = indexOf(2);
  index.save();
  expect(index.bytes).toBe(stores.file.bytes());
  expect(index.bytes).toBeGreaterThan(4_096);
});

test('it wants to be saved after 64 blocks', () => {
  const { index } = indexOf(63);
  expect(index.isSaveDue).toBe(false);
  const { index: larger } = indexOf(64);
  expect(larger.isSaveDue).toBe(true);
  larger.save();
  expect(larger.isSaveDue).toBe(false);
});

test('responses are taken in 64 attempts at a time until the slice is over', () => {
  const { stores, index } = indexOf(2);
  for (let n = 0; n < 150; n += 1) stores.attempts.push({ messageId: 1, response: `answer ${n}` });
  expect(index.work({ isOver: () => true })).toBe(true);
  expect(index.work(LONG)).toBe(false);
  expect(blocksWith(index, 'answer 149', 128)).toEqual([0]);
  expect(blocksWith(index, 'never written', 128)).toEqual([]);
});

describe('removed messages', () => {
  /** What is read again, slice by slice, with what each slice answered. */
  function tidied(stores: MemorySearchStores, index: SearchIndex): Array<readonly [more: boolean, read: unknown]> {
    const steps: Array<readonly [boolean, unknown]> = [];
    for (let more = true; more; ) {
      more = index.tidy(SHORT);
      steps.push([more, stores.read.splice(0)]);
    }
    return steps;
  }

  test('their blocks are read again, the oldest first, each once', () => {
    const { stores, index } = indexOf(5);
    index.remove([64 * 4 + 1, 64 * 2 + 1, 64 * 2 + 7, 64 * 3 + 1]);
    expect(tidied(stores, index)).toEqual([
      [true, [idsOf(2)]],
      [true, [idsOf(3)]],
      [false, [idsOf(4)]],
    ]);
    expect(tidied(stores, index)).toEqual([[false, []]]);
  });

  test('of a long slice all blocks are read again', () => {
    const { stores, index } = indexOf(5);
    index.remove([64 * 4 + 1, 64 * 2 + 1]);
    expect(index.tidy(LONG)).toBe(false);
    expect(stores.read).toEqual([idsOf(2), idsOf(4)]);
  });

  test('their blocks are not read again when they are not in the index, or older than every message', () => {
    const { stores, index } = indexOf(5);
    stores.fill(3, 5);
    for (const block of [0, 1]) stores.texts.delete(64 * block + 1);
    index.remove([1, 64 + 1, 64 * 2 + 1, 64 * 6 + 1]);
    expect(tidied(stores, index)).toEqual([[false, [idsOf(2)]]]);
  });

  test('a block that went with its segment is not read again', () => {
    const { stores, index } = indexOf(SEGMENT + 2);
    index.remove([64 * 3 + 1]);
    for (let block = 0; block < SEGMENT; block += 1) stores.texts.delete(64 * block + 1);
    expect(tidied(stores, index)).toEqual([[false, []]]);
    expect(index.progress.indexed).toBe(2);
  });

  test('a look at the counts of a segment finds only its own blocks', () => {
    const { stores, index } = indexOf(SEGMENT + 2);
    for (const block of [4, SEGMENT]) stores.texts.delete(64 * block + 1);
    expect(index.compare(0)).toBe(1);
    expect(stores.counted).toEqual([[0, SEGMENT_IDS - 1]]);
    expect(tidied(stores, index)).toEqual([[false, [idsOf(4)]]]);
    expect(index.compare(1)).toBe(2);
    expect(tidied(stores, index)).toEqual([[false, [idsOf(SEGMENT)]]]);
    expect(index.compare(2)).toBeNull();
  });
});
