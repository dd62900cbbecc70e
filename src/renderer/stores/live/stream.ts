/**
 * The live stream between the change feed and the screen: which list is shown, which rows wait, and when waiting rows
 * enter. The parts hold the rules; this file connects them and publishes a snapshot after each change.
 */
import { ContractError } from '../../../contract/errors.ts';
import type { ChangeBatch } from '../../../contract/live.ts';
import type { MessageRow } from '../../../contract/values.ts';
import { Announcer } from './announcer.ts';
import { Arrivals } from './arrivals.ts';
import { Entered } from './entered.ts';
import type { Screenful } from './fetch-plan.ts';
import type { Query } from './filter.ts';
import { Filtering, type FilteringDeps } from './filtering.ts';
import type { LiveList } from './list.ts';
import { type LiveSnapshot, listViewOf, NO_ROWS, startSnapshot } from './snapshot.ts';
import { modeOf, scrolled, startView, type ViewMode, type ViewState } from './view-mode.ts';
import { WholeList } from './whole-list.ts';

const RETRY_MS = 1_000;

/** What the stream needs from outside. Times are wall times in epoch milliseconds. */
export type LiveDeps = Pick<FilteringDeps, 'call' | 'getRow' | 'cacheRows' | 'now' | 'after' | 'dayOf' | 'sources'>;

export class LiveStream {
  readonly announcer = new Announcer();
  readonly #deps: LiveDeps;
  readonly #whole: WholeList;
  readonly #filtering: Filtering;
  readonly #arrivals: Arrivals;
  readonly #entered = new Entered();
  readonly #listeners = new Set<() => void>();
  #view: ViewState = startView;
  #leftAt = 0;
  #failure: ContractError | null = null;
  #rows = NO_ROWS;
  /** Grows when the screen has to go to the top: another list, or the newest rows were asked for. */
  #listVersion = 0;
  #snapshot = startSnapshot;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
    this.#whole = new WholeList({
      ...deps,
      holds: () => this.#filtering.shown === null && this.#holds,
      onLoaded: () => this.#loaded(),
      onChange: () => this.#changed(),
      onFailure: (error, again) => this.#failed(error, again),
    });
    this.#filtering = new Filtering({
      ...deps,
      clearedId: () => this.#whole.list.clearedId,
      holds: () => this.#holds,
      onShown: () => this.#shown(),
      onChange: (entered) => this.#filteredChanged(entered),
      onProgress: () => this.#publish(),
      onFailure: (error) => this.#failed(error, () => this.#resumeLists()),
    });
    this.#arrivals = new Arrivals({ ...deps, onDue: () => this.#apply(), onRate: () => this.#publish() });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly snapshot = (): LiveSnapshot => this.#snapshot;

  // What the engine says

  /** The engine greeted; `anew` when what was known is void, else the difference follows as batches. */
  connected(total: number, anew: boolean): void {
    if (anew || !this.#whole.loaded) {
      this.#start(total);
      return;
    }
    this.#whole.reconnected();
    this.#filtering.resume();
  }

  batch({ reset, messages, removedMessages, parts }: ChangeBatch): void {
    if (reset) {
      const total = parts.status?.total ?? this.#whole.list.total;
      this.#arrivals.missed(total - this.#whole.list.total);
      this.#start(total);
    }
    if (removedMessages.length > 0) this.#remove(removedMessages);
    if (reset || messages.length > 0 || removedMessages.length > 0) this.#filtering.recount();
    this.#arrivals.add(messages, this.#whole.list.lastId);
  }

  #start(total: number): void {
    this.#whole.load(total);
    if (this.#holds) this.#filtering.shown?.catchUp();
    else if (this.#filtering.shown !== null) this.#filtering.reopen();
  }

  #loaded(): void {
    this.#changed();
    this.#apply();
  }

  #remove(ids: readonly number[]): void {
    this.#arrivals.forget(ids);
    this.#filtering.remove(ids);
    this.#whole.remove(ids);
    this.#changed();
  }

  #apply(): void {
    if (!this.#whole.loaded) return;
    const rows = this.#arrivals.takeAll();
    if (rows.length === 0) return;
    const newestBefore = this.#whole.list.lastId;
    const filtered = this.#filtering.shown !== null;
    const arrived = this.#whole.list.arrive(rows, this.#holds && !filtered);
    this.#announce(arrived, rows);
    const matched = this.#filtering.consider(rows, this.#holds);
    if (!this.#holds && !this.#arrivals.busy) this.#enter(idsAbove(rows, newestBefore));
    if (filtered ? matched : arrived > 0) this.#changed();
    else this.#publish();
  }

  #announce(arrived: number, rows: readonly MessageRow[]): void {
    this.announcer.arrived(arrived);
    for (const row of rows) this.announcer.state(row.id, row.state);
  }

  #enter(ids: readonly number[]): void {
    this.#entered.add(ids, this.#deps.now());
  }

  // What the person does

  /** The screen shows these positions. */
  look(screen: Omit<Screenful, 'count'>): void {
    (this.#filtering.shown ?? this.#whole).look({ ...screen, count: this.#list.count });
  }

  /** The list stands at this slot; 0 is the top. */
  scrolled(topSlot: number): void {
    const { view, held } = scrolled(this.#view, topSlot, this.#list.held);
    this.#view = view;
    if (held !== 'keep') this.#admit();
    else this.#publishMode();
  }

  /** Text selected, a menu open, or a row focused by keyboard: reasons to hold new rows. */
  reading(reasons: Partial<Pick<ViewState, 'textSelected' | 'menuOpen' | 'keyboardFocus'>>): void {
    this.#view = { ...this.#view, ...reasons };
    if (!this.#holds && this.#list.held > 0) this.#admit();
    else this.#publishMode();
  }

  /** The list's screen goes while the list stands `top` px below its top. What only a screen can be read by ends. */
  left(top: number): void {
    this.#leftAt = top;
    this.reading({ keyboardFocus: false, menuOpen: false });
  }
  /** Where the list stood when its screen was {@link left}, in px from its top. */
  get leftAt(): number {
    return this.#leftAt;
  }

  /** Shows the held rows; the screen goes to the top and follows, unless it is paused. */
  showNewest(): void {
    this.#goToTop(startView);
    this.#admit();
  }

  pause(): void {
    this.#view = { ...this.#view, pausedAt: this.#deps.now() };
    this.#publish();
  }
  resume(): void {
    this.#view = { ...this.#view, pausedAt: null };
    if (this.#holds) this.#publish();
    else this.#admit();
  }

  clear(): void {
    for (const list of this.#lists) list.clear();
    this.#view = { ...startView, pausedAt: this.#view.pausedAt };
    if (!this.#holds) this.#list.admit();
    this.#changed();
  }
  undoClear(): void {
    for (const list of this.#lists) list.undoClear();
    this.#changed();
  }
  /** Shows what every Clear hid. */
  unclear(): void {
    for (const list of this.#lists) list.unclear();
    this.#changed();
  }

  /** Filters anew, see {@link Filtering.set}. */
  setQuery(query: Query, options: { delayMs?: number; done?: boolean } = {}): void {
    this.#filtering.set(query, options);
  }
  /** Drops the rows that no longer match. */
  refresh(): void {
    this.#filtering.shown?.list.refresh();
    this.#changed();
  }

  /** Another list is on screen. */
  #shown(): void {
    this.#whole.list.admit();
    this.#goToTop({ ...startView, menuOpen: this.#view.menuOpen });
    this.#changed();
  }

  #filteredChanged(entered: readonly number[]): void {
    if (!this.#holds) this.#enter(entered);
    this.#changed();
  }

  #goToTop(view: ViewState): void {
    this.#view = { ...view, pausedAt: this.#view.pausedAt };
    this.#listVersion += 1;
  }

  #admit(): void {
    this.#list.admit();
    this.#changed();
  }

  #failed(error: unknown, again: () => void): void {
    // Without a connection there is nothing to say here: the frame does, and the next greeting goes on.
    if (error instanceof ContractError && error.code === 'stopped') return;
    this.#failure = error instanceof ContractError ? error : new ContractError('internal');
    this.#publish();
    this.#deps.after(RETRY_MS, again);
  }

  #resumeLists(): void {
    this.#whole.resume();
    this.#filtering.resume();
  }

  // What is shown

  get #list(): LiveList {
    return this.#filtering.shown?.list ?? this.#whole.list;
  }
  get #lists(): readonly LiveList[] {
    const { shown } = this.#filtering;
    return shown === null ? [this.#whole.list] : [this.#whole.list, shown.list];
  }
  get #mode(): ViewMode {
    return modeOf(this.#view);
  }
  /** Whether new rows wait above the list. */
  get #holds(): boolean {
    return this.#mode !== 'following';
  }

  /** The list is another: rows entered, left, or became known. */
  #changed(): void {
    this.#failure = null;
    this.#rows = listViewOf(this.#list, {
      isUnmatched: (id) => this.#filtering.shown?.list.isUnmatched(id) ?? false,
      justEntered: (id) => this.#entered.has(id, this.#deps.now()),
      hiddenBy: (id) => this.#hiddenBy(id),
    });
    this.#publish();
  }

  #hiddenBy(id: number): 'cleared' | 'filter' | null {
    if (id <= this.#whole.list.clearedId) return 'cleared';
    return this.#filtering.shown?.excludes(id) ? 'filter' : null;
  }

  #publishMode(): void {
    if (this.#mode !== this.#snapshot.mode) this.#publish();
  }

  #publish(): void {
    const { query, read, problem, counts, starting, shown } = this.#filtering;
    const { count, held, matching, cleared } = this.#list;
    this.#snapshot = {
      phase: this.#whole.loaded ? 'ready' : 'loading',
      failure: this.#failure,
      list: this.#rows,
      listVersion: this.#listVersion,
      mode: this.#mode,
      pausedAt: this.#view.pausedAt,
      count,
      held,
      matching,
      cleared,
      unmatched: shown?.list.unmatched ?? 0,
      scanning: starting || (shown?.scanning ?? false),
      starting,
      rate: this.#arrivals.rate,
      query,
      read,
      problem,
      counts,
    };
    for (const listener of this.#listeners) listener();
  }
}

const idsAbove = (rows: readonly MessageRow[], id: number): number[] =>
  rows.filter((row) => row.id > id).map((row) => row.id);
