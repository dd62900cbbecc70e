/**
 * How finished blocks are kept. A block is 64 messages whose ids follow each other; a segment is 256 blocks. A finished
 * segment is turned round: for each bit a row that says which of its blocks have it. So a search reads a few rows of a
 * segment, and not the signatures of all blocks.
 */
import { BITS, hasBit, newSignature, type Signature } from './grams.ts';

/** Ids of a block. Smaller blocks make the index larger, larger ones make more to read after a hit. */
export const BLOCK = 64;
/** Blocks of a segment. */
export const SEGMENT = 256;
/** Ids of a segment. */
export const SEGMENT_IDS = BLOCK * SEGMENT;

const ROW_BYTES = SEGMENT / 8;
/** Rows that are stored together: as many as fit into a page of 4,096 bytes with the page's own bytes. */
const ROWS_IN_PART = 126;
export const PARTS = Math.ceil(BITS / ROWS_IN_PART);

export const blockOf = (id: number): number => Math.floor(id / BLOCK);
export const segmentOf = (block: number): number => Math.floor(block / SEGMENT);
export const placeOf = (block: number): number => block % SEGMENT;

/** Which of a segment's blocks may hold something. */
export type Blocks = Uint8Array<ArrayBuffer>;

export const noBlocks = (): Blocks => new Uint8Array(ROW_BYTES);
export const allBlocks = (): Blocks => new Uint8Array(ROW_BYTES).fill(0xff);
export const hasBlock = (blocks: Blocks, place: number): boolean => (blocks[place >>> 3]! & (1 << (place & 7))) !== 0;
export const isNone = (blocks: Blocks): boolean => blocks.every((byte) => byte === 0);

export function addBlock(blocks: Blocks, place: number): void {
  blocks[place >>> 3]! |= 1 << (place & 7);
}

/** Keeps the blocks that have a bit too. `part` is the stored part that holds the bit's row. */
export function keepThoseWith(blocks: Blocks, part: Uint8Array, bit: number): void {
  const start = (bit % ROWS_IN_PART) * ROW_BYTES;
  for (let i = 0; i < ROW_BYTES; i += 1) blocks[i]! &= part[start + i]!;
}

export const partOf = (bit: number): number => Math.floor(bit / ROWS_IN_PART);

/** Adds a block to the row of a bit. Returns whether the part was changed. */
export function addToRow(part: Uint8Array, bit: number, place: number): boolean {
  const at = (bit % ROWS_IN_PART) * ROW_BYTES + (place >>> 3);
  const before = part[at]!;
  part[at] = before | (1 << (place & 7));
  return part[at] !== before;
}

const NO_BITS = newSignature();
const ROW_WORDS = ROW_BYTES / 4;
const PART_WORDS = ROWS_IN_PART * ROW_WORDS;
const PART_BYTES = ROWS_IN_PART * ROW_BYTES;

/** A segment's parts one after the other. */
export type Rows = Uint32Array<ArrayBuffer>;

export const emptyRows = (): Rows => new Uint32Array(PARTS * PART_WORDS);

/**
 * The parts of a segment, written over `rows`; a block without a signature has no bit. It turns round 32 bits of 32 blocks
 * at a time, which takes 9 to 14 ms for a segment; with one step for each bit it took 160. Words and the bytes of a row
 * agree, because every processor that Hookbench runs on puts the lowest byte first.
 */
export function turned(signatures: ReadonlyArray<Signature | undefined>, rows: Rows = emptyRows()): Uint8Array[] {
  const square = new Uint32Array(32);
  for (let place = 0; place < SEGMENT; place += 32) {
    const columns = Array.from({ length: 32 }, (_, i) => signatures[place + i] ?? NO_BITS);
    for (let word = 0; word < BITS / 32; word += 1) {
      for (let i = 0; i < 32; i += 1) square[i] = columns[i]![word]!;
      turn(square);
      for (let i = 0, bit = word * 32; i < 32; i += 1, bit += 1) rows[bit * ROW_WORDS + place / 32] = square[i]!;
    }
  }
  return Array.from({ length: PARTS }, (_, n) => new Uint8Array(rows.buffer, n * PART_BYTES, PART_BYTES));
}

/**
 * Makes bit `c` of word `r` bit `r` of word `c`: swaps the halves that are not on the diagonal, of the whole square, then
 * of its quarters, and so on.
 */
function turn(square: Uint32Array): void {
  for (let half = 16, mask = 0x0000_ffff; half > 0; half >>>= 1, mask ^= mask << half)
    for (let row = 0; row < 32; row = (row + half + 1) & ~half) {
      const differing = ((square[row]! >>> half) ^ square[row + half]!) & mask;
      square[row]! ^= differing << half;
      square[row + half]! ^= differing;
    }
}

/** Makes a block's column what its signature says. Returns whether the part was changed. */
export function putColumn(part: Uint8Array, n: number, place: number, signature: Signature): boolean {
  const byte = place >>> 3;
  const mask = 1 << (place & 7);
  let changed = false;
  for (let row = 0, bit = n * ROWS_IN_PART; row < ROWS_IN_PART && bit < BITS; row += 1, bit += 1) {
    const at = row * ROW_BYTES + byte;
    const before = part[at]!;
    const after = hasBit(signature, bit) ? before | mask : before & ~mask;
    if (after === before) continue;
    part[at] = after;
    changed = true;
  }
  return changed;
}
