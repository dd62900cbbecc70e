/**
 * Replays: when the user asks, sends the bytes of a message, as they are stored or edited, to chosen webhooks and other
 * URLs, in marked attempts. The state of the original message never changes.
 */

import type { DeliveryWebhook } from '../delivery/webhooks.ts';
import { failpoint } from '../failpoint.ts';
import type { SentBody } from '../model/vocabulary.ts';
import type { ReplayStore } from '../store/ports/replays.ts';
import { ONCE, type ReplayCourse, retryUntil } from './after-round.ts';
import { newAttempt, ReplayRun, type ReplayRunDeps } from './replay-run.ts';

/** Replays of many messages wait while so many are under way. */
const MAX_OPEN = 100;
/** Replays that wait for another round keep their bytes in memory. */
export const MAX_WAITING = 100;

export interface ReplayerDeps extends Omit<ReplayRunDeps, 'store' | 'waits'> {
  readonly store: ReplayStore;
}

/** How a replay differs from a plain one, which sends the delivered bytes signed, once to each target. */
export interface ReplayManner {
  readonly sent?: SentBody;
  readonly signed?: boolean;
  readonly jobId?: number | null;
  readonly course?: ReplayCourse;
}

export class Replayer {
  readonly #deps: ReplayerDeps;
  /** By row id, those that wait for a round too. */
  readonly #runs = new Map<number, ReplayRun>();
  readonly #open = new Set<Promise<void>>();
  #waiting = 0;
  #hasRoom: Array<() => void> = [];

  constructor(deps: ReplayerDeps) {
    this.#deps = deps;
  }

  /** Replays that wait for another round. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Resolves with the replay's id once it and its first attempts are committed and under way; with null when the
   * message was removed or erased meanwhile. A target that is no webhook has a negative id and slot 0.
   */
  async send(
    messageId: number,
    round: number,
    wire: Uint8Array,
    webhooks: readonly DeliveryWebhook[],
    { sent = 'delivered', signed = true, jobId = null, course = ONCE }: ReplayManner = {},
  ): Promise<number | null> {
    const { store, clock, retryClock, rules } = this.#deps;
    const startedAt = clock.wall();
    const now = retryClock.now();
    const until = retryUntil(course, rules().retry, now);
    const first = course.untilAccepted ? webhooks.slice(0, 1) : webhooks;
    const opened = await store.open({
      messageId,
      createdAt: startedAt,
      attempts: first.map((webhook) => newAttempt(webhook, round, startedAt, now)),
      targets: webhooks.map(({ id }) => id),
      retryUntil: until,
      sent,
      signed,
      // Stored bytes are kept with their message or its request.
      body: sent === 'edited' ? wire : null,
      jobId,
    });
    if (opened === null) return null;
    const { replayId, attemptIds } = opened;
    failpoint('replay_written');
    const { untilAccepted } = course;
    const resend = { replayId, messageId, round, wire, signed, untilAccepted, retryUntil: until };
    const run = new ReplayRun({ ...this.#deps, waits: (waiting) => this.#waits(waiting) }, resend);
    const begun = first.map((webhook, i) => ({ webhook, attemptId: attemptIds[i]!, startedAt }));
    this.#follow(replayId, run, run.run(webhooks, begun));
    return replayId;
  }

  #follow(replayId: number, run: ReplayRun, running: Promise<void>): void {
    const done = running.catch(() => {});
    this.#runs.set(replayId, run);
    this.#open.add(done);
    void done.finally(() => {
      this.#runs.delete(replayId);
      this.#open.delete(done);
      this.#tellRoom();
    });
  }

  #waits(waiting: boolean): void {
    this.#waiting += waiting ? 1 : -1;
    this.#tellRoom();
  }

  #tellRoom(): void {
    const told = this.#hasRoom;
    this.#hasRoom = [];
    for (const resolve of told) resolve();
  }

  /** Begins no further attempt of a replay. False when it has ended. */
  stop(replayId: number): boolean {
    const run = this.#runs.get(replayId);
    run?.stop();
    return run !== undefined;
  }

  /** The retry clock was changed or jumped. */
  clockChanged(): void {
    for (const run of this.#runs.values()) run.clockChanged();
  }

  /** Hookbench ends: no replay begins another round. */
  close(): void {
    for (const run of this.#runs.values()) run.close();
  }

  /** Resolves when so few replays are under way that more may begin. */
  async room(): Promise<void> {
    while (this.#open.size - this.#waiting >= MAX_OPEN)
      await new Promise<void>((resolve) => this.#hasRoom.push(resolve));
  }

  /** Resolves when every replay is recorded; after {@link close} those that wait are left out. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }
}
