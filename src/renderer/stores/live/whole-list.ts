/** The list of all messages. Starts with the newest page and fetches what the screen needs. */
import type { MessageRow } from '../../../contract/values.ts';
import type { Screenful } from './fetch-plan.ts';
import type { DayOf } from './list.ts';
import { RankList } from './rank-list.ts';
import { type FetchDeps, RowFetcher } from './row-fetcher.ts';

/** Rows of the first page. More than a screen, so that the first scroll finds rows. */
const HEAD_ROWS = 100;
const MAX_HEAD_ROWS = 500;
/** The contract's limit for one question about ranks. */
const MAX_RANKS = 10_000;

export interface WholeDeps {
  readonly call: FetchDeps['call'];
  readonly getRow: FetchDeps['getRow'];
  readonly cacheRows: FetchDeps['cacheRows'];
  readonly dayOf: DayOf;
  /** Whether new rows are held now. */
  readonly holds: () => boolean;
  /** The newest page has arrived. */
  readonly onLoaded: () => void;
  readonly onChange: () => void;
  /** Rows became known that are not drawn and move nothing that is. */
  readonly onAhead: () => void;
  /** `again` asks the same once more. */
  readonly onFailure: (error: unknown, again: () => void) => void;
}

export class WholeList {
  readonly list: RankList;
  readonly #deps: WholeDeps;
  readonly #fetcher: RowFetcher;
  #loaded = false;
  #hidden: ReadonlySet<number> = new Set();
  /** Increases with each change of what is hidden, so that the latest one wins. */
  #asks = 0;
  /** Increases with each load, so that the latest one wins. */
  #loads = 0;

  constructor(deps: WholeDeps) {
    this.#deps = deps;
    this.list = new RankList(deps.dayOf);
    this.#fetcher = new RowFetcher(this.list, {
      ...deps,
      onRows: ({ agrees, isDrawn }) => {
        if (!agrees) this.load(this.list.total);
        else if (isDrawn) deps.onChange();
        else deps.onAhead();
      },
      onFailure: (error) => deps.onFailure(error, () => this.resume()),
    });
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  /** Starts again from the newest page of `total` messages. */
  load(total: number): void {
    this.#loads += 1;
    this.#fetcher.forgetRequests();
    this.list.doubtAll();
    if (total === 0) this.#begin(0, []);
    else this.#askForHead(total, this.#loads);
  }

  /** After a reconnect that missed nothing. */
  reconnected(): void {
    this.#fetcher.forgetRequests();
    this.resume();
  }

  resume(): void {
    this.#fetcher.fill();
  }

  look(screen: Screenful): void {
    this.#fetcher.look(screen);
  }

  remove(ids: readonly number[]): void {
    this.list.remove(ids);
    this.#fetcher.forgetRequests();
    this.#fetcher.fill();
    // An answer under way may have counted them already or not.
    if (this.#hidden.size > 0) this.hide(this.#hidden);
  }

  /** Hides these rows and shows all others, once the engine has said where they are. */
  hide(ids: ReadonlySet<number>): void {
    this.#hidden = ids;
    this.#asks += 1;
    const ask = this.#asks;
    this.#ranksOf(ids).then(
      (rows) => {
        if (ask !== this.#asks) return;
        this.list.hide(rows);
        this.#fetcher.fill();
        this.#deps.onChange();
      },
      (error: unknown) => {
        if (ask === this.#asks) this.#deps.onFailure(error, () => this.hide(this.#hidden));
      },
    );
  }

  async #ranksOf(ids: ReadonlySet<number>): Promise<Array<{ id: number; rank: number }>> {
    const all = [...ids];
    const rows: Array<{ id: number; rank: number }> = [];
    for (let at = 0; at < all.length; at += MAX_RANKS) {
      const some = all.slice(at, at + MAX_RANKS);
      const { ranks } = await this.#deps.call('messages.ranks', { ids: some });
      for (const [i, id] of some.entries()) {
        const rank = ranks[i];
        if (rank !== null && rank !== undefined) rows.push({ id, rank });
      }
    }
    return rows;
  }

  #askForHead(total: number, load: number): void {
    const fromRank = Math.max(0, total - HEAD_ROWS);
    this.#deps.call('messages.window', { fromRank, count: MAX_HEAD_ROWS }).then(
      ({ rows, total }) => {
        if (load !== this.#loads) return;
        if (fromRank + rows.length !== total) {
          this.load(total);
          return;
        }
        this.#deps.cacheRows(rows);
        this.#begin(total, rows);
      },
      (error: unknown) => {
        if (load === this.#loads) this.#deps.onFailure(error, () => this.load(total));
      },
    );
  }

  #begin(total: number, newest: readonly MessageRow[]): void {
    this.list.restart(total, newest, this.#loaded && this.#deps.holds());
    this.#loaded = true;
    this.#deps.onLoaded();
    // Removals may have been missed.
    if (this.#hidden.size > 0) this.hide(this.#hidden);
    this.#fetcher.fill();
  }
}
