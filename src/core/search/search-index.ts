/**
 * The index: one signature for each 64 messages, kept in its file. It finds where a text may be, never where it is: whoever
 * asks reads the messages of the blocks that are left. Knows neither threads nor clocks.
 */
import type { Slice } from '../model/slice.ts';
import type { SearchFile, SearchSource } from '../store/ports/search.ts';
import { Finding, type Found } from './finding.ts';
import { BitSetter, bitsOf, fill, newSignature, SHORTEST, type Signature } from './grams.ts';
import { IndexData } from './index-data.ts';
import { readingsOf, receivedTexts } from './received.ts';
import { BLOCK, blockOf, SEGMENT, SEGMENT_IDS } from './segment.ts';

/** Where the texts are asked for. */
export interface Sought {
  /** Each of them is in the message. */
  readonly texts: readonly string[];
  /** Ids below `before` and above `after`. */
  readonly before: number;
  readonly after: number;
  /** It stops after about so many blocks. */
  readonly most: number;
}

/** How far it is. */
export interface Progress {
  /** Messages that are in the index, and all of them. */
  readonly indexed: number;
  readonly total: number;
}

/** Attempts whose responses are read at once. */
const ATTEMPTS = 64;

export class SearchIndex {
  readonly #source: SearchSource;
  readonly #data: IndexData;
  readonly #bits = new BitSetter();
  #newest = 0;
  /** Blocks of which messages were removed. */
  readonly #dirty = new Set<number>();

  /** Takes over what the file has, when it is of this store. */
  constructor(source: SearchSource, file: SearchFile) {
    this.#source = source;
    this.#newest = source.newestId();
    this.#data = new IndexData(file, {
      storeId: source.storeId(),
      nextBlock: blockOf(source.oldestId()),
      attempt: source.newestSettled(),
      newest: this.#newest,
    });
  }

  /** Messages up to this one are stored. */
  stored(newest: number): void {
    this.#newest = Math.max(this.#newest, newest);
  }

  get progress(): Progress {
    const indexed = this.#data.messages;
    const next = Math.max(this.#data.nextBlock * BLOCK, this.#source.oldestId());
    return { indexed, total: indexed + Math.max(0, this.#newest + 1 - next) };
  }

  /** Messages that would make whole blocks and are not in the index. */
  get behind(): number {
    return Math.max(0, blockOf(this.#newest + 1) - this.#data.nextBlock) * BLOCK;
  }

  get bytes(): number {
    return this.#data.bytes;
  }

  /** Takes in what is new: whole blocks first, then responses. Returns whether there is more. */
  work(slice: Slice): boolean {
    while (this.behind > 0) {
      this.#take(this.#data.nextBlock);
      if (slice.isOver()) return true;
    }
    return this.#respond(slice);
  }

  #take(block: number): void {
    const signature = this.#data.room(block);
    this.#data.add(block, signature, this.#read(block, signature));
  }

  /** Writes the signature of what the messages of a block hold. Returns how many they are. */
  #read(block: number, signature: Signature): number {
    const found = this.#source.texts(block * BLOCK, block * BLOCK + BLOCK - 1, SHORTEST);
    if (found === null) {
      fill(signature);
      return BLOCK;
    }
    const bits = this.#bits;
    bits.clear();
    for (const text of found.texts) for (const bytes of readingsOf(text)) bits.add(bytes);
    for (const request of found.requests)
      for (const text of receivedTexts(request)) for (const bytes of readingsOf(text)) bits.add(bytes);
    bits.writeTo(signature);
    return found.messages;
  }

  /** Responses to messages that are in the index. Those to others are read with them. */
  #respond(slice: Slice): boolean {
    const upTo = this.#source.newestSettled();
    while (this.#data.attempt < upTo) {
      const after = this.#data.attempt;
      const last = Math.min(upTo, after + ATTEMPTS);
      for (const { messageId, body } of this.#source.responses(after, last, SHORTEST)) {
        const block = blockOf(messageId);
        if (block < this.#data.nextBlock) for (const text of readingsOf(body)) this.#data.addText(block, text);
      }
      this.#data.attempt = last;
      if (slice.isOver()) return true;
    }
    return false;
  }

  // Removals

  /** Messages that are gone or hold nothing any more. Blocks older than any message go with their segment. */
  remove(ids: readonly number[]): void {
    const oldest = blockOf(this.#source.oldestId());
    for (const block of ids.map(blockOf)) if (block >= oldest && this.#data.has(block)) this.#dirty.add(block);
  }

  /** Takes removed messages out of the index. Returns whether there are more. */
  tidy(slice: Slice): boolean {
    this.#data.dropBelow(blockOf(this.#source.oldestId()));
    for (const block of [...this.#dirty].sort((a, b) => a - b)) {
      this.#dirty.delete(block);
      if (!this.#data.has(block)) continue;
      const signature = newSignature();
      this.#data.replace(block, signature, this.#read(block, signature));
      if (slice.isOver()) return this.#dirty.size > 0;
    }
    return false;
  }

  /**
   * Looks in the store for blocks that have lost messages, also while nobody told. A crash between the removal and {@link
   * tidy} leaves such blocks. Takes one segment at a time, from `segment` on; returns the next one, null after the last.
   */
  compare(segment: number): number | null {
    const segments = this.#data.segments().filter((one) => one >= segment);
    const next = segments[0];
    if (next === undefined) return null;
    const first = next * SEGMENT_IDS;
    const stored = this.#source.counts(first, first + SEGMENT_IDS - 1, BLOCK);
    for (let block = next * SEGMENT; block < (next + 1) * SEGMENT; block += 1)
      if (this.#data.has(block) && this.#data.count(block) !== (stored.get(block) ?? 0)) this.#dirty.add(block);
    return next + 1;
  }

  // Finding

  /** Null when no text is long enough to have a bit. */
  find({ texts, before, after, most }: Sought): Found | null {
    const bits = texts.flatMap((text) => bitsOf(Buffer.from(text)));
    if (bits.length === 0) return null;
    const tried = this.#source.groupsTried(this.#data.attempt, BLOCK);
    const finding = new Finding(this.#data, bits, new Set(tried));
    return finding.run({ before, after: Math.max(after, this.#source.oldestId() - 1), most });
  }

  // The file

  /** Whether a transaction is worth it. */
  get isSaveDue(): boolean {
    return this.#data.isSaveDue;
  }

  /** Writes what has changed. */
  save(): void {
    this.#data.save();
  }

  /** Afterwards the files hold nothing of what was removed. */
  settle(): void {
    this.#data.save();
    this.#data.settle();
  }

  close(): void {
    this.#data.close();
  }
}
