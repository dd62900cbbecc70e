/**
 * Whether the store's file is damaged. A place that cannot be read or written affects only itself; everything else goes
 * on. The damage is logged once, shown everywhere, and kept in the side file, so that it is known after a restart.
 */
import Database from 'better-sqlite3';
import type { Clock, Logger } from '../ports.ts';

/** SQLite found that a page is not what it should be. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT');

export interface DamageDeps {
  readonly clock: Pick<Clock, 'wall'>;
  readonly logger: Logger;
  /** Called once, when damage is first found. */
  changed(): void;
}

export class Damage {
  readonly #deps: DamageDeps;
  /** Wall time at which it was found, or null. */
  at: number | null;

  constructor(deps: DamageDeps, at: number | null = null) {
    this.#deps = deps;
    this.at = at;
    if (at !== null) this.#log('found before this start');
  }

  get known(): boolean {
    return this.at !== null;
  }

  /** Reports that something cannot be read, or differs from what was written. */
  found(what: string): void {
    if (this.at !== null) return;
    this.at = this.#deps.clock.wall();
    this.#log(what);
    this.#deps.changed();
  }

  /** What `read` returns, or `otherwise` when a page is damaged. */
  around<T>(read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.found((error as Error).message);
      return otherwise;
    }
  }

  /**
   * The value of a stored JSON text, or `otherwise` when there is none or it was overwritten. `what` names it in the
   * log.
   */
  parsed<T>(text: string | null, otherwise: T, what: string, parse: (text: string) => T = JSON.parse): T {
    if (text === null) return otherwise;
    try {
      return parse(text);
    } catch {
      this.found(what);
      return otherwise;
    }
  }

  #log(what: string): void {
    const advice = 'What can be read is delivered. Stop Hookbench and run hookbench doctor --repair.';
    this.#deps.logger.log('error', 'store_damaged', { what, advice });
  }
}

/** For readers that report damage to nobody. */
export const untold = (): Damage =>
  new Damage({ clock: { wall: () => 0 }, logger: { log: () => {} }, changed: () => {} });
