/**
 * The selected messages (design/ui, section 16). A selection is a set of ids. Ids that the list has not read are read
 * from the engine, page by page, without their rows.
 */
import type { Client } from '../../../contract/channel.ts';
import type { MessageFilter } from '../../../contract/commands.ts';
import { emptyQuery, toFilter } from './filter.ts';
import type { LiveList } from './list.ts';
import { PickedIds } from './picked-ids.ts';

/** Ids of one request; the contract's limit. */
const PAGE = 10_000;
/** When the engine made no progress (its index lags), ask again after this time, in milliseconds. */
const STUCK_MS = 250;

export interface SelectionDeps {
  readonly call: Client['call'];
  readonly after: (ms: number, run: () => void) => void;
  /** The list on screen, its filter, and what the user hid in it. */
  readonly shown: () => {
    readonly list: LiveList;
    readonly filter: MessageFilter;
    readonly hidden: ReadonlySet<number>;
  };
  readonly onFailure: (error: unknown) => void;
}

export interface SelectionView {
  readonly count: number;
  readonly has: (id: number) => boolean;
  /** True while further ids are being read. */
  readonly reading: boolean;
  /** In no order. */
  readonly values: () => Iterable<number>;
  /** In the order received. */
  readonly ids: () => number[];
}

const NOTHING: SelectionView = { count: 0, has: () => false, reading: false, values: () => [], ids: () => [] };

/** Ids above `after` and below `before` that match. */
interface Range {
  readonly filter: MessageFilter;
  readonly after: number;
  readonly before: number;
}

export class Selection {
  readonly #deps: SelectionDeps;
  readonly #picked = new PickedIds();
  readonly #listeners = new Set<() => void>();
  /** What the user chose one by one while a range is read. The range leaves these alone. */
  readonly #touched = new Set<number>();
  #view = NOTHING;
  /** Increases with each range, so that an older one is read no further. */
  #reads = 0;
  #reading = false;

  constructor(deps: SelectionDeps) {
    this.#deps = deps;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly snapshot = (): SelectionView => this.#view;

  toggle(id: number): void {
    if (this.#reading) this.#touched.add(id);
    this.#picked.toggle(id);
    this.#publish();
  }

  /** The next range begins at this row. */
  anchorAt(id: number): void {
    if (!this.#reading) this.#picked.anchorAt(id);
  }

  /** Selects the rows from the anchor, or `from` when there is none, to this one. Replaces the range before. */
  extendTo(id: number, from: number | null): void {
    const anchor = this.#picked.anchor ?? from ?? id;
    if (this.#picked.anchor === null) this.#picked.anchorAt(anchor);
    const [newest, oldest] = [Math.max(anchor, id), Math.min(anchor, id)];
    this.#endReading();
    this.#picked.dropRange();
    const { list, filter } = this.#deps.shown();
    const known = knownBetween(list, newest, oldest);
    this.#picked.addToRange(known.ids);
    if (!known.all) this.#read({ filter, after: oldest - 1, before: newest + 1 });
    this.#publish();
  }

  /** Adds every row of the list. Rows that are held above it stay out, as do those that Clear hid. */
  selectAll(): void {
    const { list, filter } = this.#deps.shown();
    if (list.count === 0) return;
    this.#endReading();
    this.#picked.anchorAt(list.newestShownId);
    this.#read({ filter, after: list.clearedId, before: list.newestShownId + 1 });
    this.#publish();
  }

  clear(): void {
    this.#endReading();
    if (this.#picked.count === 0) return;
    this.#picked.clear();
    this.#publish();
  }

  /** These messages are gone. */
  remove(ids: readonly number[]): void {
    if (this.#picked.remove(ids)) this.#publish();
  }

  /** Changes were missed, so that some messages may be gone: keeps those that are still stored. */
  recheck(): void {
    const ids = [...this.#picked.values()];
    if (ids.length === 0) return;
    const gone = new Set(ids);
    const newest = ids.reduce((a, b) => Math.max(a, b));
    const oldest = ids.reduce((a, b) => Math.min(a, b));
    void this.#pages(
      { filter: toFilter(emptyQuery), after: oldest - 1, before: newest + 1 },
      () => true,
      (page) => {
        for (const id of page) gone.delete(id);
      },
    ).then(
      () => this.remove([...gone]),
      (error: unknown) => this.#deps.onFailure(error),
    );
  }

  #endReading(): void {
    this.#reads += 1;
    this.#reading = false;
    this.#touched.clear();
  }

  #read(range: Range): void {
    const mine = this.#reads;
    const current = () => mine === this.#reads;
    this.#reading = true;
    const ended = () => {
      if (!current()) return;
      this.#endReading();
      this.#publish();
    };
    this.#pages(range, current, (ids) => {
      const { hidden } = this.#deps.shown();
      this.#picked.addToRange(ids.filter((id) => !this.#touched.has(id) && !hidden.has(id)));
      this.#publish();
    }).then(ended, (error: unknown) => {
      if (current()) this.#deps.onFailure(error);
      ended();
    });
  }

  /** Reads a range from its newest end down for as long as `wanted`. */
  async #pages(range: Range, wanted: () => boolean, take: (ids: readonly number[]) => void): Promise<void> {
    const { filter, after } = range;
    let { before } = range;
    for (let more = true; more && before - 1 > after; ) {
      const page = await this.#deps.call('messages.ids', { filter, after, before, limit: PAGE });
      if (!wanted()) return;
      take(page.ids);
      more = page.more;
      if (more && page.scannedTo === before) await this.#pause();
      before = page.scannedTo;
    }
  }

  #pause(): Promise<void> {
    return new Promise((done) => this.#deps.after(STUCK_MS, done));
  }

  #publish(): void {
    const picked = this.#picked;
    this.#view = {
      count: picked.count,
      has: (id) => picked.has(id),
      reading: this.#reading,
      values: () => picked.values(),
      ids: () => [...picked.values()].sort((a, b) => a - b),
    };
    for (const listener of this.#listeners) listener();
  }
}

/** The rows of the list between two of its rows, as far as it knows their ids. */
function knownBetween(list: LiveList, newest: number, oldest: number): { ids: number[]; all: boolean } {
  const [from, to] = [list.positionOf(newest), list.positionOf(oldest)];
  if (from === undefined || to === undefined) return { ids: [newest, oldest], all: false };
  const ids: number[] = [];
  for (let position = from; position <= to; position += 1) {
    const id = list.idAt(position);
    if (id === undefined) return { ids, all: false };
    ids.push(id);
  }
  return { ids, all: true };
}
