/** The log of one world and the violations in it. */
import { createHash } from 'node:crypto';
import { Ended } from './life.ts';
import { RunsInCircles } from './time.ts';

export interface Violation {
  readonly what: string;
  readonly detail: string;
}

/** What every report of a world has. */
export interface Told {
  /** SHA-256 of the event log. */
  readonly hash: string;
  readonly log: readonly string[];
  readonly violations: readonly Violation[];
}

export class History {
  readonly #log: string[] = [];
  readonly #violations: Violation[] = [];
  readonly #now: () => number;

  /** `now` gives real milliseconds since the world began. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isBroken(): boolean {
    return this.#violations.length > 0;
  }

  say(text: string): void {
    this.#log.push(`${this.#now()} ${text}`);
  }

  violate(what: string, detail: string): void {
    this.say(`VIOLATION ${what}: ${detail}`);
    this.#violations.push({ what, detail });
  }

  /** An error that nothing caught. What a dead process throws counts for nothing, and so does all after a violation. */
  thrown(error: unknown): void {
    if (error instanceof Ended || this.isBroken) return;
    this.violate('something was thrown', textOf(error));
  }

  /** The engine spins, or the harness itself failed. */
  failed(error: unknown): void {
    this.violate(error instanceof RunsInCircles ? 'the engine runs in circles' : 'the harness', textOf(error));
  }

  told(): Told {
    const hash = createHash('sha256').update(this.#log.join('\n')).digest('hex');
    return { hash, log: this.#log, violations: this.#violations };
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
