/**
 * The list of all messages and the list of the filter, of which one is shown. Keeps both up to date while messages
 * come, move and are removed.
 */
import type { MessageFilter } from '../../../contract/commands.ts';
import { ContractError } from '../../../contract/errors.ts';
import type { ChangeBatch } from '../../../contract/live.ts';
import type { MessageRow } from '../../../contract/values.ts';
import { Announcer } from './announcer.ts';
import { Arrivals } from './arrivals.ts';
import { Entered } from './entered.ts';
import type { Screenful } from './fetch-plan.ts';
import { emptyQuery, toFilter } from './filter.ts';
import { Filtering, type FilteringDeps } from './filtering.ts';
import type { LiveList } from './list.ts';
import { type HiddenBy, type ListView, listViewOf } from './snapshot.ts';
import { WholeList } from './whole-list.ts';

const RETRY_MS = 1_000;

/** What the stream needs from outside. Times are wall times in epoch milliseconds. */
export type LiveDeps = Pick<FilteringDeps, 'call' | 'getRow' | 'cacheRows' | 'now' | 'after' | 'dayOf' | 'sources'>;

export interface ListsDeps extends LiveDeps {
  /** Whether new rows are held now. */
  readonly holds: () => boolean;
  /** Another list is shown. */
  readonly onShown: () => void;
  /** Rows of the shown list entered, left, or became known. */
  readonly onChange: () => void;
  /** Something other than the rows changed: a count, a failure, the progress of a search. */
  readonly onProgress: () => void;
}

/** Whether messages came, changed or were removed. */
export const concernsMessages = ({ reset, messages, removedMessages }: ChangeBatch): boolean =>
  reset || messages.length > 0 || removedMessages.length > 0;

export class Lists {
  readonly announcer = new Announcer();
  readonly whole: WholeList;
  readonly filtering: Filtering;
  readonly #deps: ListsDeps;
  readonly #arrivals: Arrivals;
  readonly #entered = new Entered();
  #hidden: ReadonlySet<number> = new Set();
  #failure: ContractError | null = null;

  constructor(deps: ListsDeps) {
    this.#deps = deps;
    this.whole = new WholeList({
      ...deps,
      holds: () => this.filtering.shown === null && deps.holds(),
      onLoaded: () => this.#loaded(),
      onChange: () => this.changed(),
      onAhead: () => this.#succeeded(),
      onFailure: (error, again) => this.#failed(error, again),
    });
    this.filtering = new Filtering({
      ...deps,
      total: () => this.whole.list.total,
      out: () => ({ clearedId: this.whole.list.clearedId, hidden: this.#hidden }),
      onShown: () => this.#filterShown(),
      onChange: (entered) => this.#filteredChanged(entered),
      onFailure: (error) => this.#failed(error, () => this.filtering.resume()),
    });
    this.#arrivals = new Arrivals({ ...deps, onDue: () => this.#apply(), onRate: () => deps.onProgress() });
  }

  /** The list on screen. */
  get shown(): LiveList {
    return this.filtering.shown?.list ?? this.whole.list;
  }
  /** What the list on screen shows. */
  get shownFilter(): MessageFilter {
    return this.filtering.shown?.filter ?? toFilter(emptyQuery);
  }
  /** The error of the last request, or null. */
  get failure(): ContractError | null {
    return this.#failure;
  }
  /** Messages a second while the list applies at 4 Hz, or null. */
  get rate(): number | null {
    return this.#arrivals.rate;
  }

  /** The rows of the shown list, to be drawn. */
  view(): ListView {
    return listViewOf(this.shown, {
      isUnmatched: (id) => this.filtering.shown?.list.isUnmatched(id) ?? false,
      justEntered: (id) => this.#entered.has(id, this.#deps.now()),
      hiddenBy: (id) => this.#hiddenBy(id),
    });
  }

  /** The engine greeted. `anew` when the known state is void; otherwise the difference follows as batches. */
  connected(total: number, anew: boolean): void {
    if (anew || !this.whole.loaded) {
      this.#start(total);
      return;
    }
    this.whole.reconnected();
    this.filtering.resume();
  }

  batch(batch: ChangeBatch): void {
    const { reset, messages, removedMessages, parts } = batch;
    if (reset) {
      const total = parts.status?.total ?? this.whole.list.total;
      this.#arrivals.missed(total - this.whole.list.total);
      this.#start(total);
    }
    if (removedMessages.length > 0) this.#remove(removedMessages);
    if (concernsMessages(batch)) this.filtering.recount();
    this.#arrivals.add(messages, this.whole.list.lastId);
  }

  /** The screen shows these positions of the shown list. */
  look(screen: Omit<Screenful, 'count'>): void {
    (this.filtering.shown ?? this.whole).look({ ...screen, count: this.shown.count });
  }

  /** Applies Clear, or its undo, to both lists. */
  both(work: (list: LiveList) => void): void {
    work(this.whole.list);
    if (this.filtering.shown !== null) work(this.filtering.shown.list);
  }

  /** Messages that the user hid one by one. */
  get hidden(): ReadonlySet<number> {
    return this.#hidden;
  }
  /** Hides these messages and shows all others. */
  hide(ids: ReadonlySet<number>): void {
    this.#hidden = ids;
    this.filtering.hide(ids);
    this.whole.hide(ids);
    this.changed();
  }

  /** A request of the shown list has succeeded. */
  changed(): void {
    this.#failure = null;
    this.#deps.onChange();
  }

  /** As {@link changed}, where no row on screen has changed. */
  #succeeded(): void {
    if (this.#failure === null) return;
    this.#failure = null;
    this.#deps.onProgress();
  }

  #start(total: number): void {
    this.whole.load(total);
    if (this.#deps.holds()) this.filtering.shown?.catchUp();
    else if (this.filtering.shown !== null) this.filtering.reopen();
  }

  #loaded(): void {
    this.changed();
    this.#apply();
  }

  #remove(ids: readonly number[]): void {
    this.#arrivals.forget(ids);
    this.filtering.remove(ids);
    this.whole.remove(ids);
    this.changed();
  }

  #apply(): void {
    if (!this.whole.loaded) return;
    const rows = this.#arrivals.takeAll();
    if (rows.length === 0) return;
    const holds = this.#deps.holds();
    const newestBefore = this.whole.list.lastId;
    const filtered = this.filtering.shown !== null;
    const arrived = this.whole.list.arrive(rows, holds && !filtered);
    this.#announce(arrived, rows);
    const matched = this.filtering.consider(rows, holds);
    if (!holds && !this.#arrivals.busy) this.#entered.add(idsAbove(rows, newestBefore), this.#deps.now());
    if (filtered ? matched : arrived > 0) this.changed();
    else this.#deps.onProgress();
  }

  #announce(arrived: number, rows: readonly MessageRow[]): void {
    this.announcer.arrived(arrived);
    for (const row of rows) this.announcer.state(row.id, row.state);
  }

  #filterShown(): void {
    this.whole.list.admit();
    this.#deps.onShown();
    this.changed();
  }

  #filteredChanged(entered: readonly number[]): void {
    if (!this.#deps.holds()) this.#entered.add(entered, this.#deps.now());
    this.changed();
  }

  #hiddenBy(id: number): HiddenBy | null {
    if (this.#hidden.has(id)) return 'hidden';
    if (id <= this.whole.list.clearedId) return 'cleared';
    return this.filtering.shown?.excludes(id) ? 'filter' : null;
  }

  #failed(error: unknown, again: () => void): void {
    // A lost connection is not reported here. The frame shows it, and the next greeting continues.
    if (error instanceof ContractError && error.code === 'stopped') return;
    this.#failure = error instanceof ContractError ? error : new ContractError('internal');
    this.#deps.onProgress();
    this.#deps.after(RETRY_MS, again);
  }
}

const idsAbove = (rows: readonly MessageRow[], id: number): number[] =>
  rows.filter((row) => row.id > id).map((row) => row.id);
