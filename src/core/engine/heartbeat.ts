/** Notices changes that no commit announces: rates fall and due times pass. */
import type { Timer, Timers } from '../ports.ts';

const EVERY_MS = 1_000;

export interface HeartbeatDeps {
  readonly timers: Timers;
  /** A value that changes when something has changed. */
  fingerprint(): string;
  changed(): void;
}

export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  #last = '';
  #timer: Timer | null = null;

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  start(): void {
    const now = this.#deps.fingerprint();
    if (now !== this.#last) this.#deps.changed();
    this.#last = now;
    this.#timer = this.#deps.timers.after(EVERY_MS, () => this.start());
  }

  stop(): void {
    this.#timer?.cancel();
  }
}
