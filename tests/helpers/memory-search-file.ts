/** The file of a search index, kept in memory. What is written is copied, as a real file does. */
import type {
  OpenBlock,
  SearchBatch,
  SearchFile,
  SearchMarks,
  SegmentCounts,
} from '../../src/core/store/ports/search.ts';

export class MemorySearchFile implements SearchFile {
  /** Everything that was saved, the oldest first. */
  readonly saved: SearchBatch[] = [];
  settled = 0;
  closed = 0;
  /** Segment and part of everything that was read. */
  readonly read: Array<readonly [segment: number, part: number]> = [];
  #marks: SearchMarks | null = null;
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #counts = new Map<number, Uint8Array>();
  readonly #parts = new Map<string, Uint8Array>();

  marks(): SearchMarks | null {
    return this.#marks;
  }

  blocks(): OpenBlock[] {
    return [...this.#blocks].map(([block, signature]) => ({ block, signature: signature.slice() }));
  }

  counts(): SegmentCounts[] {
    return [...this.#counts].map(([segment, counts]) => ({ segment, counts: counts.slice() }));
  }

  part(segment: number, part: number): Uint8Array | undefined {
    this.read.push([segment, part]);
    return this.#parts.get(`${segment}/${part}`)?.slice();
  }

  save(batch: SearchBatch): void {
    this.saved.push(batch);
    this.#marks = batch.marks;
    for (const block of this.#blocks.keys()) if (block < batch.dropBlocks) this.#blocks.delete(block);
    for (const segment of this.#counts.keys()) if (segment < batch.dropSegments) this.#counts.delete(segment);
    for (const key of this.#parts.keys()) if (Number(key.split('/')[0]) < batch.dropSegments) this.#parts.delete(key);
    for (const { block, signature } of batch.blocks) this.#blocks.set(block, signature.slice());
    for (const { segment, counts } of batch.counts) this.#counts.set(segment, counts.slice());
    for (const { segment, part, bytes } of batch.parts) this.#parts.set(`${segment}/${part}`, bytes.slice());
  }

  settle(): void {
    this.settled += 1;
  }

  bytes(): number {
    return 4_096 * (1 + this.#blocks.size + this.#parts.size);
  }

  close(): void {
    this.closed += 1;
  }
}
