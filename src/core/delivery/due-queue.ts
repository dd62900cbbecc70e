/**
 * Messages whose round is due, in memory and in order. Ingest offers new messages after their commit. The queue claims
 * the rest from the store by due time. It is bounded: what does not fit stays in the store and is claimed later, so a
 * large backlog costs no memory. It never trusts a timer for longer than 15 s (sleep, clock jumps).
 */
import type { Timer, Timers } from '../ports.ts';
import type { Claimed, DueMessage, DuePlace, DueStore } from '../store/ports/due.ts';
import { PassingMap } from './passing.ts';
import type { RetryClock } from './retry-clock.ts';

const CAPACITY = 2_000;
/** Five webhooks have 80 senders, and each may take a message in the same turn. */
const LOW_WATER = 128;
/**
 * Few enough that a claimed message begins its round before two collections of young objects, which under load are some
 * 400 messages apart. With 1,000 at once each message grew old while it waited: the engine's thread had nine full
 * collections in 80,000 messages in place of one, and the process 20 MB more at its peak.
 */
const CLAIM = 256;
const LONGEST_TIMER_MS = 15_000;

/** Before everything that is due. */
export const FIRST_PLACE: DuePlace = { dueAt: Number.MIN_SAFE_INTEGER, id: 0 };

export interface DueQueueDeps {
  readonly store: Pick<DueStore, 'claim'>;
  readonly clock: RetryClock;
  readonly timers: Timers;
  /** Whether the message has a round or a move under way. */
  isTaken(messageId: number): boolean;
  /** Called when more messages may be due, or when more were claimed. */
  wake(): void;
  claimFailed(error: unknown): void;
}

export class DueQueue {
  readonly #deps: DueQueueDeps;
  readonly #ready = new PassingMap<DueMessage>();
  /** The next claim begins after this place. Null when everything due was claimed. Each look makes a new object. */
  #place: DuePlace | null = { ...FIRST_PLACE };
  #isClaiming = false;
  /** True when a message was left to a claim that may have run before the message's commit. */
  #wasOffered = false;
  #timer: Timer | null = null;
  #timerAt = Number.POSITIVE_INFINITY;
  #isStopped = false;

  constructor(deps: DueQueueDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#ready.size;
  }

  /** No message is due before one that comes now. */
  get isEmpty(): boolean {
    return this.#place === null && this.#ready.size === 0;
  }

  /**
   * Offers a message just committed as due. While a backlog is being read, a claim takes it instead, to keep the order.
   */
  offer(message: DueMessage): void {
    if (this.#place !== null) {
      this.#wasOffered = true;
      // It is due before messages that were already claimed: the clock was set back, or its commit came late.
      if (message.nextDueAt < this.#place.dueAt) this.#place = { ...FIRST_PLACE };
      return;
    }
    if (this.#ready.size >= CAPACITY) this.#place = { dueAt: message.nextDueAt, id: message.id - 1 };
    else this.#ready.set(message.id, message);
  }

  /** Takes the next due message. Undefined when none is in memory; a claim may still bring more. */
  take(): DueMessage | undefined {
    this.#fill();
    let message = this.#ready.takeFirst();
    while (message !== undefined && this.#deps.isTaken(message.id)) message = this.#ready.takeFirst();
    return message;
  }

  remove(id: number): void {
    this.#ready.take(id);
  }

  /** A message in the store is due at `dueAt`. Looks now if that time has come, otherwise sets a timer. */
  expect(dueAt: number): void {
    if (dueAt <= this.#deps.clock.now()) this.refresh();
    else if (dueAt < this.#timerAt) this.#arm(dueAt);
  }

  /** Claims from the start again, after a change of the clock or a webhook, or a user's command. */
  refresh(): void {
    this.#place = { ...FIRST_PLACE };
    this.#deps.wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#ready.clear();
  }

  /** Claims more when few messages are left in memory and the store may have more. */
  #fill(): void {
    const after = this.#place;
    if (after === null || this.#ready.size >= LOW_WATER || this.#isClaiming || this.#isStopped) return;
    this.#isClaiming = true;
    this.#wasOffered = false;
    this.#deps.store.claim({ until: this.#deps.clock.now(), after, limit: CLAIM }).then(
      (claimed) => {
        this.#isClaiming = false;
        if (!this.#isStopped) this.#claimed(after, claimed);
      },
      (error: unknown) => {
        this.#isClaiming = false;
        this.#deps.claimFailed(error);
      },
    );
  }

  #claimed(after: DuePlace, { messages, nextDueAt }: Claimed): void {
    for (const message of messages) if (!this.#deps.isTaken(message.id)) this.#ready.set(message.id, message);
    const last = messages.at(-1);
    const isAll = messages.length < CLAIM && !this.#wasOffered;
    const next = last === undefined ? after : { dueAt: last.nextDueAt, id: last.id };
    // Meanwhile someone asked for a look from the start, which replaces this one.
    if (this.#place === after) this.#place = isAll ? null : next;
    if (nextDueAt !== null) this.#arm(nextDueAt);
    this.#fill();
    this.#deps.wake();
  }

  #arm(dueAt: number): void {
    if (this.#isStopped) return;
    const { clock, timers } = this.#deps;
    this.#timer?.cancel();
    this.#timerAt = dueAt;
    this.#timer = timers.after(Math.min(LONGEST_TIMER_MS, clock.realDelay(dueAt)), () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.refresh();
    });
  }
}
