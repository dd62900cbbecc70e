/** What must hold in a world at a moment, according to its people. The watch compares the engine with this. */
import type { Outcome, Retryable } from '../../src/core/model/vocabulary.ts';
import type { Life } from './life.ts';
import type { WorldTime } from './time.ts';

/** The rules that a world sets. The defaults of the decisions are repeated here on purpose. */
export interface Rules {
  readonly baseMs: number;
  readonly factor: number;
  readonly maxMs: number;
  readonly windowMs: number;
  readonly jitter: number;
  /** Outcomes that get another round. An interrupted attempt always does. */
  readonly retryOn: readonly Retryable[];
  readonly retryAfter: boolean;
}

export const DEFAULT_RULES: Rules = {
  baseMs: 10_000,
  factor: 2,
  maxMs: 1_200_000,
  windowMs: 14_400_000,
  jitter: 0.2,
  retryOn: ['failed', 'timed_out', 'no_connection', 'throttled'],
  retryAfter: true,
};

export class Expectations {
  readonly #time: WorldTime;
  readonly violate: (what: string, detail: string) => void;
  readonly start: number;
  /** Rows whose body was altered on disk. */
  readonly damaged = new Set<number>();
  /** Rows that something other than the engine moved in its store. */
  readonly movedByHand = new Set<number>();
  /** Rows that the user asked to stop. */
  readonly stops = new Set<number>();
  /** Message ids of requests that were acknowledged, or whose answer was lost. */
  readonly mayBeStored = new Set<string>();
  /** Lengths of the window that were ever set. */
  readonly windows = new Set<number>();
  /** Bodies of replays that people edited. */
  readonly edits = new Set<string>();
  /** Time limits of attempts, current and from a moment ago. */
  readonly limits = new Set<number>([5_000]);
  /** True once rules were in force that retry a webhook after it declined. */
  mayRetryDeclined: boolean;
  /** The shared secret in force; two while one replaces the other. */
  secrets: Array<string | null>;
  isHeld = false;
  #rules: Rules;
  /** Rules that were requested and may be in force, because no answer has arrived. */
  #unsettled = 0;
  #rulesChangedAt = -1;
  #off = new Map<number, number>();
  #unreadable: Life | null = null;
  #speed = 1;
  #clockStands = false;
  #fastest = 1;
  #scaledAt = 0;
  #scaledReal = 0;
  #wentBack = false;
  #restarted = false;
  readonly #passedOver: Array<{ readonly life: Life; readonly from: number; readonly to: number }> = [];

  constructor(
    time: WorldTime,
    { rules, secret }: { readonly rules: Rules; readonly secret: string | null },
    violate: (what: string, detail: string) => void,
  ) {
    this.#time = time;
    this.#rules = rules;
    this.windows.add(rules.windowMs);
    this.mayRetryDeclined = rules.retryOn.includes('declined');
    this.secrets = [secret];
    this.start = time.wall();
    this.violate = violate;
  }

  get real(): number {
    return this.#time.real;
  }

  get wall(): number {
    return this.#time.wall();
  }

  // Rules

  /** The user requests other rules. Until the answer arrives, the old or the new ones may be in force. */
  rulesAsked(rules: Rules): void {
    this.#unsettled += 1;
    this.windows.add(rules.windowMs);
    if (rules.retryOn.includes('declined')) this.mayRetryDeclined = true;
  }

  rulesHold(rules: Rules): void {
    this.#unsettled = 0;
    this.#rules = rules;
    this.#rulesChangedAt = this.real;
  }

  /** True while it is unknown which rules are in force, and at the moment of a change. */
  get areRulesUnsure(): boolean {
    return this.#unsettled > 0 || this.#rulesChangedAt === this.real;
  }

  get honoursRetryAfter(): boolean {
    return this.#rules.retryAfter;
  }

  get jitter(): number {
    return this.#rules.jitter;
  }

  /** Milliseconds after round `round`, without jitter; null when none follows. */
  nominal(round: number): number | null {
    const { baseMs, factor, maxMs } = this.#rules;
    return Math.min(baseMs * factor ** (round - 1), maxMs);
  }

  asks(outcome: Outcome): boolean {
    return outcome === 'interrupted' || (this.#rules.retryOn as readonly Outcome[]).includes(outcome);
  }

  // Webhooks

  /** When the webhook was switched off or removed, in real milliseconds; null while it is on. */
  offSince(webhookId: number): number | null {
    return this.#off.get(webhookId) ?? null;
  }

  switched(webhookId: number, on: boolean): void {
    if (on) this.#off.delete(webhookId);
    else if (!this.#off.has(webhookId)) this.#off.set(webhookId, this.real);
  }

  // Secrets

  /** A life that began without being able to read the secrets. */
  beganUnreadable(life: Life | null): void {
    this.#unreadable = life;
  }

  isUnreadable(life: Life): boolean {
    return this.#unreadable === life;
  }

  // Time

  /** Real milliseconds, each multiplied by the clock's speed at that moment. */
  get scaled(): number {
    const passed = this.real - this.#scaledReal;
    return this.#scaledAt + (this.#clockStands ? 0 : passed * this.#speed);
  }

  ran(speed: number, stands: boolean): void {
    this.#scaledAt = this.scaled;
    this.#scaledReal = this.real;
    this.#speed = speed;
    this.#clockStands = stands;
    this.#fastest = Math.max(this.#fastest, speed);
  }

  jumped(byMs: number, life: Life | null): void {
    if (byMs < 0) this.#wentBack = true;
    else this.passedOver(byMs, life);
  }

  /**
   * Called before a sleep, or before the clock is set ahead. For this life, both are time in which nothing could run.
   */
  passedOver(byMs: number, life: Life | null): void {
    if (life === null) return;
    const { speed, paused } = life.engine.parts.retryClock.state;
    const from = life.engine.parts.retryClock.now();
    if (!paused) this.#passedOver.push({ life, from, to: from + byMs * speed });
  }

  /** Whether a window with this end leaves one last round, because it ended in a sleep that this life woke from. */
  leavesLastRound(end: number, life: Life): boolean {
    return this.#passedOver.some((sleep) => sleep.life === life && sleep.from <= end && end <= sleep.to);
  }

  restarted(): void {
    this.#restarted = true;
  }

  /**
   * How much longer the window may be in real time. When the clock was set back while no engine ran, nobody can know
   * how long that time was.
   */
  get slackMs(): number {
    return this.#wentBack && this.#restarted ? Number.POSITIVE_INFINITY : 60_000 * this.#fastest;
  }
}
