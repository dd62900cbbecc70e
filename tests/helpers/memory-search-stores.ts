/** A store of messages and the file of its search index, in memory. */
import type { SearchBatch, SearchSource, SearchStores } from '../../src/core/store/ports/search.ts';
import { MemorySearchFile } from './memory-search-file.ts';

/** Another program has locked the file. */
export class Locked extends Error {}

/** Tells of each use of the file before it happens. */
class WatchedFile extends MemorySearchFile {
  readonly #before: (use: FileUse) => void;

  constructor(before: (use: FileUse) => void) {
    super();
    this.#before = before;
  }

  override part(segment: number, part: number): Uint8Array | undefined {
    this.#before('read');
    return super.part(segment, part);
  }

  override save(batch: SearchBatch): void {
    this.#before('save');
    super.save(batch);
  }
}

export type FileUse = 'open' | 'read' | 'save';

export class MemorySearchStores implements SearchStores {
  /** Texts of the messages, by id. */
  readonly texts = new Map<number, readonly string[]>();
  /** The attempts, from 1 on, with the responses that are stored. */
  readonly attempts: Array<{ readonly messageId: number; readonly response: string }> = [];
  /** Blocks of 64 messages of which a page is damaged. */
  readonly damaged = new Set<number>();
  /** First and last id of the texts, and of the counts, that were asked for. */
  readonly read: Array<readonly [first: number, last: number]> = [];
  readonly counted: Array<readonly [first: number, last: number]> = [];
  /** How often it was opened, deleted, and the store was closed. */
  readonly times = { opened: 0, deleted: 0, sourceClosed: 0 };
  /** Called before the file is used. It may throw. */
  before: (use: FileUse) => void = () => {};
  file: MemorySearchFile = this.#newFile();

  #newFile(): MemorySearchFile {
    return new WatchedFile((use) => this.before(use));
  }

  /** One message in each of these blocks of 64, in its second place. */
  fill(blocks: number, from = 0): void {
    for (let block = from; block < from + blocks; block += 1) this.texts.set(64 * block + 1, [`word ${block}`]);
  }

  get newest(): number {
    return Math.max(0, ...this.texts.keys());
  }

  #between(first: number, last: number): number[] {
    return [...this.texts.keys()].filter((id) => id >= first && id <= last);
  }

  readonly source: SearchSource = {
    storeId: () => 'store',
    oldestId: () => Math.min(...this.texts.keys()),
    newestId: () => this.newest,
    texts: (first, last) => {
      this.read.push([first, last]);
      if (this.damaged.has(first / 64)) return null;
      const ids = this.#between(first, last);
      return { messages: ids.length, texts: ids.flatMap((id) => this.texts.get(id)!), requests: [] };
    },
    counts: (first, last, size) => {
      this.counted.push([first, last]);
      const groups = this.#between(first, last).map((id) => Math.floor(id / size));
      return new Map(groups.map((group) => [group, groups.filter((one) => one === group).length]));
    },
    newestSettled: () => this.attempts.length,
    responses: (after, upTo) =>
      this.attempts.slice(after, upTo).map(({ messageId, response }) => ({ messageId, body: Buffer.from(response) })),
    groupsTried: (after, size) => this.attempts.slice(after).map(({ messageId }) => Math.floor(messageId / size)),
    close: () => {
      this.times.sourceClosed += 1;
    },
  };

  openFile(): MemorySearchFile {
    this.before('open');
    this.times.opened += 1;
    return this.file;
  }

  isLocked(error: unknown): boolean {
    return error instanceof Locked;
  }

  deleteFile(): void {
    this.times.deleted += 1;
    this.file = this.#newFile();
  }
}
