/**
 * The filter of the stream: parses the typed text, opens the list of matches, and shows it once its first page has
 * arrived. Until then the old list stays.
 */
import type { FilterContext, FilterProblem } from '../../../contract/filter.ts';
import type { MessageRow } from '../../../contract/values.ts';
import { emptyQuery, isEmpty, type Query, toFilter, withoutStates } from './filter.ts';
import { type CountDeps, type CountsView, countsOf, FilterCounts } from './filter-counts.ts';
import { type FilteredDeps, FilteredList, type Out } from './filtered-list.ts';
import { readText } from './tokens.ts';
import { TypingPace } from './typing-pace.ts';

export interface FilteringDeps extends Omit<FilteredDeps, 'onReady' | 'onChange'>, Omit<CountDeps, 'onChange'> {
  /** For the names in `source:`. */
  readonly sources: () => FilterContext['sources'];
  readonly out: () => Out;
  /** How many messages there are. */
  readonly total: () => number;
  /** Another list is shown: {@link Filtering.shown}. */
  readonly onShown: () => void;
  /** These rows entered the shown list, or rows in it changed. */
  readonly onChange: (entered: readonly number[]) => void;
  /** The query, the counts or the progress of a search changed. */
  readonly onProgress: () => void;
}

export class Filtering {
  readonly #deps: FilteringDeps;
  #query = emptyQuery;
  #read = emptyQuery;
  #problem: FilterProblem | null = null;
  /** The list on screen; null without a filter. */
  #shown: FilteredList | null = null;
  /** The list that waits for its first page. */
  #next: FilteredList | null = null;
  #counts: FilterCounts | null = null;
  /** Counts that wait for the first page of rows, because those are what a person waits for. */
  #uncounted: FilterCounts | null = null;
  #countedFilter = '{}';
  #countsView: CountsView | null = null;
  readonly #pace = new TypingPace();
  /** The newest query waits for a further key. */
  #isResting = false;
  /** Increases with each query, so that only the last one is parsed after a pause. */
  #queries = 0;

  constructor(deps: FilteringDeps) {
    this.#deps = deps;
  }

  /** The text in the field. */
  get query(): Query {
    return this.#query;
  }
  /** The query as last parsed and requested, with the tokens of the text moved to their fields. */
  get read(): Query {
    return this.#read;
  }
  /** What is unreadable in the text. The list stays as it was. */
  get problem(): FilterProblem | null {
    return this.#problem;
  }
  get shown(): FilteredList | null {
    return this.#shown;
  }
  /** True while the newest query waits for the typing to rest or for its first page. */
  get starting(): boolean {
    return this.#isResting || this.#next !== null;
  }
  /** Matches by state, ignoring the states in the filter itself. */
  get counts(): CountsView | null {
    return this.#countsView;
  }

  /**
   * Sets a new query. While `typing`, waits for a further key when the engine answers slowly. `done`: reports an
   * unfinished token instead of waiting for its end.
   */
  set(query: Query, { typing = false, done = false } = {}): void {
    const waitMs = typing ? this.#pace.wait(this.#deps.now()) : 0;
    this.#query = query;
    this.#isResting = waitMs > 0;
    this.#deps.onProgress();
    this.#queries += 1;
    const mine = this.#queries;
    if (waitMs === 0) this.#take(done, !typing);
    else this.#deps.after(waitMs, () => mine === this.#queries && this.#take(done, false));
  }

  /** Repeats the request. */
  reopen(): void {
    this.#next?.close();
    this.#next = null;
    if (isEmpty(this.#read)) {
      this.#count();
      this.#show(null);
      return;
    }
    const next = new FilteredList(toFilter(this.#read), this.#deps.out(), {
      ...this.#deps,
      onReady: () => this.#answered(next),
      onChange: (entered) => (next === this.#shown ? this.#deps.onChange(entered) : this.#searchesOn(next)),
    });
    this.#next = next;
    this.#pace.asked(this.#deps.now());
    next.start();
    this.#count();
    this.#deps.onProgress();
  }

  /** Rows arrived or changed. True when the list on screen changed. */
  consider(rows: readonly MessageRow[], hold: boolean): boolean {
    this.#next?.consider(rows, false);
    return this.#shown?.consider(rows, hold) ?? false;
  }

  /** Hides these rows and shows all others. */
  hide(ids: ReadonlySet<number>): void {
    this.#shown?.list.hide(ids);
    this.#next?.list.hide(ids);
  }

  remove(ids: readonly number[]): void {
    this.#shown?.list.remove(ids);
    this.#next?.list.remove(ids);
  }

  /** Messages came, moved or were removed, so the counts are out of date. */
  recount(): void {
    this.#counts?.changed();
  }

  resume(): void {
    this.#shown?.resume();
    this.#next?.resume();
  }

  /**
   * Applies the query. Reports unreadable text and keeps the list. `anew`: requests the list even if the query is the
   * same.
   */
  #take(done: boolean, anew: boolean): void {
    this.#isResting = false;
    const { query, problem } = readText(this.#query, { sources: this.#deps.sources(), now: this.#deps.now() }, done);
    this.#problem = problem;
    if (problem !== null) {
      this.#deps.onProgress();
      return;
    }
    const same = JSON.stringify(query) === JSON.stringify(this.#read);
    this.#read = query;
    this.#deps.onProgress();
    if (anew || !same) this.reopen();
  }

  #answered(list: FilteredList): void {
    if (list !== this.#next) return;
    this.#pace.answered(this.#deps.now());
    if (list.all !== null && JSON.stringify(list.filter) === this.#countedFilter) {
      this.#counts?.know(countsOf(list.all), this.#deps.total());
      this.#uncounted = null;
    }
    this.#beginCount();
    this.#show(list);
  }

  /** The first page had no match, and there is more to read. */
  #searchesOn(list: FilteredList): void {
    if (list === this.#next) this.#beginCount();
    this.#deps.onProgress();
  }

  #show(list: FilteredList | null): void {
    if (list !== this.#next) return;
    this.#shown?.close();
    this.#shown = list;
    this.#next = null;
    this.#deps.onShown();
  }

  /** Counts the matches. The old counts stay until the first new ones arrive. */
  #count(): void {
    const filter = toFilter(withoutStates(this.#read));
    const key = JSON.stringify(filter);
    if (this.#counts !== null && key === this.#countedFilter) {
      this.#counts.changed();
      return;
    }
    this.#counts?.close();
    this.#uncounted = null;
    this.#countedFilter = key;
    if (key === '{}') {
      this.#counts = null;
      this.#countsView = null;
      return;
    }
    const counts: FilterCounts = new FilterCounts(filter, {
      ...this.#deps,
      onChange: () => {
        if (this.#counts !== counts) return;
        this.#countsView = counts.view;
        this.#deps.onProgress();
      },
    });
    this.#counts = counts;
    this.#uncounted = counts;
  }

  #beginCount(): void {
    this.#uncounted?.start();
    this.#uncounted = null;
  }
}
