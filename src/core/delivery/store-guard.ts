/** Delivery's writes while the store may fail. Retries what must be written, and lets nothing new begin meanwhile. */
import { isPassing, type Logger, StoreDamagedError, type Timers } from '../ports.ts';

/** How long delivery waits before it tries an unwritable store again. */
const RETRY_MS = 500;

export interface StoreGuardDeps {
  /** Makes a dummy write to notice when the store can be written again. */
  probe(): Promise<void>;
  readonly timers: Timers;
  readonly logger: Logger;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class StoreGuard {
  readonly #deps: StoreGuardDeps;
  readonly #onRecovered: () => void;
  #down = false;
  /** True while it is down because a read failed. */
  #unreadable = false;
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

  /** True while the bytes to send cannot be read, although the store can be written. */
  get unreadable(): boolean {
    return this.#unreadable;
  }

  /**
   * A write that must happen. Rejects with a permanent error (a damaged page, a bug), or once {@link stop} was called.
   */
  async persist<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        this.writeFailed(error);
        if (!isPassing(error) || this.#stopped) throw error;
        await new Promise<void>((resolve) => this.#deps.timers.after(RETRY_MS, resolve));
      }
    }
  }

  /** A write failed that {@link persist} does not retry. */
  writeFailed(error: unknown): void {
    if (isPassing(error)) this.#standStill();
    // The state of the store shows the damaged page. Delivery of the other messages goes on.
    else if (!(error instanceof StoreDamagedError))
      this.#deps.logger.log('error', 'delivery_write_failed', { error: textOf(error) });
  }

  /** What `read` returns, or null when it throws. */
  reading<T>(read: () => T | null): T | null {
    try {
      return read();
    } catch (error) {
      this.readFailed(error);
      return null;
    }
  }

  /** Whoever needs the bytes reads them again once the store has recovered. */
  readFailed(error: unknown): void {
    this.#deps.logger.log('error', 'delivery_read_failed', { error: textOf(error) });
    this.#unreadable = !this.#stopped;
    this.#standStill();
  }

  #standStill(): void {
    if (this.#down || this.#stopped) return;
    this.#down = true;
    this.#deps.timers.after(RETRY_MS, () => this.#try());
  }

  /** Ends all retries. */
  stop(): void {
    this.#stopped = true;
  }

  #try(): void {
    if (this.#stopped) return;
    this.#deps.probe().then(
      () => {
        this.#down = false;
        this.#unreadable = false;
        this.#onRecovered();
      },
      () => {
        this.#deps.timers.after(RETRY_MS, () => this.#try());
      },
    );
  }
}
