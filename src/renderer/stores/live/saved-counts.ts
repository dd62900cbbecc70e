/** How many of all messages match each saved filter. Counted in the engine's bounded steps, all filters in one lane. */
import type { MessageFilter } from '../../../contract/commands.ts';
import { type CountDeps, FilterCounts, sumOf } from './filter-counts.ts';
import { inTurns, type TurnsDeps } from './in-turns.ts';

type SavedCountDeps = CountDeps & TurnsDeps;

export class SavedCounts {
  readonly #deps: SavedCountDeps;
  readonly #turn: ReturnType<typeof inTurns>;
  #counts = new Map<string, FilterCounts>();

  constructor(deps: SavedCountDeps) {
    this.#deps = deps;
    this.#turn = inTurns(deps);
  }

  /** Counts exactly these from now on. Those that are counted already go on. */
  watch(filters: readonly MessageFilter[]): void {
    const next = new Map<string, FilterCounts>();
    for (const filter of filters) {
      const key = JSON.stringify(filter);
      if (!next.has(key)) next.set(key, this.#counts.get(key) ?? this.#begun(filter));
    }
    for (const [key, counts] of this.#counts) if (!next.has(key)) counts.close();
    this.#counts = next;
  }

  #begun(filter: MessageFilter): FilterCounts {
    const { call, now } = this.#deps;
    let spent = 0;
    const counts = new FilterCounts(filter, {
      ...this.#deps,
      call: (name, ...input) =>
        this.#turn(() => {
          const began = now();
          return call(name, ...input).finally(() => {
            spent += now() - began;
          });
        }),
      spent: () => spent,
    });
    counts.start();
    return counts;
  }

  /** Messages came, moved or were removed. */
  changed(): void {
    for (const counts of this.#counts.values()) counts.changed();
  }

  /** Null until it is counted. */
  of(filter: MessageFilter): number | null {
    const view = this.#counts.get(JSON.stringify(filter))?.view;
    return view === undefined || view === null || view.progress !== null ? null : sumOf(view.counts);
  }
}
