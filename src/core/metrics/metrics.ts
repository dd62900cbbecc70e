/**
 * Counts what happens, minute by minute, for the charts. An event changes counts in memory only; the group writer
 * writes the changes at most once a second, and at the stop. So a crash can lose the last second of the charts, but
 * never a message. The minutes of 24 h are kept.
 */

import type { MovedEvent } from '../delivery/moved-event.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { NewMessage, StoredMessage } from '../model/records.ts';
import { UNDER_WAY_STATES } from '../model/vocabulary.ts';
import type { Clock, Timer, Timers } from '../ports.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { MetricsStore } from '../store/ports/metrics.ts';
import { bucketOf, DELIVERY_EDGES } from './histogram.ts';
import { addTo, countsOf, type Minute, minuteOf, newMinute } from './minute.ts';
import { loadMinutes, saveMinutes } from './rows.ts';
import { type NamedWebhook, WebhookNames } from './webhook-names.ts';

export const KEPT_MINUTES = 24 * 60;
const WRITE_MS = 1_000;
/** How long it waits after a failed write. */
const WRITE_AGAIN_MS = 5_000;

export interface MetricsDeps {
  readonly store: MetricsStore;
  readonly write: Writer['write'];
  readonly clock: Clock;
  readonly timers: Timers;
}

type MovedMessage = Pick<MovedEvent, 'receivedAt' | 'from' | 'to' | 'round' | 'at'> & {
  readonly missed: readonly NamedWebhook[];
};

/** Whether the message was counted as one that needed a retry before this move. */
const wasRetried = ({ from, round }: MovedMessage): boolean =>
  round > 1 || (round === 1 && !UNDER_WAY_STATES.has(from));

export class Metrics {
  readonly #deps: MetricsDeps;
  readonly #minutes = new Map<number, Minute>();
  readonly #changed = new Set<Minute>();
  readonly #names: WebhookNames;
  /** Wall time of this start. */
  readonly startedAt: number;
  /** The store no longer has older minutes. */
  #keptFrom = Number.NEGATIVE_INFINITY;
  #timer: Timer | null = null;
  #closed = false;

  constructor(deps: MetricsDeps) {
    this.#deps = deps;
    this.startedAt = deps.clock.wall();
    for (const minute of loadMinutes(deps.store, this.#oldest())) this.#minutes.set(minute.minute, minute);
    const used = new Set([...this.#minutes.values()].flatMap(({ webhooks }) => [...webhooks.keys()]));
    this.#names = new WebhookNames(deps.store.webhooks(), used);
  }

  /** Counts the messages of one stored request. Repeats of a message are counted apart. */
  stored(
    receivedAt: number,
    messages: ReadonlyArray<Pick<NewMessage, 'state' | 'reason'>>,
    stored: readonly StoredMessage[],
  ): void {
    const minute = this.#at(receivedAt);
    if (minute === undefined) return;
    const counts = minute.messages;
    for (let i = 0; i < messages.length; i++) {
      if (stored[i]!.duplicate) {
        counts.repeats += 1;
        continue;
      }
      const { state, reason } = messages[i]!;
      counts.received += 1;
      if (state === 'rejected') {
        counts.rejected += 1;
        addTo(counts.rejectedBy, reason ?? 'unknown', 1);
      } else if (state === 'not_selected') {
        counts.notSelected += 1;
        addTo(counts.notSelectedBy, reason ?? 'unknown', 1);
      }
    }
  }

  /** Counts held calls of an unknown write key that were ingested again, and so are no longer rejected. */
  heldTaken(receivedAt: number, calls: number): void {
    const minute = this.#at(receivedAt);
    if (minute === undefined) return;
    minute.messages.take('received', calls);
    minute.messages.take('rejected', calls);
    addTo(minute.messages.rejectedBy, 'unknown_source', -calls);
  }

  /** Counts messages whose first round a crash ended, by the times of their receipt: they need a retry. */
  recovered(receivedAt: readonly number[]): void {
    for (const at of receivedAt) {
      const minute = this.#at(at);
      if (minute !== undefined) minute.messages.retried += 1;
    }
  }

  /** Corrects the minute in which a message was received, after it moved to another state. */
  moved(move: MovedMessage): void {
    const minute = this.#at(move.receivedAt);
    if (minute === undefined) return;
    const counts = minute.messages;
    switch (move.to) {
      case 'retrying':
        if (move.round === 1 && UNDER_WAY_STATES.has(move.from)) counts.retried += 1;
        return;
      case 'delivered':
        counts.delivered += 1;
        if (!wasRetried(move)) counts.firstRound += 1;
        counts.deliveryMs[bucketOf(DELIVERY_EDGES, move.at - move.receivedAt)]! += 1;
        for (const webhook of move.missed) countsOf(minute.webhooks, this.#names.keyOf(webhook)).missed += 1;
        return;
      case 'stopped':
        counts.stopped += 1;
        return;
      default:
        if (wasRetried(move)) counts.take('retried');
        counts[move.to] += 1;
    }
  }

  /** Counts the result of an attempt that ran under a response time limit of `limitMs`. */
  recorded(
    webhook: NamedWebhook,
    result: Pick<AttemptResult, 'outcome' | 'durationMs'>,
    startedAt: number,
    limitMs: number,
  ): void {
    const minute = this.#at(startedAt);
    if (minute !== undefined) countsOf(minute.webhooks, this.#names.keyOf(webhook)).record(result, limitMs);
  }

  /** The minutes from `first` to `last`, both included, ascending, without those in which nothing happened. */
  *range(first: number, last: number): Generator<Minute> {
    for (let at = first; at <= last; at++) {
      const minute = this.#minutes.get(at);
      if (minute !== undefined) yield minute;
    }
  }

  /** The webhook under which a minute keeps its counts. */
  named(key: number): NamedWebhook | undefined {
    return this.#names.get(key);
  }

  /** Hands the writer what is not written yet; the caller flushes the writer. It writes nothing after that. */
  close(): void {
    this.#timer?.cancel();
    this.#write();
    this.#closed = true;
  }

  /** The kept minute of a time, for changing it. */
  #at(wall: number): Minute | undefined {
    const at = minuteOf(wall);
    let minute = this.#minutes.get(at);
    if (minute === undefined) {
      if (at < this.#oldest()) return undefined;
      minute = newMinute(at);
      this.#minutes.set(at, minute);
    }
    this.#changed.add(minute);
    if (this.#timer === null) this.#plan(WRITE_MS);
    return minute;
  }

  #oldest(): number {
    return minuteOf(this.#deps.clock.wall()) - KEPT_MINUTES + 1;
  }

  #plan(ms: number): void {
    if (this.#closed) return;
    this.#timer = this.#deps.timers.after(ms, () => {
      this.#timer = null;
      this.#write();
    });
  }

  #write(): void {
    if (this.#changed.size === 0 || this.#closed) return;
    const first = this.#oldest();
    const last = first + 2 * KEPT_MINUTES;
    this.#forget(first, last);
    const minutes = [...this.#changed];
    this.#changed.clear();
    const { store } = this.#deps;
    const names = this.#names.unsaved;
    this.#deps
      .write(
        (changes) => {
          store.saveWebhooks(names.rows, names.unused, changes);
          saveMinutes(store, minutes, changes);
          if (first !== this.#keptFrom) store.keepOnly(first, last, changes);
          this.#keptFrom = first;
        },
        minutes.reduce((rows, { webhooks }) => rows + 1 + webhooks.size, 0),
      )
      .then(() => this.#names.saved(names))
      .catch(() => {
        for (const minute of minutes) this.#changed.add(minute);
        if (this.#timer === null) this.#plan(WRITE_AGAIN_MS);
      });
  }

  #forget(first: number, last: number): void {
    for (const minute of this.#minutes.values()) {
      if (minute.minute >= first && minute.minute <= last) continue;
      this.#minutes.delete(minute.minute);
      this.#changed.delete(minute);
    }
  }
}
