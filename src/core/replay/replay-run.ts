/** One replay under way: its rounds, and its waits for the next one. */
import { type Sender, toStored } from '../delivery/sender.ts';
import type { DeliveryWebhook } from '../delivery/webhooks.ts';
import type { AttemptResult } from '../model/attempt.ts';
import { parseRetryAfter } from '../model/backoff.ts';
import type { DeliveryRules } from '../model/rules.ts';
import type { RoundResult } from '../model/schedule.ts';
import type { ReplayEnd } from '../model/vocabulary.ts';
import { type Clock, StoreDamagedError, type Timers } from '../ports.ts';
import type { ReplayAttempt, ReplayKey, ReplayStore } from '../store/ports/replays.ts';
import { afterReplayRound } from './after-round.ts';

/** A longer timer is not trusted: the machine may sleep, and the retry clock may jump. */
const LONGEST_TIMER_MS = 15_000;

export interface ReplayRunDeps {
  readonly store: Pick<ReplayStore, 'finishAttempt' | 'wait' | 'goOn' | 'finish'>;
  /** Writes results. Retried while the store cannot be written. */
  persist<T>(write: () => Promise<T>): Promise<T>;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly timers: Timers;
  /** The retry clock. */
  readonly retryClock: { now(): number; realDelay(at: number): number };
  rules(): Pick<DeliveryRules, 'retry' | 'retryOn' | 'retryAfter'>;
  /** Whether a target is still there, at the same address. */
  isTarget(webhook: DeliveryWebhook): boolean;
  /** Called with each result at a webhook, after its commit. */
  recorded(webhook: DeliveryWebhook, result: AttemptResult, startedAt: number): void;
  /** It waits for its next round, or no longer. */
  waits(waiting: boolean): void;
}

/** What every attempt of a replay has in common. */
export interface Resend extends ReplayKey {
  /** Of the message, as its attempts show it. */
  readonly round: number;
  readonly wire: Uint8Array;
  readonly signed: boolean;
  readonly untilAccepted: boolean;
  readonly retryUntil: number | null;
}

/** A target whose attempt is stored. */
export interface Begun {
  readonly webhook: DeliveryWebhook;
  readonly attemptId: number;
  readonly startedAt: number;
}

export class ReplayRun {
  readonly #deps: ReplayRunDeps;
  readonly #resend: Resend;
  #isStopped = false;
  #isClosed = false;
  #wake: () => void = () => {};

  constructor(deps: ReplayRunDeps, resend: Resend) {
    this.#deps = deps;
    this.#resend = resend;
  }

  /** Begins no further attempt. Those under way end by themselves. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Hookbench ends: the next start calls a replay that waits interrupted. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** The retry clock changed. */
  clockChanged(): void {
    this.#wake();
  }

  /** `begun` are the attempts that were stored with the replay. */
  async run(targets: readonly DeliveryWebhook[], begun: readonly Begun[]): Promise<void> {
    try {
      await this.#rounds(targets, begun);
    } catch {
      // Something cannot be stored for good. If it is the next attempt, that must not be sent.
      await this.#finish('interrupted');
    }
  }

  async #rounds(targets: readonly DeliveryWebhook[], begun: readonly Begun[]): Promise<void> {
    let left = targets;
    let first: readonly Begun[] | null = begun;
    for (let round = 1; ; round += 1) {
      const results = await this.#round(left, first);
      if (results === null) return;
      const next = this.#isCut(left, results) ? await this.#cut() : await this.#after(round, results);
      if (next === null) return;
      left = left.filter((webhook) => next.includes(webhook.id) && this.#deps.isTarget(webhook));
      if (left.length === 0) return this.#finish('done');
      first = null;
    }
  }

  /** Null when the replay has ended meanwhile. */
  #round(targets: readonly DeliveryWebhook[], first: readonly Begun[] | null): Promise<RoundResult[] | null> {
    return this.#resend.untilAccepted ? this.#inTurn(targets, first) : this.#atOnce(targets, first);
  }

  async #atOnce(targets: readonly DeliveryWebhook[], first: readonly Begun[] | null): Promise<RoundResult[] | null> {
    const begun = first ?? (await this.#begin(targets));
    return begun && Promise.all(begun.map((one) => this.#attempt(one)));
  }

  async #inTurn(targets: readonly DeliveryWebhook[], first: readonly Begun[] | null): Promise<RoundResult[] | null> {
    const results: RoundResult[] = [];
    for (const [i, webhook] of targets.entries()) {
      if (results.at(-1)?.outcome === 'accepted' || this.#isClosed || this.#isStopped) break;
      const begun = i === 0 && first !== null ? first : await this.#begin([webhook]);
      if (begun === null) return null;
      results.push(await this.#attempt(begun[0]!));
    }
    return results;
  }

  /** True when a stop left out targets whose turn would have come. */
  #isCut(targets: readonly DeliveryWebhook[], results: readonly RoundResult[]): boolean {
    return results.length < targets.length && results.at(-1)?.outcome !== 'accepted';
  }

  async #cut(): Promise<null> {
    if (!this.#isClosed) await this.#finish('stopped');
    return null;
  }

  /** The targets of the next round, once its time has come; null at the end. */
  async #after(round: number, results: readonly RoundResult[]): Promise<readonly number[] | null> {
    const { rules, retryClock, store } = this.#deps;
    const { replayId, messageId, retryUntil, untilAccepted } = this.#resend;
    const ended = { messageRow: messageId, round, results, untilAccepted, retryUntil, now: retryClock.now() };
    const after = afterReplayRound(rules(), ended);
    if (this.#isClosed && after.end === null) return null;
    if (after.end === null && !this.#isStopped) {
      const nextAt = after.dueAt;
      await this.#keep(() => store.wait({ replayId, messageId, nextAt }));
      await this.#until(nextAt);
      if (this.#isClosed) return null;
      if (!this.#isStopped) return after.webhookIds;
    }
    await this.#finish(after.end ?? 'stopped');
    return null;
  }

  async #until(at: number): Promise<void> {
    const { retryClock, timers, waits } = this.#deps;
    waits(true);
    while (!this.#isStopped && !this.#isClosed) {
      const wait = retryClock.realDelay(at);
      if (wait <= 0) break;
      await new Promise<void>((resolve) => {
        const timer = timers.after(Math.min(LONGEST_TIMER_MS, wait), resolve);
        this.#wake = () => {
          timer.cancel();
          resolve();
        };
      });
    }
    waits(false);
  }

  async #begin(webhooks: readonly DeliveryWebhook[]): Promise<Begun[] | null> {
    const { persist, store, clock, retryClock } = this.#deps;
    const { replayId, messageId, round } = this.#resend;
    const startedAt = clock.wall();
    const attempts = webhooks.map((webhook) => newAttempt(webhook, round, startedAt, retryClock.now()));
    const ids = await persist(() => store.goOn({ replayId, messageId, attempts }));
    return ids && webhooks.map((webhook, i) => ({ webhook, attemptId: ids[i]!, startedAt }));
  }

  async #attempt({ webhook, attemptId: id, startedAt }: Begun): Promise<RoundResult> {
    const { sender, store, recorded, clock } = this.#deps;
    const { messageId, wire, signed } = this.#resend;
    const result = await sender.send(webhook, wire, messageId, { signed, attempt: id });
    const { outcome, status, durationMs, responseBody } = result;
    const row = { id, outcome, status, durationMs, result: toStored(result, 0, webhook.headers), body: responseBody };
    await this.#keep(() => store.finishAttempt(messageId, row));
    if (webhook.slot > 0) recorded(webhook, result, startedAt);
    const retryAfter = result.responseHeaders.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
    return { webhookId: webhook.id, outcome, retryAfterMs: parseRetryAfter(retryAfter, clock.wall()) };
  }

  /** Writes what happened. The replay goes on when a damaged page keeps it from being written. */
  async #keep(write: () => Promise<void>): Promise<void> {
    try {
      await this.#deps.persist(write);
    } catch (error) {
      if (!(error instanceof StoreDamagedError)) throw error;
    }
  }

  async #finish(ended: ReplayEnd): Promise<void> {
    const { persist, store, clock } = this.#deps;
    const { replayId, messageId } = this.#resend;
    await persist(() => store.finish({ replayId, messageId, finishedAt: clock.wall(), ended }));
  }
}

export function newAttempt(
  { id, slot, name, url }: DeliveryWebhook,
  round: number,
  startedAt: number,
  clockAt: number,
): ReplayAttempt {
  return { webhookId: id, slot, webhookName: name, url, round, startedAt, clockAt };
}
