/** What the index has: the newest segment in memory, the finished ones in the file. Changes are written together. */
import type { SearchFile, SearchMarks } from '../store/ports/search.ts';
import { addText, BITS, bitsOf, type Signature } from './grams.ts';
import {
  addToRow,
  BLOCK,
  emptyRows,
  PARTS,
  partOf,
  placeOf,
  putColumn,
  SEGMENT,
  segmentOf,
  turned,
} from './segment.ts';

/** So many changed blocks, or the parts of one segment, are a transaction. */
const BLOCKS_AT_ONCE = 64;

const WORDS = BITS / 32;

export interface Start extends SearchMarks {
  /** The newest stored message. */
  readonly newest: number;
}

export class IndexData {
  readonly #file: SearchFile;
  readonly #storeId: string | null;
  #nextBlock: number;
  attempt: number;
  /** Of the blocks of the newest segment. */
  readonly #signatures = new Map<number, Signature>();
  /**
   * 2 MB for the signatures of the newest segment, which the next one uses again. Signatures with memory of their own grow
   * old, and V8 kept them for long, because this thread seldom collects old objects.
   */
  readonly #room = new Uint32Array(SEGMENT * WORDS);
  /** The parts of the segment that was finished last, as long as they are not written. */
  #rows = emptyRows();
  /** Of each segment, the messages that its blocks had when they were read. */
  readonly #counts = new Map<number, Uint8Array>();
  #messages = 0;
  #dropBlocks = 0;
  #dropSegments = 0;
  readonly #changedBlocks = new Set<number>();
  readonly #changedCounts = new Set<number>();
  /** Changed parts by {@link keyOf}. */
  readonly #changedParts = new Map<number, Uint8Array>();
  #savedAttempt = -1;

  /** `start` counts for a file that is new or of another store. */
  constructor(file: SearchFile, start: Start) {
    this.#file = file;
    this.#storeId = start.storeId;
    const marks = file.marks();
    const fits = marks !== null && marks.storeId === start.storeId && marks.nextBlock * BLOCK <= start.newest + 1;
    this.#nextBlock = start.nextBlock;
    this.attempt = start.attempt;
    if (fits) this.#read(marks);
    else this.#dropAll();
  }

  #read({ nextBlock, attempt }: SearchMarks): void {
    this.#nextBlock = nextBlock;
    this.attempt = attempt;
    for (const { segment, counts } of this.#file.counts()) {
      this.#counts.set(segment, Uint8Array.from(counts));
      this.#messages += sum(counts);
    }
    for (const { block, signature } of this.#file.blocks()) {
      const own = this.room(block);
      // Bits that are missing would hide messages from a search. The file is made again.
      if (signature.length !== own.byteLength) throw new RangeError(`Block ${block} has ${signature.length} bytes.`);
      bytesOf(own).set(signature);
      this.#signatures.set(block, own);
    }
  }

  #dropAll(): void {
    this.#dropBlocks = Number.MAX_SAFE_INTEGER;
    this.#dropSegments = 2 ** 40;
  }

  /** Blocks below this one are in. */
  get nextBlock(): number {
    return this.#nextBlock;
  }

  /** Messages that are in. */
  get messages(): number {
    return this.#messages;
  }

  get bytes(): number {
    return this.#file.bytes();
  }

  segments(): number[] {
    return [...this.#counts.keys()].sort((a, b) => a - b);
  }

  has(block: number): boolean {
    return block < this.#nextBlock && this.#counts.has(segmentOf(block));
  }

  count(block: number): number {
    return this.#counts.get(segmentOf(block))?.[placeOf(block)] ?? 0;
  }

  /** Of a block of the newest segment. */
  signature(block: number): Signature | undefined {
    return this.#signatures.get(block);
  }

  /** Whether a segment is finished, so that its rows are in its parts. */
  isFinished(segment: number): boolean {
    return segment < segmentOf(this.#nextBlock);
  }

  /** Undefined when it is not there: then nothing is known of its rows. */
  part(segment: number, part: number): Uint8Array | undefined {
    return this.#changedParts.get(keyOf(segment, part)) ?? this.#file.part(segment, part);
  }

  // Changes

  /** For the signature of a block of the newest segment. It still has what an earlier segment wrote there. */
  room(block: number): Signature {
    const start = placeOf(block) * WORDS;
    return this.#room.subarray(start, start + WORDS);
  }

  /** Takes in the next block. */
  add(block: number, signature: Signature, messages: number): void {
    this.#signatures.set(block, signature);
    this.#changedBlocks.add(block);
    this.#setCount(block, messages);
    this.#nextBlock = block + 1;
    if (placeOf(this.#nextBlock) === 0) this.#finish(segmentOf(block));
  }

  #finish(segment: number): void {
    const first = segment * SEGMENT;
    const signatures = Array.from({ length: SEGMENT }, (_, place) => this.#signatures.get(first + place));
    if (this.#changedParts.size > 0) this.#rows = emptyRows();
    for (const [part, bytes] of turned(signatures, this.#rows).entries())
      this.#changedParts.set(keyOf(segment, part), bytes);
    this.#signatures.clear();
    this.#changedBlocks.clear();
    this.#dropBlocks = Math.max(this.#dropBlocks, first + SEGMENT);
  }

  /** Adds a text to a block that is in. */
  addText(block: number, text: Uint8Array): void {
    if (!this.has(block)) return;
    const segment = segmentOf(block);
    if (this.isFinished(segment)) return this.#addToParts(segment, placeOf(block), text);
    const signature = this.#signatures.get(block);
    if (signature === undefined) return;
    addText(signature, text);
    this.#changedBlocks.add(block);
  }

  #addToParts(segment: number, place: number, text: Uint8Array): void {
    for (const bit of bitsOf(text)) {
      const n = partOf(bit);
      const part = this.part(segment, n);
      if (part !== undefined && addToRow(part, bit, place)) this.#changedParts.set(keyOf(segment, n), part);
    }
  }

  /** After messages of the block were removed. */
  replace(block: number, signature: Signature, messages: number): void {
    const segment = segmentOf(block);
    this.#setCount(block, messages);
    if (!this.isFinished(segment)) {
      this.#signatures.set(block, signature);
      this.#changedBlocks.add(block);
      return;
    }
    for (let n = 0; n < PARTS; n += 1) {
      const part = this.part(segment, n);
      if (part !== undefined && putColumn(part, n, placeOf(block), signature))
        this.#changedParts.set(keyOf(segment, n), part);
    }
  }

  #setCount(block: number, messages: number): void {
    const segment = segmentOf(block);
    const counts = this.#counts.get(segment) ?? new Uint8Array(SEGMENT);
    this.#messages += messages - counts[placeOf(block)]!;
    counts[placeOf(block)] = messages;
    this.#counts.set(segment, counts);
    this.#changedCounts.add(segment);
  }

  /** Forgets segments of which no message is left. */
  dropBelow(block: number): void {
    const segment = segmentOf(block);
    for (const [old, counts] of this.#counts) {
      if (old >= segment) continue;
      this.#messages -= sum(counts);
      this.#counts.delete(old);
      this.#changedCounts.delete(old);
      this.#dropSegments = Math.max(this.#dropSegments, segment);
    }
  }

  // The file

  get isSaveDue(): boolean {
    return this.#changedBlocks.size >= BLOCKS_AT_ONCE || this.#changedParts.size >= PARTS;
  }

  get #isChanged(): boolean {
    const rows = this.#changedBlocks.size + this.#changedCounts.size + this.#changedParts.size + this.#dropSegments;
    return rows > 0 || this.attempt !== this.#savedAttempt;
  }

  /** One transaction. Blocks and the mark of how far they go are in the same one. */
  save(): void {
    if (!this.#isChanged) return;
    const marks = { storeId: this.#storeId, nextBlock: this.#nextBlock, attempt: this.attempt };
    this.#file.save({
      marks,
      blocks: [...this.#changedBlocks].map((block) => ({ block, signature: bytesOf(this.#signatures.get(block)!) })),
      counts: [...this.#changedCounts].map((segment) => ({ segment, counts: this.#counts.get(segment)! })),
      parts: [...this.#changedParts].map(([key, bytes]) => ({
        segment: Math.floor(key / PARTS),
        part: key % PARTS,
        bytes,
      })),
      dropBlocks: this.#dropBlocks,
      dropSegments: this.#dropSegments,
    });
    this.#changedBlocks.clear();
    this.#changedCounts.clear();
    this.#changedParts.clear();
    this.#dropBlocks = 0;
    this.#dropSegments = 0;
    this.#savedAttempt = marks.attempt;
  }

  settle(): void {
    this.#file.settle();
  }

  close(): void {
    this.#file.close();
  }
}

const keyOf = (segment: number, part: number): number => segment * PARTS + part;
const sum = (counts: Uint8Array): number => counts.reduce((all, one) => all + one, 0);

const bytesOf = ({ buffer, byteOffset, byteLength }: Signature): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
