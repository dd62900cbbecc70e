/**
 * The live stream as the screen sees it: whether the user follows, reads or has paused, and the shown rows. Publishes a
 * snapshot after each change.
 */
import type { ChangeBatch } from '../../../contract/live.ts';
import type { Announcer } from './announcer.ts';
import type { Query } from './filter.ts';
import { concernsMessages, Lists, type LiveDeps } from './lists.ts';
import { Selection } from './selection.ts';
import { type LiveSnapshot, NO_ROWS, startSnapshot } from './snapshot.ts';
import { placeOfTime, type TimePlace } from './time-place.ts';
import { modeOf, scrolled, startView, type ViewMode, type ViewState } from './view-mode.ts';

export interface StreamDeps extends LiveDeps {
  /** The ids of a selection could not be read. */
  readonly onSelectFailure: (error: unknown) => void;
}

export class LiveStream {
  readonly selection: Selection;
  readonly #now: LiveDeps['now'];
  readonly #call: LiveDeps['call'];
  readonly #lists: Lists;
  readonly #listeners = new Set<() => void>();
  readonly #messageListeners = new Set<() => void>();
  #view: ViewState = startView;
  #rows = NO_ROWS;
  #listVersion = 0;
  #leftAt = 0;
  #snapshot = startSnapshot;

  constructor(deps: StreamDeps) {
    this.#now = deps.now;
    this.#call = deps.call;
    this.#lists = new Lists({
      ...deps,
      holds: () => this.#holds,
      onShown: () => this.#goToTop({ ...startView, menuOpen: this.#view.menuOpen }),
      onChange: () => this.#changed(),
      onProgress: () => this.#publish(),
    });
    this.selection = new Selection({
      ...deps,
      shown: () => ({ list: this.#lists.shown, filter: this.#lists.shownFilter, hidden: this.#lists.hidden }),
      onFailure: deps.onSelectFailure,
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  /** Tells when messages came, changed or were removed, or may have before a greeting. Returns what ends that. */
  readonly subscribeMessages = (listener: () => void): (() => void) => {
    this.#messageListeners.add(listener);
    return () => this.#messageListeners.delete(listener);
  };
  readonly snapshot = (): LiveSnapshot => this.#snapshot;

  get announcer(): Announcer {
    return this.#lists.announcer;
  }

  // From the engine

  /** The engine greeted. `anew` when the known state is void; otherwise the difference follows as batches. */
  connected(total: number, anew: boolean): void {
    this.#lists.connected(total, anew);
    if (!anew) return;
    this.selection.recheck();
    this.#tellMessages();
  }
  batch(batch: ChangeBatch): void {
    this.#lists.batch(batch);
    this.selection.remove(batch.removedMessages);
    if (batch.reset) this.selection.recheck();
    if (concernsMessages(batch)) this.#tellMessages();
  }

  // From the user

  /** Where a time is in the shown list; null when that is empty. */
  placeOfTime(time: number): Promise<TimePlace | null> {
    return placeOfTime(time, this.#call, this.#lists);
  }

  /** The screen shows these positions. */
  look(screen: Parameters<Lists['look']>[0]): void {
    this.#lists.look(screen);
  }

  /** The list is scrolled to this slot; 0 is the top. */
  scrolled(topSlot: number): void {
    const { view, held } = scrolled(this.#view, topSlot, this.#lists.shown.held);
    this.#view = view;
    if (held !== 'keep') this.#admit();
    else this.#publishMode();
  }

  /** Reasons to hold new rows: selected text, an open menu, or a row focused by keyboard. */
  reading(reasons: Partial<Pick<ViewState, 'textSelected' | 'menuOpen' | 'keyboardFocus'>>): void {
    this.#view = { ...this.#view, ...reasons };
    if (!this.#holds && this.#lists.shown.held > 0) this.#admit();
    else this.#publishMode();
  }

  /**
   * The user leaves the list's screen, with the list scrolled `top` px below its top. Reasons to hold rows that need
   * the screen end.
   */
  left(top: number): void {
    this.#leftAt = top;
    this.reading({ keyboardFocus: false, menuOpen: false });
  }
  /** The scroll position when its screen was {@link left}, in px from the top. */
  get leftAt(): number {
    return this.#leftAt;
  }

  /** Shows the held rows. The screen scrolls to the top and follows, unless it is paused. */
  showNewest(): void {
    this.#goToTop(startView);
    this.#admit();
  }

  pause(): void {
    this.#view = { ...this.#view, pausedAt: this.#now() };
    this.#publish();
  }
  resume(): void {
    this.#view = { ...this.#view, pausedAt: null };
    if (this.#holds) this.#publish();
    else this.#admit();
  }

  clear(): void {
    this.#lists.both((list) => list.clear());
    this.#view = { ...startView, pausedAt: this.#view.pausedAt };
    if (!this.#holds) this.#lists.shown.admit();
    this.#lists.changed();
  }
  undoClear(): void {
    this.#lists.both((list) => list.undoClear());
    this.#lists.changed();
  }
  /** Shows what every Clear hid. */
  unclear(): void {
    this.#lists.both((list) => list.unclear());
    this.#lists.changed();
  }

  /** Takes these messages out of the list and the selection; nothing is deleted. Returns what shows them again. */
  hide(ids: readonly number[]): () => void {
    this.selection.remove(ids);
    const before = this.#lists.hidden;
    this.#lists.hide(new Set([...before, ...ids]));
    const added = new Set(ids.filter((id) => !before.has(id)));
    return () => this.#lists.hide(new Set([...this.#lists.hidden].filter((id) => !added.has(id))));
  }
  /** Shows every message that was hidden by {@link hide}. */
  unhide(): void {
    this.#lists.hide(new Set());
  }

  /** Sets a new query, see `Filtering.set`. */
  setQuery(query: Query, options: { typing?: boolean; done?: boolean } = {}): void {
    this.#lists.filtering.set(query, options);
  }
  /** Drops the rows that no longer match. */
  refresh(): void {
    this.#lists.filtering.shown?.list.refresh();
    this.#lists.changed();
  }

  // What is shown

  get #mode(): ViewMode {
    return modeOf(this.#view);
  }
  /** Whether new rows wait above the list. */
  get #holds(): boolean {
    return this.#mode !== 'following';
  }

  #goToTop(view: ViewState): void {
    this.#view = { ...view, pausedAt: this.#view.pausedAt };
    this.#listVersion += 1;
  }

  #admit(): void {
    this.#lists.shown.admit();
    this.#lists.changed();
  }

  #changed(): void {
    this.#rows = this.#lists.view();
    this.#publish();
  }

  #tellMessages(): void {
    for (const listener of this.#messageListeners) listener();
  }

  #publishMode(): void {
    if (this.#mode !== this.#snapshot.mode) this.#publish();
  }

  #publish(): void {
    const { whole, filtering, failure, rate } = this.#lists;
    const { query, read, problem, counts, starting, shown } = filtering;
    const { count, held, matching, cleared, hidden } = this.#lists.shown;
    this.#snapshot = {
      phase: whole.loaded ? 'ready' : 'loading',
      failure,
      list: this.#rows,
      listVersion: this.#listVersion,
      mode: this.#mode,
      pausedAt: this.#view.pausedAt,
      count,
      held,
      matching,
      cleared,
      hidden,
      unmatched: shown?.list.unmatched ?? 0,
      scanning: starting || (shown?.scanning ?? false),
      starting,
      rate,
      query,
      read,
      problem,
      counts,
    };
    for (const listener of this.#listeners) listener();
  }
}
