/** A finished segment: what a search reads of it is what the signatures of its blocks say. */
import { expect, test } from 'vitest';
import { BITS, fill, hasBit, newSignature, type Signature } from '../../../src/core/search/grams.ts';
import {
  addToRow,
  allBlocks,
  blockOf,
  hasBlock,
  keepThoseWith,
  PARTS,
  partOf,
  SEGMENT,
  turned,
} from '../../../src/core/search/segment.ts';

const PLACES = Array.from({ length: SEGMENT }, (_, place) => place);

/** With about one bit in `of`, others for each `seed`. */
function signature(seed: number, of: number): Signature {
  const made = newSignature();
  for (let n = 0; n < BITS / of; n += 1) {
    const bit = Math.imul(seed * BITS + n, 0x9e3779b1) >>> 16;
    made[bit >>> 5]! |= 1 << (bit & 31);
  }
  return made;
}

/** The blocks that have a bit, as a search reads them. */
function blocksWith(parts: readonly Uint8Array[], bit: number): number[] {
  const blocks = allBlocks();
  keepThoseWith(blocks, parts[partOf(bit)]!, bit);
  return PLACES.filter((place) => hasBlock(blocks, place));
}

test('has for each bit the blocks whose signatures have it', () => {
  const signatures = PLACES.map((place) => signature(place, place % 3 === 0 ? 4 : 40));
  fill(signatures[7]!);
  const gaps: Array<Signature | undefined> = [...signatures];
  gaps[0] = undefined;
  gaps[255] = undefined;
  const parts = turned(gaps);
  expect(parts).toHaveLength(PARTS);
  // With what SQLite adds, each fits into a page of 4,096 bytes.
  expect(new Set(parts.map(({ length }) => length))).toEqual(new Set([4_032]));
  for (let bit = 0; bit < BITS; bit += 97)
    expect(blocksWith(parts, bit)).toEqual(PLACES.filter((place) => gaps[place] && hasBit(gaps[place]!, bit)));
});

test('is stored row by row as a block is added to it later', () => {
  for (const [place, bit] of [
    [0, 0],
    [1, 31],
    [31, 32],
    [32, 125],
    [200, 126],
    [255, BITS - 1],
  ] as const) {
    const one = newSignature();
    one[bit >>> 5] = 1 << (bit & 31);
    const parts = turned(PLACES.map((at) => (at === place ? one : undefined)));
    const added = turned([]);
    expect(addToRow(added[partOf(bit)]!, bit, place)).toBe(true);
    expect(addToRow(added[partOf(bit)]!, bit, place)).toBe(false);
    expect(Buffer.concat(parts).equals(Buffer.concat(added))).toBe(true);
  }
});

test('without blocks has no bit', () => {
  expect(turned([]).every((part) => part.every((byte) => byte === 0))).toBe(true);
});

test('blocks are 64 ids, from a multiple of 64 on', () => {
  expect([0, 63, 64, 127, 128].map(blockOf)).toEqual([0, 0, 1, 1, 2]);
});
