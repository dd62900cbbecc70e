/** A filtered list with its scan and its fetcher: keeps the list true while rows arrive and change. */

import type { MessageFilter } from '../../../contract/commands.ts';
import { rowMatches } from '../../../contract/filter.ts';
import type { MessageRow } from '../../../contract/values.ts';
import type { Screenful } from './fetch-plan.ts';
import { IdList } from './id-list.ts';
import { FIRST_ROWS, IdScan, type ScanDeps } from './id-scan.ts';
import type { DayOf } from './list.ts';
import { type FetchDeps, RowFetcher } from './row-fetcher.ts';

export interface FilteredDeps {
  readonly call: FetchDeps['call'];
  readonly getRow: FetchDeps['getRow'];
  readonly cacheRows: FetchDeps['cacheRows'];
  readonly after: ScanDeps['after'];
  readonly dayOf: DayOf;
  /** The first page has arrived and its rows are known. */
  readonly onReady: () => void;
  /** These rows entered the list, or rows in it changed. */
  readonly onChange: (entered: readonly number[]) => void;
  /** Whether new rows are held now. */
  readonly holds: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

/** What is not shown although it matches. */
export interface Out {
  readonly clearedId: number;
  readonly hidden: ReadonlySet<number>;
}

export class FilteredList {
  readonly list: IdList;
  readonly filter: MessageFilter;
  readonly #deps: FilteredDeps;
  readonly #scan: IdScan;
  readonly #fetcher: RowFetcher;
  #ready = false;
  #all: readonly MessageRow[] | null = null;
  /** Who waits until every match from an id up is known. */
  #readers: Array<{ readonly id: number; readonly done: () => void }> = [];

  /** Rows up to `clearedId` and those that the user hid stay out. */
  constructor(filter: MessageFilter, { clearedId, hidden }: Out, deps: FilteredDeps) {
    this.filter = filter;
    this.#deps = deps;
    this.list = new IdList(deps.dayOf);
    this.list.hideUpTo(clearedId);
    this.list.hide(hidden);
    this.#scan = new IdScan(this.list, filter, {
      ...deps,
      onPage: (rows, all) => this.#paged(rows, all),
      onFound: (ids) => this.#found(ids),
    });
    this.#fetcher = new RowFetcher(this.list, {
      ...deps,
      cacheRows: (rows) => this.#fetched(rows),
      onRows: () => this.#rowsCame(),
    });
  }

  /** Every row that matched when the list became ready, hidden ones too. Null when they were more than a screenful. */
  get all(): readonly MessageRow[] | null {
    return this.#all;
  }
  get scanning(): boolean {
    return this.#scan.paging;
  }

  start(): void {
    this.#scan.reach(0);
  }
  resume(): void {
    this.#scan.resume();
    this.#fetcher.forgetRequests();
    this.#fetcher.fill();
  }
  close(): void {
    this.#scan.close();
    for (const { done } of this.#readers.splice(0)) done();
    this.#fetcher.close();
  }

  /** Resolves once every match from this id up is in the list, or when the list is closed. */
  readTo(id: number): Promise<void> {
    return new Promise((done) => {
      this.#readers.push({ id, done });
      this.#scan.reachId(id);
      this.#tellReaders();
    });
  }

  #tellReaders(): void {
    const isThere = ({ id }: { readonly id: number }) => this.#read(id);
    for (const { done } of this.#readers.filter(isThere)) done();
    this.#readers = this.#readers.filter((one) => !isThere(one));
  }

  look(screen: Screenful): void {
    this.#scan.reach(screen.to);
    this.#fetcher.look(screen);
  }

  /** Changes were missed: looks for newer rows and fetches the known ones again. */
  catchUp(): void {
    this.#scan.ask([this.list.newestId + 1]);
    this.#fetcher.fill();
  }

  /** True when the filter excludes this row, false when it is just not known yet. */
  excludes(id: number): boolean {
    const read = this.list.complete || (this.list.before !== undefined && id >= this.list.before);
    return read && this.list.positionOf(id) === undefined && !this.list.isHeld(id);
  }

  /** Rows arrived or changed. True when the list changed. */
  consider(rows: readonly MessageRow[], hold: boolean): boolean {
    const candidates: number[] = [];
    const forEngine: number[] = [];
    let changed = false;
    for (const row of rows) {
      this.list.seen(row);
      const decided = rowMatches(this.filter, row);
      if (decided === false) {
        if (this.list.unmatch(row.id)) changed = true;
      } else if (this.#read(row.id)) (decided === true ? candidates : forEngine).push(row.id);
    }
    const isKnown = (id: number) => this.list.knows(id);
    const known = [...candidates, ...forEngine].filter(isKnown);
    if (known.length > 0 && this.list.rematch(known)) changed = true;
    this.#scan.ask(forEngine.filter((id) => !isKnown(id)));
    return (
      this.list.insert(
        candidates.filter((id) => !isKnown(id)),
        hold,
      ) > 0 || changed
    );
  }

  #read(id: number): boolean {
    return this.list.complete || (this.list.before !== undefined && id >= this.list.before);
  }

  #paged(rows: readonly MessageRow[], all: boolean): void {
    this.#fetched(rows);
    this.#tellReaders();
    if (this.#ready) {
      this.#deps.onChange([]);
      return;
    }
    if (this.list.count === 0 && !this.list.complete) {
      this.#deps.onChange([]);
      return;
    }
    if (all) this.#all = rows;
    // Until these rows are known, the list would be blank.
    this.#fetcher.look({ from: 0, to: FIRST_ROWS - 1, speed: 0, count: this.list.count });
    if (this.list.isReady(0, (id) => this.#deps.getRow(id) !== undefined)) this.#becomeReady();
  }

  #becomeReady(): void {
    this.#ready = true;
    this.#deps.onReady();
  }

  #rowsCame(): void {
    if (this.#ready) this.#deps.onChange([]);
    else this.#becomeReady();
  }

  #found(ids: readonly number[]): void {
    const fresh = ids.filter((id) => this.#read(id) && !this.list.knows(id));
    if (this.list.insert(fresh, this.#ready && this.#deps.holds()) > 0) this.#deps.onChange(fresh);
    this.#fetcher.fill();
  }

  /** Fetched rows count as changed, because one may have stopped matching since its id was read. */
  #fetched(rows: readonly MessageRow[]): void {
    this.#deps.cacheRows(rows);
    for (const row of rows) {
      this.list.seen(row);
      if (rowMatches(this.filter, row) === false) this.list.unmatch(row.id);
    }
  }
}
