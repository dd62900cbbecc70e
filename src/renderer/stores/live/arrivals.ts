/** New and changed rows that wait until the list takes them: at once, or four times a second while many come. */
import type { MessageRow } from '../../../contract/values.ts';
import { Pace } from './pace.ts';

/** How often the shown rate is updated once nothing arrives any more, in milliseconds. */
const RATE_MS = 1_000;

export interface ArrivalDeps {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
  /** The waiting rows may be taken. */
  readonly onDue: () => void;
  /** The rate may have fallen. */
  readonly onRate: () => void;
}

export class Arrivals {
  readonly #deps: ArrivalDeps;
  readonly #pace = new Pace();
  readonly #waiting = new Map<number, MessageRow>();
  #planned = false;
  #rateWatched = false;

  constructor(deps: ArrivalDeps) {
    this.#deps = deps;
  }

  /** Whether too many rows come to show them one by one. */
  get busy(): boolean {
    return this.#pace.busy(this.#deps.now());
  }
  /** Messages a second while {@link busy}, else null. */
  get rate(): number | null {
    return this.busy ? Math.round(this.#pace.perSecond(this.#deps.now())) : null;
  }

  /** This many came without being reported one by one. */
  missed(count: number): void {
    this.#pace.arrived(this.#deps.now(), Math.max(0, count));
  }

  /** Rows above `newestId` are new, the others are changes. */
  add(rows: readonly MessageRow[], newestId: number): void {
    const fresh = rows.filter(({ id }) => id > newestId && !this.#waiting.has(id));
    this.#pace.arrived(this.#deps.now(), fresh.length);
    for (const row of rows) this.#waiting.set(row.id, row);
    this.#plan();
  }

  forget(ids: readonly number[]): void {
    for (const id of ids) this.#waiting.delete(id);
  }

  /** Returns the waiting rows and starts again. */
  takeAll(): MessageRow[] {
    const rows = [...this.#waiting.values()];
    this.#waiting.clear();
    if (rows.length > 0) this.#pace.applied(this.#deps.now());
    this.#watchRate();
    return rows;
  }

  #plan(): void {
    if (this.#planned) return;
    const wait = this.#pace.wait(this.#deps.now());
    if (wait === 0) {
      this.#deps.onDue();
      return;
    }
    this.#planned = true;
    this.#deps.after(wait, () => {
      this.#planned = false;
      this.#deps.onDue();
    });
  }

  /** Lowers the shown rate when nothing arrives any more. */
  #watchRate(): void {
    if (this.#rateWatched || !this.busy) return;
    this.#rateWatched = true;
    this.#deps.after(RATE_MS, () => {
      this.#rateWatched = false;
      this.#deps.onRate();
      this.#watchRate();
    });
  }
}
