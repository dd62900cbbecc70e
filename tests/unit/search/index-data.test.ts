/** What the index has and writes, over a file in memory. */
import { describe, expect, test } from 'vitest';
import { addText, bitsOf, fill, hasBit, newSignature, type Signature } from '../../../src/core/search/grams.ts';
import { IndexData, type Start } from '../../../src/core/search/index-data.ts';
import { allBlocks, BLOCK, hasBlock, keepThoseWith, PARTS, partOf, SEGMENT } from '../../../src/core/search/segment.ts';
import { MemorySearchFile } from '../../helpers/memory-search-file.ts';

const START: Start = { storeId: 'store', nextBlock: 0, attempt: 0, newest: Number.MAX_SAFE_INTEGER };

const bytes = (text: string): Uint8Array => Buffer.from(text);

function signatureOf(text: string): Signature {
  const signature = newSignature();
  addText(signature, bytes(text));
  return signature;
}

/** Takes in blocks of so many messages up to `end`; those of `texts` hold a text. */
function add(data: IndexData, end: number, texts: Readonly<Record<number, string>> = {}, messages = BLOCK): void {
  for (let block = data.nextBlock; block < end; block += 1) {
    const room = data.room(block);
    room.set(signatureOf(texts[block] ?? ''));
    data.add(block, room, messages);
  }
}

/** The blocks of a finished segment that have all bits of a text. */
function finished(data: IndexData, segment: number, text: string): number[] {
  const blocks = allBlocks();
  for (const bit of bitsOf(bytes(text))) keepThoseWith(blocks, data.part(segment, partOf(bit))!, bit);
  return Array.from({ length: SEGMENT }, (_, place) => place).filter((place) => hasBlock(blocks, place));
}

const hasText = (signature: Signature | undefined, text: string): boolean =>
  signature !== undefined && bitsOf(bytes(text)).every((bit) => hasBit(signature, bit));

/** An index of one finished segment and ten blocks of the next, and what it has saved. */
function twoSegments(): { data: IndexData; file: MemorySearchFile } {
  const file = new MemorySearchFile();
  const data = new IndexData(file, START);
  add(data, SEGMENT + 10, { 3: 'early text', [SEGMENT + 3]: 'later text' });
  data.save();
  return { data, file };
}

describe('a start', () => {
  test('without a file begins where the store does, and drops what stands in the file', () => {
    const file = new MemorySearchFile();
    const data = new IndexData(file, { ...START, nextBlock: 7, attempt: 5 });
    expect([data.nextBlock, data.attempt, data.messages, data.segments()]).toEqual([7, 5, 0, []]);
    data.save();
    const [batch] = file.saved;
    expect(batch!.marks).toEqual({ storeId: 'store', nextBlock: 7, attempt: 5 });
    expect(batch!.dropBlocks).toBeGreaterThan(2 ** 40);
    // Times 1,024 parts it has to be a number that SQLite takes for an integer.
    expect(batch!.dropSegments).toBe(2 ** 40);
    expect([batch!.blocks, batch!.counts, batch!.parts]).toEqual([[], [], []]);
  });

  test('takes over a file of its store', () => {
    const { data, file } = twoSegments();
    data.attempt = 9;
    data.save();
    const again = new IndexData(file, { ...START, nextBlock: 4, attempt: 1 });
    expect([again.nextBlock, again.attempt]).toEqual([SEGMENT + 10, 9]);
    expect(again.messages).toBe((SEGMENT + 10) * BLOCK);
    expect(again.segments()).toEqual([0, 1]);
    expect(finished(again, 0, 'early text')).toEqual([3]);
    for (let place = 0; place < SEGMENT; place += 1)
      expect(hasText(again.signature(SEGMENT + place), 'later text')).toBe(place === 3);
    again.save();
    expect(file.saved.at(-1)).toMatchObject({ dropBlocks: 0, dropSegments: 0, blocks: [] });
  });

  test.each([
    ['of another store', { storeId: 'other' }],
    ['of a store without an id', { storeId: null }],
    ['that is ahead of the store', { newest: (SEGMENT + 10) * BLOCK - 2 }],
  ])('makes a file anew %s', (_, other) => {
    const { file } = twoSegments();
    const data = new IndexData(file, { ...START, ...other });
    expect([data.nextBlock, data.messages, data.segments()]).toEqual([0, 0, []]);
    expect(data.signature(SEGMENT + 3)).toBeUndefined();
    data.save();
    expect(file.saved.at(-1)).toMatchObject({ dropSegments: 2 ** 40, dropBlocks: Number.MAX_SAFE_INTEGER });
    expect([file.blocks(), file.counts(), file.part(0, 0)]).toEqual([[], [], undefined]);
  });

  test.each([0, 3, 8_188, 8_196])('refuses a stored block of %d bytes', (length) => {
    const { file } = twoSegments();
    file.blocks = () => [{ block: SEGMENT + 3, signature: new Uint8Array(length) }];
    expect(() => new IndexData(file, START)).toThrow(new RangeError(`Block ${SEGMENT + 3} has ${length} bytes.`));
  });

  test('takes over a file that has the newest message of the store', () => {
    const { file } = twoSegments();
    const data = new IndexData(file, { ...START, newest: (SEGMENT + 10) * BLOCK - 1 });
    expect(data.nextBlock).toBe(SEGMENT + 10);
  });
});

describe('new blocks', () => {
  test('are in from then on, with their messages', () => {
    const data = new IndexData(new MemorySearchFile(), { ...START, nextBlock: 2 });
    add(data, 4, { 2: 'a text' }, 60);
    expect([data.nextBlock, data.messages]).toEqual([4, 120]);
    expect([1, 2, 3, 4].map((block) => data.count(block))).toEqual([0, 60, 60, 0]);
    expect([2, 3, 4].map((block) => data.has(block))).toEqual([true, true, false]);
    expect(data.has(SEGMENT)).toBe(false);
    expect([2, 3].map((block) => hasText(data.signature(block), 'a text'))).toEqual([true, false]);
  });

  test('are written once, with the mark of how far they go', () => {
    const file = new MemorySearchFile();
    const data = new IndexData(file, START);
    add(data, 2, { 1: 'a text' });
    data.save();
    add(data, 3);
    data.save();
    data.save();
    expect(file.saved).toHaveLength(2);
    expect(file.saved[1]!.marks.nextBlock).toBe(3);
    expect(file.saved.map(({ blocks }) => blocks.map(({ block }) => block))).toEqual([[0, 1], [2]]);
    expect(file.saved[1]!.counts).toEqual([
      { segment: 0, counts: Uint8Array.of(BLOCK, BLOCK, BLOCK, ...new Array(SEGMENT - 3).fill(0)) },
    ]);
    expect(file.blocks().map(({ signature }) => signature)).toEqual(
      [0, 1, 2].map((block) => new Uint8Array(signatureOf(block === 1 ? 'a text' : '').buffer)),
    );
  });

  test('are worth a transaction at 64', () => {
    const data = new IndexData(new MemorySearchFile(), START);
    add(data, 63);
    expect(data.isSaveDue).toBe(false);
    add(data, 64);
    expect(data.isSaveDue).toBe(true);
    data.save();
    expect(data.isSaveDue).toBe(false);
  });

  test('of a whole segment become its parts, which are worth a transaction', () => {
    const file = new MemorySearchFile();
    const data = new IndexData(file, START);
    add(data, SEGMENT - 1, { 3: 'early text' });
    expect(data.isFinished(0)).toBe(false);
    data.save();
    add(data, SEGMENT);
    expect([data.isFinished(0), data.isFinished(1), data.isSaveDue]).toEqual([true, false, true]);
    expect(data.signature(3)).toBeUndefined();
    expect(finished(data, 0, 'early text')).toEqual([3]);
    expect(file.read).toEqual([]);
    data.save();
    expect(file.saved.at(-1)).toMatchObject({ blocks: [], dropBlocks: SEGMENT });
    expect(file.saved.at(-1)!.parts.map(({ segment, part }) => [segment, part])).toEqual(
      Array.from({ length: PARTS }, (_, part) => [0, part]),
    );
    expect(file.blocks()).toEqual([]);
    expect(finished(data, 0, 'early text')).toEqual([3]);
    expect(file.read.length).toBeGreaterThan(0);
  });

  test('of two segments that are saved together keep apart', () => {
    const file = new MemorySearchFile();
    const data = new IndexData(file, START);
    data.save();
    add(data, 2 * SEGMENT, { 3: 'early text', [SEGMENT + 4]: 'later text' });
    const both = () => [0, 1].flatMap((segment) => ['early text', 'later text'].map((t) => finished(data, segment, t)));
    expect(both()).toEqual([[3], [], [], [4]]);
    data.save();
    expect(file.saved.at(-1)!.dropBlocks).toBe(2 * SEGMENT);
    expect(both()).toEqual([[3], [], [], [4]]);
  });
});

describe('a text that comes later', () => {
  test('is added to a block of the newest segment', () => {
    const { data, file } = twoSegments();
    data.addText(SEGMENT + 5, bytes('the answer'));
    expect(hasText(data.signature(SEGMENT + 5), 'the answer')).toBe(true);
    data.save();
    expect(file.saved.at(-1)).toMatchObject({ blocks: [{ block: SEGMENT + 5 }], counts: [], parts: [] });
  });

  test('is added to the parts of a finished segment that it changes', () => {
    const { data, file } = twoSegments();
    data.addText(5, bytes('the answer'));
    expect(finished(data, 0, 'the answer')).toEqual([5]);
    data.save();
    const changed = file.saved.at(-1)!.parts.map(({ part }) => part);
    expect(changed.toSorted()).toEqual([...new Set(bitsOf(bytes('the answer')).map(partOf))].toSorted());
    expect(finished(data, 0, 'the answer')).toEqual([5]);
    const saves = file.saved.length;
    data.addText(5, bytes('the answer'));
    data.save();
    expect(file.saved).toHaveLength(saves);
  });

  test('changes nothing for a block that is not in, or whose segment is gone', () => {
    const { data, file } = twoSegments();
    const saves = file.saved.length;
    for (const block of [SEGMENT + 10, 5 * SEGMENT]) data.addText(block, bytes('the answer'));
    data.save();
    expect(file.saved).toHaveLength(saves);
    data.dropBelow(SEGMENT);
    data.save();
    data.addText(5, bytes('the answer'));
    data.save();
    expect(file.saved).toHaveLength(saves + 1);
  });

  test('changes no part of a segment that is forgotten and still in the file', () => {
    const { data, file } = twoSegments();
    data.dropBelow(SEGMENT);
    data.addText(5, bytes('the answer'));
    data.save();
    expect(file.saved.at(-1)!.parts).toEqual([]);
    expect(file.part(0, partOf(bitsOf(bytes('the answer'))[0]!))).toBeUndefined();
  });

  test('changes nothing for an old block of the segment in which the index began', () => {
    const file = new MemorySearchFile();
    const data = new IndexData(file, { ...START, nextBlock: 2 });
    add(data, 4);
    data.addText(1, bytes('the answer'));
    data.save();
    expect(file.saved[0]!.blocks.map(({ block }) => block)).toEqual([2, 3]);
  });

  test('of which the part is not in the file is left out', () => {
    const { file } = twoSegments();
    file.part = () => undefined;
    const data = new IndexData(file, START);
    const saves = file.saved.length;
    data.addText(5, bytes('the answer'));
    data.replace(5, signatureOf('the answer'), BLOCK);
    data.save();
    expect(file.saved.slice(saves).flatMap(({ parts }) => parts)).toEqual([]);
  });
});

describe('a block of which messages were removed', () => {
  test('gets another signature and count in the newest segment', () => {
    const { data, file } = twoSegments();
    data.replace(SEGMENT + 3, signatureOf('what is left'), 12);
    expect(hasText(data.signature(SEGMENT + 3), 'later text')).toBe(false);
    expect(hasText(data.signature(SEGMENT + 3), 'what is left')).toBe(true);
    expect(data.count(SEGMENT + 3)).toBe(12);
    expect(data.messages).toBe((SEGMENT + 9) * BLOCK + 12);
    data.save();
    expect(file.saved.at(-1)).toMatchObject({ blocks: [{ block: SEGMENT + 3 }], counts: [{ segment: 1 }], parts: [] });
  });

  test('gets another column in those parts of a finished segment that it changes', () => {
    const file = new MemorySearchFile();
    const data = new IndexData(file, START);
    add(data, SEGMENT + 10, { 3: 'early text', 204: 'early text' });
    data.save();
    data.replace(204, signatureOf('early'), 1);
    expect(finished(data, 0, 'early text')).toEqual([3]);
    expect(finished(data, 0, 'early')).toEqual([3, 204]);
    data.save();
    const gone = bitsOf(bytes('early text')).filter((bit) => !bitsOf(bytes('early')).includes(bit));
    expect(file.saved.at(-1)).toMatchObject({ blocks: [], counts: [{ segment: 0 }] });
    expect(file.saved.at(-1)!.parts.map(({ part }) => part)).toEqual(
      [...new Set(gone.map(partOf))].sort((a, b) => a - b),
    );
    expect(finished(data, 0, 'early text')).toEqual([3]);
  });

  test('is worth a transaction when it changes as many parts as a segment has', () => {
    const { data } = twoSegments();
    const full = newSignature();
    fill(full);
    data.replace(3, full, BLOCK);
    expect(data.isSaveDue).toBe(true);
  });
});

describe('segments of which no message is left', () => {
  test('are forgotten, with their counts and parts', () => {
    const { data, file } = twoSegments();
    data.dropBelow(SEGMENT - 1);
    expect(data.segments()).toEqual([0, 1]);
    data.dropBelow(SEGMENT);
    expect(data.segments()).toEqual([1]);
    expect(data.messages).toBe(10 * BLOCK);
    expect([data.has(3), data.count(3)]).toEqual([false, 0]);
    data.save();
    expect(file.saved.at(-1)).toMatchObject({ dropSegments: 1, dropBlocks: 0, counts: [] });
    expect(file.counts().map(({ segment }) => segment)).toEqual([1]);
    expect(file.part(0, 0)).toBeUndefined();
  });

  test('are not written although they have changed', () => {
    const file = new MemorySearchFile();
    const data = new IndexData(file, START);
    add(data, SEGMENT + 10);
    data.dropBelow(SEGMENT);
    data.save();
    expect(file.saved[0]!.counts.map(({ segment }) => segment)).toEqual([1]);
  });
});

test('a mark of attempts alone is written', () => {
  const { data, file } = twoSegments();
  const saves = file.saved.length;
  data.attempt = 3;
  data.save();
  data.save();
  expect(file.saved.slice(saves).map(({ marks }) => marks.attempt)).toEqual([3]);
});

test('segments stand in order, whichever the file gives first', () => {
  const { file } = twoSegments();
  const counts = file.counts().reverse();
  file.counts = () => counts;
  expect(new IndexData(file, START).segments()).toEqual([0, 1]);
});

test('the file is settled, measured and closed', () => {
  const { data, file } = twoSegments();
  data.settle();
  expect(file.settled).toBe(1);
  expect(data.bytes).toBe(file.bytes());
  data.close();
  expect(file.closed).toBe(1);
});
