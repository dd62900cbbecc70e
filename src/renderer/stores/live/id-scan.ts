/** Reads the ids of a filtered list: older ones as the user scrolls, newer ones when only the engine can tell. */
import type { Client } from '../../../contract/channel.ts';
import type { MessageFilter } from '../../../contract/commands.ts';
import type { MessageRow } from '../../../contract/values.ts';
import type { IdList } from './id-list.ts';

/** How many ids are read ahead of the screen, and per request. */
const AHEAD = 1_000;
const PAGE = 2_000;
/** How many rows come with the first ids: a screenful, which would otherwise take a second request. */
export const FIRST_ROWS = 60;
/** When the engine made no progress (its index lags), ask again after this time, in milliseconds. */
const STUCK_MS = 250;

export interface ScanDeps {
  readonly call: Client['call'];
  readonly after: (ms: number, run: () => void) => void;
  /** Older ids came, and with the first ones their rows. `all` when these are the rows of every match. */
  readonly onPage: (rows: readonly MessageRow[], all: boolean) => void;
  /** Matching ids among rows that just arrived or changed. */
  readonly onFound: (ids: readonly number[]) => void;
  readonly onFailure: (error: unknown) => void;
}

export class IdScan {
  readonly #list: IdList;
  readonly #filter: MessageFilter;
  readonly #deps: ScanDeps;
  #closed = false;
  #paging = false;
  /** No answer has had a match yet, not even a hidden one. */
  #isEmpty = true;
  #wantedCount = AHEAD;
  #wantedId = Number.POSITIVE_INFINITY;
  #searching = false;
  /** Rows above this id may match. Null when all were checked. */
  #searchAfter: number | null = null;
  /** The rest of the range being searched, from its newest end down. */
  #rest: { after: number; before?: number } | null = null;

  constructor(list: IdList, filter: MessageFilter, deps: ScanDeps) {
    this.#list = list;
    this.#filter = filter;
    this.#deps = deps;
  }

  /** True while older ids are being read. */
  get paging(): boolean {
    return this.#paging;
  }

  /** Reads on until the list reaches well past this position. */
  reach(position: number): void {
    this.#wantedCount = Math.max(this.#wantedCount, position + AHEAD);
    this.#page();
  }

  /** Reads on until every match from this id up is known. */
  reachId(id: number): void {
    this.#wantedId = Math.min(this.#wantedId, id);
    this.#page();
  }

  /** These rows may match. Asks the engine. */
  ask(ids: readonly number[]): void {
    if (ids.length === 0) return;
    const lowest = Math.min(...ids) - 1;
    this.#searchAfter = this.#searchAfter === null ? lowest : Math.min(this.#searchAfter, lowest);
    this.#search();
  }

  /** Continues after a failure. */
  resume(): void {
    this.#page();
    this.#search();
  }

  close(): void {
    this.#closed = true;
  }

  #page(): void {
    const { before, complete, count } = this.#list;
    const isEnough = count >= this.#wantedCount && (before ?? Number.POSITIVE_INFINITY) <= this.#wantedId;
    if (this.#paging || this.#closed || complete || isEnough) return;
    this.#paging = true;
    const range = before === undefined ? {} : { before };
    const withRows = { rows: this.#isEmpty ? FIRST_ROWS : 0 };
    this.#deps.call('messages.ids', { filter: this.#filter, ...range, limit: PAGE, ...withRows }).then(
      ({ ids, rows, scannedTo, more }) => {
        if (this.#closed) return;
        this.#paging = false;
        const all = this.#isEmpty && !more && rows.length === ids.length;
        this.#isEmpty &&= ids.length === 0;
        this.#list.append(ids, scannedTo, !more);
        this.#deps.onPage(rows, all);
        if (more && scannedTo === before) this.#deps.after(STUCK_MS, () => this.#page());
        else this.#page();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #search(): void {
    if (this.#searching || this.#closed) return;
    const range = this.#rest ?? (this.#searchAfter === null ? null : { after: this.#searchAfter });
    if (range === null) return;
    if (this.#rest === null) this.#searchAfter = null;
    this.#searching = true;
    this.#deps.call('messages.ids', { filter: this.#filter, ...range, limit: PAGE }).then(
      ({ ids, scannedTo, more }) => {
        if (this.#closed) return;
        this.#searching = false;
        this.#rest = more ? { after: range.after, before: scannedTo } : null;
        if (ids.length > 0) this.#deps.onFound(ids);
        if (more && scannedTo === range.before) this.#deps.after(STUCK_MS, () => this.#search());
        else this.#search();
      },
      (error: unknown) => {
        this.#rest = range;
        this.#fail(error);
      },
    );
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    this.#paging = false;
    this.#searching = false;
    this.#deps.onFailure(error);
  }
}
