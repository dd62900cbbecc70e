/** Fetches the rows that the screen needs, a few requests at a time, visible rows first. */
import type { Client } from '../../../contract/channel.ts';
import type { MessageRow } from '../../../contract/values.ts';
import { CHUNK, type Screenful, type WantedRun, wantedRuns } from './fetch-plan.ts';
import { IdList } from './id-list.ts';
import type { DayBreak } from './list.ts';
import type { RankList } from './rank-list.ts';

/** How many requests may be under way for rows off screen, and for rows on screen. */
const MAX_AHEAD_REQUESTS = 3;
const MAX_REQUESTS = 5;
/** Rows this far from the screen may be drawn already. */
const NEAR = CHUNK / 2;

export interface RowsCame {
  /** False when ranks and ids no longer match the count. */
  readonly agrees: boolean;
  /** False when these rows are far from the screen and move nothing on it. */
  readonly isDrawn: boolean;
}

export interface FetchDeps {
  readonly call: Client['call'];
  readonly getRow: (id: number) => MessageRow | undefined;
  readonly cacheRows: (rows: readonly MessageRow[]) => void;
  readonly onRows: (came: RowsCame) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Fetches for one list. A new list gets a new fetcher, and answers to the old one are dropped. */
export class RowFetcher {
  readonly #deps: FetchDeps;
  readonly #list: RankList | IdList;
  #screen: Screenful = { from: 0, to: 0, speed: 0, count: 0 };
  #busyRanks = new Set<{ from: number; to: number }>();
  #busyIds = new Set<number>();
  #requests = 0;
  #closed = false;
  /** Increases when ranks moved, so that answers to older requests are dropped. */
  #generation = 0;

  constructor(list: RankList | IdList, deps: FetchDeps) {
    this.#list = list;
    this.#deps = deps;
  }

  look(screen: Screenful): void {
    this.#screen = screen;
    this.fill();
  }

  /** Requests missing rows, as far as requests are free. */
  fill(): void {
    if (this.#closed) return;
    for (const run of wantedRuns({ ...this.#screen, count: this.#list.count })) {
      if (!this.#fillRun(run)) return;
    }
  }

  /** Ranks moved, so requests under way no longer fit. */
  forgetRequests(): void {
    this.#generation += 1;
    this.#busyRanks.clear();
    this.#busyIds.clear();
    this.#requests = 0;
  }

  close(): void {
    this.#closed = true;
    this.forgetRequests();
  }

  /** False when no further request is free. */
  #fillRun(run: WantedRun): boolean {
    const step = run.toNewer ? -1 : 1;
    for (let p = run.toNewer ? run.to : run.from; p >= run.from && p <= run.to; p += step) {
      if (this.#list.isReady(p, this.#has) || this.#isBusy(p)) continue;
      if (this.#requests >= (run.onScreen ? MAX_REQUESTS : MAX_AHEAD_REQUESTS)) return false;
      if (this.#list instanceof IdList) this.#askIds(this.#list, p, run);
      else this.#askRanks(this.#list, p, run);
    }
    return true;
  }

  readonly #has = (id: number): boolean => this.#deps.getRow(id) !== undefined;

  #isBusy(position: number): boolean {
    if (this.#list instanceof IdList) return this.#busyIds.has(this.#list.idAt(position) ?? 0);
    const rank = this.#list.rankAt(position);
    for (const { from, to } of this.#busyRanks) if (rank >= from && rank <= to) return true;
    return false;
  }

  #askRanks(list: RankList, position: number, run: WantedRun): void {
    const chunk = Math.floor(list.rankAt(position) / CHUNK) * CHUNK;
    const fromRank = run.toNewer ? chunk : Math.max(0, chunk + CHUNK - run.limit);
    const range = { from: fromRank, to: fromRank + run.limit - 1 };
    this.#busyRanks.add(range);
    this.#track(
      this.#deps.call('messages.window', { fromRank, count: run.limit }),
      ({ rows }) => {
        this.#busyRanks.delete(range);
        this.#deps.cacheRows(rows);
        const lines = list.breaks();
        // The store has fewer rows than were counted. Asking again would give the same answer for ever.
        const whole = rows.length >= Math.min(run.limit, list.total - fromRank);
        const agrees = list.answer(fromRank, rows) && whole;
        list.evict(this.#screen.from);
        return { agrees, isDrawn: this.#isNear(list, range) || !sameLines(lines, list.breaks()) };
      },
      () => this.#busyRanks.delete(range),
    );
  }

  #askIds(list: IdList, position: number, run: WantedRun): void {
    const ids = this.#missingIds(list, position, run);
    for (const id of ids) this.#busyIds.add(id);
    const done = () => {
      for (const id of ids) this.#busyIds.delete(id);
    };
    this.#track(
      this.#deps.call('messages.byIds', { ids }),
      (rows) => {
        done();
        this.#deps.cacheRows(rows);
        for (const row of rows) list.seen(row);
        const found = new Set(rows.map(({ id }) => id));
        list.remove(ids.filter((id) => !found.has(id)));
        return { agrees: true, isDrawn: true };
      },
      done,
    );
  }

  #missingIds(list: IdList, position: number, run: WantedRun): number[] {
    const ids: number[] = [];
    const step = run.toNewer ? -1 : 1;
    for (let p = position; ids.length < run.limit && Math.abs(p - position) < run.limit; p += step) {
      const id = list.idAt(p);
      if (id === undefined) break;
      if (!this.#has(id) && !this.#busyIds.has(id)) ids.push(id);
    }
    return ids;
  }

  #isNear(list: RankList, { from, to }: { from: number; to: number }): boolean {
    return list.positionNear(to) <= this.#screen.to + NEAR && list.positionNear(from) >= this.#screen.from - NEAR;
  }

  #track<T>(answer: Promise<T>, take: (value: T) => RowsCame, drop: () => void): void {
    const generation = this.#generation;
    this.#requests += 1;
    const current = () => generation === this.#generation && !this.#closed;
    answer.then(
      (value) => {
        if (!current()) return;
        this.#requests -= 1;
        this.#deps.onRows(take(value));
        this.fill();
      },
      (error: unknown) => {
        if (!current()) return;
        this.#requests -= 1;
        drop();
        this.#deps.onFailure(error);
      },
    );
  }
}

const sameLines = (a: readonly DayBreak[], b: readonly DayBreak[]): boolean =>
  a.length === b.length && a.every(({ position, day }, at) => position === b[at]?.position && day === b[at]?.day);
