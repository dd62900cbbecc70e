/** Scans of the list by a filter. Where the filter asks for a text, the search index says which messages are worth reading. */
import type { ListFilter } from '../../model/filter.ts';
import type { CountedKey } from '../../model/filter-counted.ts';
import { textsIn } from '../../model/filter-texts.ts';
import type { CountPage, IdPage, ListStore, ValuePage } from '../../store/ports/lists.ts';

/** Ids from `bottom`, below `top`. */
interface IdRange {
  readonly top: number;
  readonly bottom: number;
}

export interface TextIndex {
  /**
   * Where messages may be that hold every one of the texts, newest first and down to `searchedTo`, below which it has
   * not looked yet. Null when it does not know.
   */
  find(sought: {
    readonly texts: readonly string[];
    readonly before: number;
    readonly after: number;
    readonly most: number;
  }): Promise<{ readonly ranges: readonly IdRange[]; readonly searchedTo: number } | null>;
}

/** Blocks of messages that one answer of the index names, more than are read before the scan answers. */
const MOST = 256;
/** From so many different values on, an answer waits for no more, so that it stays small. */
const MOST_VALUES = 1_000;

/** Ids below `before` and above `after`. */
export interface Stretch {
  readonly filter: ListFilter;
  readonly before: number;
  readonly after: number;
}

export interface IndexedScanDeps {
  readonly lists: Pick<ListStore, 'ids' | 'tally' | 'values'>;
  readonly index: TextIndex;
  /** Called when reading begins. Returns what says whether there is time left. */
  forSomeTime(): () => boolean;
}

export class IndexedScan {
  readonly #deps: IndexedScanDeps;

  constructor(deps: IndexedScanDeps) {
    this.#deps = deps;
  }

  async ids({ limit, ...stretch }: Stretch & { readonly limit: number }): Promise<IdPage> {
    const ids: number[] = [];
    const end = await this.#scan(stretch, (scan) => {
      const page = this.#deps.lists.ids({ ...scan, limit: limit - ids.length });
      ids.push(...page.ids);
      return { ...page, isEnough: ids.length >= limit };
    });
    return { ids, ...end };
  }

  async tally(stretch: Stretch): Promise<CountPage> {
    const counts: CountPage['counts'] = {};
    const end = await this.#scan(stretch, (scan) => {
      const page = this.#deps.lists.tally(scan);
      for (const [state, n] of Object.entries(page.counts) as Array<[keyof typeof counts, number]>)
        counts[state] = (counts[state] ?? 0) + n;
      return { ...page, isEnough: false };
    });
    return { counts, ...end };
  }

  async values({ key, ...stretch }: Stretch & { readonly key: CountedKey }): Promise<ValuePage> {
    const counts = new Map<string, number>();
    const end = await this.#scan(stretch, (scan) => {
      const page = this.#deps.lists.values({ ...scan, key, most: MOST_VALUES - counts.size });
      for (const [value, n] of page.counts) counts.set(value, (counts.get(value) ?? 0) + n);
      return { ...page, isEnough: counts.size >= MOST_VALUES };
    });
    return { counts: [...counts], ...end };
  }

  /** Reads one range after the other, until there is enough or the time is over. */
  async #scan(
    { filter, before, after }: Stretch,
    read: (scan: Stretch & { keepGoing(): boolean }) => { scannedTo: number; more: boolean; isEnough: boolean },
  ): Promise<{ scannedTo: number; more: boolean }> {
    const texts = textsIn(filter);
    const found = texts.length === 0 ? null : await this.#deps.index.find({ texts, before, after, most: MOST });
    const { ranges, searchedTo } = found ?? { ranges: [{ top: before, bottom: after + 1 }], searchedTo: after + 1 };
    const keepGoing = this.#deps.forSomeTime();
    const upTo = (scannedTo: number) => ({ scannedTo, more: scannedTo > after + 1 });
    for (const [n, { top, bottom }] of ranges.entries()) {
      const { scannedTo, more, isEnough } = read({ filter, before: top, after: bottom - 1, keepGoing });
      if (more || isEnough) return upTo(scannedTo);
      // Nothing between two ranges needs to be read.
      if (!keepGoing()) return upTo(ranges[n + 1]?.top ?? searchedTo);
    }
    return upTo(searchedTo);
  }
}
