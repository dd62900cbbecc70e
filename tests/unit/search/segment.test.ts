/** A finished segment: what a search reads of it is what the signatures of its blocks say. */
import { expect, test } from 'vitest';
import { createSystemRandom } from '../../../src/core/adapters/random.ts';
import { BITS, fullSignature, hasBit, newSignature, type Signature } from '../../../src/core/search/grams.ts';
import {
  addToRow,
  allBlocks,
  hasBlock,
  keepThoseWith,
  PARTS,
  partOf,
  SEGMENT,
  turned,
} from '../../../src/core/search/segment.ts';

const random = createSystemRandom();

/** With about one bit in `of`. */
function signature(of: number): Signature {
  const made = newSignature();
  for (let n = 0; n < BITS / of; n += 1) {
    const bit = Math.floor(random.next() * BITS);
    made[bit >>> 5]! |= 1 << (bit & 31);
  }
  return made;
}

/** The blocks that have a bit, as a search reads them. */
function blocksWith(parts: readonly Uint8Array[], bit: number): number[] {
  const blocks = allBlocks();
  keepThoseWith(blocks, parts[partOf(bit)]!, bit);
  return Array.from({ length: SEGMENT }, (_, place) => place).filter((place) => hasBlock(blocks, place));
}

test('has for each bit the blocks whose signatures have it', () => {
  const signatures = Array.from({ length: SEGMENT }, (_, place) => signature(place % 3 === 0 ? 4 : 40));
  signatures[7] = fullSignature();
  const gaps: Array<Signature | undefined> = [...signatures];
  gaps[0] = undefined;
  gaps[255] = undefined;
  const parts = turned(gaps);
  expect(parts).toHaveLength(PARTS);
  for (let bit = 0; bit < BITS; bit += 97)
    expect(blocksWith(parts, bit)).toEqual(
      Array.from({ length: SEGMENT }, (_, place) => place).filter((place) => gaps[place] && hasBit(gaps[place]!, bit)),
    );
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
    const parts = turned(Array.from({ length: SEGMENT }, (_, at) => (at === place ? one : undefined)));
    const added = turned([]);
    expect(addToRow(added[partOf(bit)]!, bit, place)).toBe(true);
    expect(parts).toEqual(added);
  }
});

test('without blocks has no bit', () => {
  expect(turned([]).every((part) => part.every((byte) => byte === 0))).toBe(true);
});
