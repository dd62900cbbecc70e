/** Which blocks a search leaves, over an index in memory. */
import { describe, expect, test } from 'vitest';
import { Finding, type Found } from '../../../src/core/search/finding.ts';
import { addText, bitsOf, newSignature } from '../../../src/core/search/grams.ts';
import { IndexData } from '../../../src/core/search/index-data.ts';
import { BLOCK, partOf, SEGMENT, SEGMENT_IDS } from '../../../src/core/search/segment.ts';
import { MemorySearchFile } from '../../helpers/memory-search-file.ts';

const bits = (text: string): number[] => bitsOf(Buffer.from(text));

/** Blocks from `first` up to `end`; those of `texts` hold a text. */
function indexOf(
  end: number,
  texts: Readonly<Record<number, string>>,
  { first = 0, file = new MemorySearchFile() } = {},
): IndexData {
  const start = { storeId: 'store', nextBlock: first, attempt: 0, newest: Number.MAX_SAFE_INTEGER };
  const data = new IndexData(file, start);
  for (let block = first; block < end; block += 1) {
    const signature = newSignature();
    const text = texts[block];
    if (text !== undefined) addText(signature, Buffer.from(text));
    data.add(block, signature, BLOCK);
  }
  data.save();
  return data;
}

interface Asked {
  readonly before: number;
  readonly after?: number;
  readonly most?: number;
  readonly alwaysIn?: readonly number[];
}

const find = (data: IndexData, text: string, { before, after = 0, most = 1_000, alwaysIn = [] }: Asked): Found =>
  new Finding(data, bits(text), new Set(alwaysIn)).run({ before, after, most });

const range = (first: number, last = first) => ({ top: (last + 1) * BLOCK, bottom: first * BLOCK });
const TEXT = 'some text';
const ALL = { before: 1_000 * BLOCK };
const NEWER = { top: ALL.before, bottom: 300 * BLOCK };

describe('the blocks that are left', () => {
  test('have the text, in finished segments and in the newest, or are not in the index yet', () => {
    const data = indexOf(300, { 3: TEXT, 5: TEXT, 255: TEXT, 256: 'some', 299: TEXT });
    expect(find(data, TEXT, ALL)).toEqual({
      // Neighbours are one range.
      ranges: [{ top: ALL.before, bottom: 299 * BLOCK }, range(255), range(5), range(3)],
      searchedTo: 1,
    });
  });

  test('are one range where they follow each other, also over the edge of a segment', () => {
    const data = indexOf(300, { 0: TEXT, 254: TEXT, 255: TEXT, 256: TEXT, 258: TEXT });
    expect(find(data, TEXT, ALL).ranges).toEqual([NEWER, range(258), range(254, 256), { top: BLOCK, bottom: 1 }]);
  });

  test('are those of which responses are not in yet', () => {
    const data = indexOf(300, {});
    expect(find(data, TEXT, { ...ALL, alwaysIn: [7, 280] }).ranges).toEqual([NEWER, range(280), range(7)]);
  });

  test('are all those before the first block of the index that is in the newest segment', () => {
    const data = indexOf(12, {}, { first: 10 });
    expect(find(data, TEXT, { before: 12 * BLOCK })).toEqual({
      ranges: [{ top: 10 * BLOCK, bottom: 1 }],
      searchedTo: 1,
    });
  });

  test('have every bit, although another block has each of them', () => {
    const data = indexOf(2, { 0: 'alpha', 1: 'beta' });
    const both = [...bits('alpha'), ...bits('beta')];
    const run = (asked: readonly number[]) =>
      new Finding(data, asked, new Set()).run({ before: 2 * BLOCK, after: 0, most: 9 }).ranges;
    expect(run(both)).toEqual([]);
    expect(run(bits('beta'))).toEqual([range(1)]);
  });
});

describe('the range that is asked for', () => {
  const data = indexOf(300, { 3: TEXT, 4: TEXT, 290: TEXT });

  test('cuts the blocks at its ends', () => {
    const before = 290 * BLOCK + 5;
    expect(find(data, TEXT, { before, after: 3 * BLOCK + 9 })).toEqual({
      ranges: [
        { top: before, bottom: 290 * BLOCK },
        { top: 5 * BLOCK, bottom: 3 * BLOCK + 10 },
      ],
      searchedTo: 3 * BLOCK + 10,
    });
  });

  test('leaves nothing when it is empty', () => {
    const nothing = (at: number) => find(data, TEXT, { before: at, after: at - 1 });
    expect(nothing(3 * BLOCK + 9)).toEqual({ ranges: [], searchedTo: 3 * BLOCK + 9 });
    expect(nothing(400 * BLOCK)).toEqual({ ranges: [], searchedTo: 400 * BLOCK });
  });

  test('may lie beyond the index as a whole', () => {
    expect(find(data, TEXT, { before: 400 * BLOCK, after: 350 * BLOCK - 1 })).toEqual({
      ranges: [{ top: 400 * BLOCK, bottom: 350 * BLOCK }],
      searchedTo: 350 * BLOCK,
    });
  });

  test('may end where the index does', () => {
    expect(find(data, TEXT, { before: 300 * BLOCK, after: 291 * BLOCK - 1 }).ranges).toEqual([]);
    expect(find(data, TEXT, { before: 291 * BLOCK, after: 290 * BLOCK - 1 }).ranges).toEqual([range(290)]);
    expect(find(data, TEXT, { before: 290 * BLOCK, after: 256 * BLOCK - 1 }).ranges).toEqual([]);
  });
});

describe('a search stops', () => {
  const data = indexOf(3 * SEGMENT + 10, { 3: TEXT, [SEGMENT + 3]: TEXT, [2 * SEGMENT + 3]: TEXT });
  const run = (before: number, most: number) => find(data, TEXT, { before, most });
  const end = (3 * SEGMENT + 10) * BLOCK;

  test('after the segment in which it has enough blocks', () => {
    expect(run(end, 1)).toEqual({ ranges: [range(2 * SEGMENT + 3)], searchedTo: 2 * SEGMENT_IDS });
    expect(run(end, 2).searchedTo).toBe(SEGMENT_IDS);
    expect(run(end, 3)).toMatchObject({ ranges: { length: 3 }, searchedTo: 1 });
  });

  test('before the index, when what is not in it is enough', () => {
    expect(run(end + 5, 1)).toEqual({ ranges: [{ top: end + 5, bottom: end }], searchedTo: end });
    expect(run(end + 5, 2).searchedTo).toBe(2 * SEGMENT_IDS);
  });
});

describe('of a finished segment', () => {
  const end = (4 * SEGMENT + 1) * BLOCK;
  /** One block of each segment has a word. */
  const words = Object.fromEntries([0, 1, 2, 3].map((n) => [n * SEGMENT + 1, 'alpha']));

  test('no more parts are read once no block is left, and next time the bit that did it goes first', () => {
    const file = new MemorySearchFile();
    const data = indexOf(4 * SEGMENT + 1, words, { file });
    const asked = [...bits('alpha'), ...bits('zulu')];
    new Finding(data, asked, new Set()).run({ before: end, after: 0, most: 9 });
    const readIn = (segment: number) => file.read.filter(([one]) => one === segment).map(([, part]) => part);
    const rare = partOf(bits('zulu')[0]!);
    expect(readIn(3)).toEqual([...bits('alpha').map(partOf), rare]);
    expect([2, 1, 0].map(readIn)).toEqual([[rare], [rare], [rare]]);
  });

  test('a part that is not there says nothing', () => {
    const file = new MemorySearchFile();
    const data = indexOf(SEGMENT + 1, { 1: TEXT, 2: 'some' }, { file });
    const lost = partOf(bits(TEXT)[0]!);
    const read = file.part.bind(file);
    file.part = (segment, part) => (part === lost ? undefined : read(segment, part));
    expect(find(data, TEXT, { before: SEGMENT_IDS }).ranges).toEqual([range(1)]);
    file.part = () => undefined;
    expect(find(data, TEXT, { before: SEGMENT_IDS }).ranges).toEqual([{ top: SEGMENT_IDS, bottom: 1 }]);
  });
});
