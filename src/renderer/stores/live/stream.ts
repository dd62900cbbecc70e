/**
 * The live stream between the change feed and the screen: which list is shown, which rows wait, and when waiting
 * rows enter. The rules are in the pure parts (live-ranks, live-ids, live-view, live-pace); this file connects them.
 */
import { ContractError } from '../../../contract/errors.ts';
import type { ChangeBatch } from '../../../contract/live.ts';
import type { MessageRow, SourceView } from '../../../contract/values.ts';
import type { Screenful } from './fetch-plan.ts';
import { isEmpty, type Query, toFilter } from './filter.ts';
import { FilterCounts } from './filter-counts.ts';
import { FilteredList } from './filtered-list.ts';
import type { DayOf, LiveList } from './list.ts';
import { Announcer, Entered, Pace } from './pace.ts';
import { RankList } from './rank-list.ts';
import type { FetchDeps } from './row-fetcher.ts';
import { RowFetcher } from './row-fetcher.ts';
import { type LiveSnapshot, startSnapshot } from './snapshot.ts';
import { readText } from './tokens.ts';
import { modeOf, scrolled, startView, type ViewMode, type ViewState } from './view-mode.ts';

/** Rows of the first page: more than a screen, so that the first turn of the wheel finds them. */
const HEAD_ROWS = 300;
const MAX_HEAD_ROWS = 500;
const RETRY_MS = 1_000;

export interface LiveDeps {
  readonly call: FetchDeps['call'];
  readonly getRow: FetchDeps['getRow'];
  readonly cacheRows: FetchDeps['cacheRows'];
  /** Wall time in epoch milliseconds. */
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
  readonly dayOf: DayOf;
  /** For the names in `source:`. */
  readonly sources: () => readonly SourceView[];
}

export class LiveStream {
  readonly announcer = new Announcer();
  readonly #deps: LiveDeps;
  readonly #pace = new Pace();
  readonly #ranks: RankList;
  readonly #rankFetcher: RowFetcher;
  /** The filtered list on screen. */
  #filtered: FilteredList | null = null;
  /** The filtered list that waits for its first page; what was shown stays until then. */
  #next: FilteredList | null = null;
  /** Of the newest filter, while it asks for more than states. */
  #counts: { readonly key: string; readonly of: FilterCounts } | null = null;
  #view: ViewState = startView;
  #loaded = false;
  /** Grows with each load, so that a later one wins. */
  #loads = 0;
  #pending = new Map<number, MessageRow>();
  #applyPlanned = false;
  readonly #entered = new Entered();
  readonly #listeners = new Set<() => void>();
  #snapshot = startSnapshot;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
    this.#ranks = new RankList(deps.dayOf);
    this.#rankFetcher = new RowFetcher(this.#ranks, {
      ...deps,
      onRows: (agrees) => (agrees ? this.#changed() : this.#load(this.#ranks.total)),
      onFailure: (error) => this.#failed(error),
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly snapshot = (): LiveSnapshot => this.#snapshot;

  get list(): LiveList {
    return this.#filtered?.list ?? this.#ranks;
  }
  isUnmatched(id: number): boolean {
    return this.#filtered?.list.isUnmatched(id) ?? false;
  }
  /** True for a row that entered at the top a moment ago. */
  justEntered(id: number): boolean {
    return this.#entered.has(id, this.#deps.now());
  }
  /** Why a row that exists is not in the list, or null. */
  hiddenBy(id: number): 'cleared' | 'filter' | null {
    if (id <= this.#ranks.clearedId) return 'cleared';
    return this.#filtered?.excludes(id) ? 'filter' : null;
  }

  // The change feed

  /** The engine greeted; `anew` when what was known is void, else the difference follows as batches. */
  connected(total: number, anew: boolean): void {
    if (anew || !this.#loaded) {
      this.#start(total);
      return;
    }
    this.#rankFetcher.forgetRequests();
    this.#goOn();
  }

  batch(batch: ChangeBatch): void {
    const now = this.#deps.now();
    if (batch.reset) {
      const total = batch.parts.status?.total ?? this.#ranks.total;
      this.#pace.arrived(now, Math.max(0, total - this.#ranks.total));
      this.#start(total);
    }
    if (batch.removedMessages.length > 0) this.#remove(batch.removedMessages);
    const known = this.#ranks.lastId;
    this.#pace.arrived(now, batch.messages.filter(({ id }) => id > known && !this.#pending.has(id)).length);
    for (const row of batch.messages) this.#pending.set(row.id, row);
    if (batch.reset || batch.messages.length > 0 || batch.removedMessages.length > 0) this.#counts?.of.changed();
    this.#planApply(now);
  }

  #start(total: number): void {
    this.#load(total);
    if (this.#filtered === null) return;
    if (this.#mode === 'following') this.#openFilter();
    else this.#filtered.catchUp();
  }

  #load(total: number): void {
    this.#loads += 1;
    const load = this.#loads;
    this.#rankFetcher.forgetRequests();
    this.#ranks.doubtAll();
    if (total === 0) {
      this.#begin(0, []);
      return;
    }
    const fromRank = Math.max(0, total - HEAD_ROWS);
    this.#deps.call('messages.window', { fromRank, count: MAX_HEAD_ROWS }).then(
      (answer) => {
        if (load !== this.#loads) return;
        if (fromRank + answer.rows.length !== answer.total) {
          this.#load(answer.total);
          return;
        }
        this.#deps.cacheRows(answer.rows);
        this.#begin(answer.total, answer.rows);
      },
      (error: unknown) => {
        if (load !== this.#loads) return;
        this.#failed(error, () => this.#load(total));
      },
    );
  }

  #begin(total: number, newest: readonly MessageRow[]): void {
    const hold = this.#loaded && this.#filtered === null && this.#mode !== 'following';
    this.#ranks.restart(total, newest, hold);
    this.#loaded = true;
    this.#publish({ phase: 'ready', failure: null });
    this.#changed();
    this.#apply();
    this.#rankFetcher.fill();
  }

  #remove(ids: readonly number[]): void {
    this.#ranks.remove(ids);
    this.#rankFetcher.forgetRequests();
    this.#filtered?.list.remove(ids);
    this.#next?.list.remove(ids);
    for (const id of ids) this.#pending.delete(id);
    this.#changed();
    this.#rankFetcher.fill();
  }

  #planApply(now: number): void {
    if (this.#applyPlanned) return;
    const wait = this.#pace.wait(now);
    if (wait === 0) {
      this.#apply();
      return;
    }
    this.#applyPlanned = true;
    this.#deps.after(wait, () => {
      this.#applyPlanned = false;
      this.#apply();
    });
  }

  #apply(): void {
    if (!this.#loaded || this.#pending.size === 0) return;
    const now = this.#deps.now();
    const rows = [...this.#pending.values()];
    this.#pending.clear();
    this.#pace.applied(now);
    const before = this.#ranks.lastId;
    const hold = this.#mode !== 'following';
    const arrived = this.#ranks.arrive(rows, hold && this.#filtered === null);
    this.announcer.arrived(arrived);
    for (const row of rows) this.announcer.state(row.id, row.state);
    const changed = this.#filtered?.consider(rows, hold) ?? arrived > 0;
    this.#next?.consider(rows, false);
    if (!hold && !this.#pace.busy(now)) this.#entered.add(idsAbove(rows, before), now);
    if (changed) this.#changed();
    else this.#publish({});
    this.#watchRate();
  }

  /** Lets the shown rate fall when nothing comes any more. */
  #watchRate(): void {
    if (this.#snapshot.rate === null || this.#rateWatched) return;
    this.#rateWatched = true;
    this.#deps.after(RETRY_MS, () => {
      this.#rateWatched = false;
      this.#publish({});
      this.#watchRate();
    });
  }
  #rateWatched = false;

  // What the person does

  /** The screen shows these positions. */
  look(screen: Omit<Screenful, 'count'>): void {
    const wanted = { ...screen, count: this.list.count };
    if (this.#filtered === null) this.#rankFetcher.look(wanted);
    else this.#filtered.look(wanted);
  }

  /** The list stands at this slot; 0 is the top. */
  scrolled(topSlot: number): void {
    const { view, held } = scrolled(this.#view, topSlot, this.list.held);
    this.#view = view;
    if (held !== 'keep') this.#admit();
    else if (modeOf(view) !== this.#snapshot.mode) this.#publish({});
  }

  /** Text selected, a menu open, or a row focused by keyboard: reasons to hold new rows. */
  reading(reasons: Partial<Pick<ViewState, 'textSelected' | 'menuOpen' | 'keyboardFocus'>>): void {
    this.#view = { ...this.#view, ...reasons };
    if (this.#mode === 'following' && this.list.held > 0) this.#admit();
    else if (this.#mode !== this.#snapshot.mode) this.#publish({});
  }

  /** Shows the held rows; the screen goes to the top and follows, unless it is paused. */
  showNewest(): void {
    const { pausedAt } = this.#view;
    this.#view = { ...startView, pausedAt };
    this.list.admit();
    this.#publish({ listVersion: this.#snapshot.listVersion + 1 });
    this.#changed();
  }

  pause(): void {
    this.#view = { ...this.#view, pausedAt: this.#deps.now() };
    this.#publish({});
  }

  resume(): void {
    this.#view = { ...this.#view, pausedAt: null };
    if (this.#mode === 'following') this.#admit();
    else this.#publish({});
  }

  clear(): void {
    this.#ranks.clear();
    this.#filtered?.list.clear();
    this.#view = { ...startView, pausedAt: this.#view.pausedAt };
    if (this.#mode === 'following') this.list.admit();
    this.#changed();
  }
  undoClear(): void {
    this.#ranks.undoClear();
    this.#filtered?.list.undoClear();
    this.#changed();
  }
  /** Shows what every Clear hid. */
  unclear(): void {
    this.#ranks.unclear();
    this.#filtered?.list.unclear();
    this.#changed();
  }

  /** Drops the rows that no longer match. */
  refresh(): void {
    this.#filtered?.list.refresh();
    this.#changed();
  }

  /**
   * Filters anew; with `delayMs` (typing) once nothing else was set for that long. `done`: a token that is only begun
   * is named instead of waited for.
   */
  setQuery(query: Query, { delayMs = 0, done = false } = {}): void {
    this.#publish({ query });
    this.#queries += 1;
    const mine = this.#queries;
    if (delayMs === 0) {
      this.#readFilter(done, true);
      return;
    }
    this.#deps.after(delayMs, () => {
      if (mine === this.#queries) this.#readFilter(done, false);
    });
  }
  #queries = 0;

  /** What cannot be read is named, and the list stays as it is. `anew` also where the same is asked for again. */
  #readFilter(done: boolean, anew: boolean): void {
    const { query, problem } = readText(this.#snapshot.query, this.#deps.sources(), done);
    if (problem !== null) {
      this.#publish({ problem });
      return;
    }
    const same = JSON.stringify(query) === JSON.stringify(this.#snapshot.read);
    this.#publish({ read: query, problem });
    if (anew || !same) this.#openFilter();
  }

  #openFilter(): void {
    const { read } = this.#snapshot;
    this.#next?.close();
    this.#next = null;
    this.#count(read);
    if (isEmpty(read)) {
      this.#show(null);
      return;
    }
    const next = new FilteredList(toFilter(read), this.#ranks.clearedId, {
      ...this.#deps,
      onReady: () => this.#show(next),
      onChange: (entered) => this.#filteredChanged(next, entered),
      holds: () => this.#mode !== 'following',
      onFailure: (error) => this.#failed(error),
    });
    this.#next = next;
    next.start();
    this.#publish({});
  }

  /** Counts what matches; what was counted stays until the first of the new numbers is there. */
  #count(read: Query): void {
    const filter = toFilter({ ...read, states: [] });
    const key = JSON.stringify(filter);
    if (this.#counts?.key === key) {
      this.#counts.of.changed();
      return;
    }
    this.#counts?.of.close();
    this.#counts = null;
    if (key === '{}') {
      this.#publish({ counts: null });
      return;
    }
    const of: FilterCounts = new FilterCounts(filter, {
      ...this.#deps,
      onChange: () => this.#counts?.of === of && this.#publish({ counts: of.view }),
    });
    this.#counts = { key, of };
    of.start();
  }

  #show(filtered: FilteredList | null): void {
    if (filtered !== null && filtered !== this.#next) return;
    this.#filtered?.close();
    this.#filtered = filtered;
    this.#next = null;
    this.#ranks.admit();
    this.#view = { ...this.#view, atTop: true, catchingUp: null, textSelected: false, keyboardFocus: false };
    this.#publish({ listVersion: this.#snapshot.listVersion + 1 });
    this.#changed();
  }

  #filteredChanged(list: FilteredList, entered: readonly number[]): void {
    if (list !== this.#filtered) {
      this.#publish({});
      return;
    }
    const now = this.#deps.now();
    if (this.#mode === 'following') this.#entered.add(entered, now);
    this.#changed();
  }

  get #mode(): ViewMode {
    return modeOf(this.#view);
  }

  #admit(): void {
    this.list.admit();
    this.#changed();
  }

  #failed(error: unknown, again?: () => void): void {
    // Without a connection there is nothing to say here: the frame does, and the next greeting goes on.
    if (error instanceof ContractError && error.code === 'stopped') return;
    const failure = error instanceof ContractError ? error : new ContractError('internal');
    this.#publish({ failure });
    this.#deps.after(RETRY_MS, again ?? (() => this.#goOn()));
  }

  #goOn(): void {
    this.#rankFetcher.fill();
    this.#filtered?.resume();
    this.#next?.resume();
  }

  #changed(): void {
    this.#publish({ version: this.#snapshot.version + 1, failure: null });
  }

  #publish(part: Partial<LiveSnapshot>): void {
    const { list } = this;
    const now = this.#deps.now();
    this.#snapshot = {
      ...this.#snapshot,
      ...part,
      mode: this.#mode,
      pausedAt: this.#view.pausedAt,
      count: list.count,
      held: list.held,
      matching: list.matching,
      cleared: list.cleared,
      unmatched: this.#filtered?.list.unmatched ?? 0,
      scanning: this.#next !== null || (this.#filtered?.scanning ?? false),
      starting: this.#next !== null,
      rate: this.#pace.busy(now) ? Math.round(this.#pace.perSecond(now)) : null,
    };
    for (const listener of this.#listeners) listener();
  }
}

const idsAbove = (rows: readonly MessageRow[], id: number): number[] =>
  rows.filter((row) => row.id > id).map((row) => row.id);
