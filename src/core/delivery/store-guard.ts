/** Delivery's writes while the store may fail: what must be written is tried again, and nothing new begins meanwhile. */
import { type Logger, StoreNotWritableError, type Timers } from '../ports.ts';
import type { Changes } from '../store/writer.ts';

/** How long delivery stands still before it tries an unwritable store again. */
const RETRY_MS = 500;

export interface StoreGuardDeps {
  write<T>(job: (changes: Changes) => T, rows?: number): Promise<T>;
  /** Writes something of no meaning, so that a store that can be written again is noticed. */
  probe(): void;
  readonly timers: Timers;
  readonly logger: Logger;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class StoreGuard {
  readonly #deps: StoreGuardDeps;
  readonly #onRecovered: () => void;
  #down = false;
  #stopped = false;

  /** `onRecovered` is called when the store can be written again. */
  constructor(deps: StoreGuardDeps, onRecovered: () => void) {
    this.#deps = deps;
    this.#onRecovered = onRecovered;
  }

  /** True while nothing new may begin. */
  get down(): boolean {
    return this.#down;
  }

  /** A write that must happen. Rejects with what is not the store's fault, or once {@link stop} was called. */
  async persist<T>(job: (changes: Changes) => T, rows: number): Promise<T> {
    for (;;) {
      try {
        return await this.#deps.write(job, rows);
      } catch (error) {
        this.report(error);
        if (!(error instanceof StoreNotWritableError) || this.#stopped) throw error;
        await new Promise<void>((resolve) => this.#deps.timers.after(RETRY_MS, resolve));
      }
    }
  }

  /** Hears of a failed write. */
  report(error: unknown): void {
    if (error instanceof StoreNotWritableError) this.#standStill();
    else this.#deps.logger.log('error', 'delivery_write_failed', { error: textOf(error) });
  }

  /** Hears of a failed read: what was to be read is read again in a while. */
  readFailed(error: unknown): void {
    this.#deps.logger.log('error', 'delivery_read_failed', { error: textOf(error) });
    this.#standStill();
  }

  #standStill(): void {
    if (this.#down || this.#stopped) return;
    this.#down = true;
    this.#deps.timers.after(RETRY_MS, () => this.#try());
  }

  /** No further tries. */
  stop(): void {
    this.#stopped = true;
  }

  #try(): void {
    if (this.#stopped) return;
    this.#deps
      .write(() => this.#deps.probe())
      .then(
        () => {
          this.#down = false;
          this.#onRecovered();
        },
        () => {
          this.#deps.timers.after(RETRY_MS, () => this.#try());
        },
      );
  }
}
