/** Where a text may be: the blocks that have all its bits, newest first, and what is not in the index yet. */
import { hasBit } from './grams.ts';
import type { IndexData } from './index-data.ts';
import {
  addBlock,
  allBlocks,
  BLOCK,
  type Blocks,
  hasBlock,
  isNone,
  keepThoseWith,
  noBlocks,
  partOf,
  SEGMENT,
  segmentOf,
} from './segment.ts';

/** Ids from `bottom`, below `top`. */
export interface IdRange {
  readonly top: number;
  readonly bottom: number;
}

export interface Found {
  /** Newest first. A message with the texts is in one of them, or below `searchedTo`. */
  readonly ranges: readonly IdRange[];
  /** Down to this id the index was asked; `after + 1` at the end. */
  readonly searchedTo: number;
}

export class Finding {
  readonly #data: IndexData;
  /** The one that left no block of the last segment is first. */
  readonly #bits: number[];
  readonly #alwaysIn: ReadonlySet<number>;
  #ranges: IdRange[] = [];
  #blocks = 0;

  /** `alwaysIn` are blocks with responses that are not in the index yet. */
  constructor(data: IndexData, bits: readonly number[], alwaysIn: ReadonlySet<number>) {
    this.#data = data;
    this.#bits = [...bits];
    this.#alwaysIn = alwaysIn;
  }

  run({ before, after, most }: { before: number; after: number; most: number }): Found {
    const bottom = after + 1;
    let top = before;
    const indexed = this.#data.nextBlock * BLOCK;
    if (top > indexed) {
      this.#add({ top, bottom: Math.max(bottom, indexed) });
      top = indexed;
    }
    while (top > bottom && this.#blocks < most) top = this.#newest(top, bottom);
    return { ranges: this.#ranges, searchedTo: Math.max(top, bottom) };
  }

  /** Looks at the segment below `top`. Returns where it begins. */
  #newest(top: number, bottom: number): number {
    const newest = Math.floor((top - 1) / BLOCK);
    const segment = segmentOf(newest);
    const first = segment * SEGMENT;
    const blocks = this.#blocksOf(segment);
    for (let block = newest; block >= first; block -= 1) {
      const ids = { top: Math.min(top, (block + 1) * BLOCK), bottom: Math.max(bottom, block * BLOCK) };
      if (hasBlock(blocks, block - first) || this.#alwaysIn.has(block)) this.#add(ids);
    }
    return Math.max(bottom, first * BLOCK);
  }

  /** Neighbours make one range. One that is empty is left out. */
  #add(range: IdRange): void {
    if (range.top <= range.bottom) return;
    this.#blocks += 1;
    const last = this.#ranges.at(-1);
    if (last?.bottom === range.top) this.#ranges[this.#ranges.length - 1] = { top: last.top, bottom: range.bottom };
    else this.#ranges.push(range);
  }

  #blocksOf(segment: number): Blocks {
    return this.#data.isFinished(segment) ? this.#finished(segment) : this.#open(segment);
  }

  #finished(segment: number): Blocks {
    const blocks = allBlocks();
    for (const [place, bit] of this.#bits.entries()) {
      const part = this.#data.part(segment, partOf(bit));
      if (part === undefined) continue;
      keepThoseWith(blocks, part, bit);
      if (!isNone(blocks)) continue;
      // Most likely it is rare in other segments too.
      this.#bits.unshift(...this.#bits.splice(place, 1));
      break;
    }
    return blocks;
  }

  #open(segment: number): Blocks {
    const blocks = noBlocks();
    for (let place = 0; place < SEGMENT; place += 1) {
      const signature = this.#data.signature(segment * SEGMENT + place);
      if (signature === undefined || this.#bits.every((bit) => hasBit(signature, bit))) addBlock(blocks, place);
    }
    return blocks;
  }
}
