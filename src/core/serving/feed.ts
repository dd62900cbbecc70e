/**
 * The change feed: the one source of live updates. Every commit that changes messages raises `seq`. Each subscriber
 * gets squashed batches: the first at once, then at most one per interval, and never the next before it has taken the
 * last. A subscriber that falls too far behind, or comes back with a `seq` that is no longer known, gets a reset. Only
 * messages have a history, because a client that connects gets every live part anyway.
 */
import type { LivePart } from '../../contract/live.ts';
import type { Clock, Timer, Timers } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';

/** When more messages than this changed, the batch becomes a reset, and the reader asks for the rows that it shows. */
const MAX_BATCH = 1_000;
/** How many changed ids are kept for readers that reconnect. */
const MAX_HISTORY = 20_000;
const SHOWN_MS = 100;
const HIDDEN_MS = 500;

export interface FeedReader {
  /** Resolves when the reader has applied the batch. */
  take(pending: Pending): Promise<void>;
}

/** What changed since the batch before. */
export interface Pending {
  /** Where the feed stands. */
  readonly seq: number;
  /** Row ids. */
  readonly messages: ReadonlySet<number>;
  readonly removed: ReadonlySet<number>;
  readonly parts: ReadonlySet<LivePart>;
  readonly reset: boolean;
}

interface Entry {
  readonly seq: number;
  readonly messages: readonly number[];
  readonly removed: readonly number[];
}

export class Subscription {
  readonly #feed: Feed;
  readonly #reader: FeedReader;
  #messages = new Set<number>();
  #removed = new Set<number>();
  #parts = new Set<LivePart>();
  #reset = false;
  #dirty = false;
  #busy = false;
  #closed = false;
  #timer: Timer | null = null;
  #lastAt = Number.NEGATIVE_INFINITY;
  #intervalMs = SHOWN_MS;

  constructor(feed: Feed, reader: FeedReader) {
    this.#feed = feed;
    this.#reader = reader;
  }

  /** A hidden window gets a batch every 500 ms. */
  setHidden(hidden: boolean): void {
    this.#intervalMs = hidden ? HIDDEN_MS : SHOWN_MS;
  }

  add({ messages, removed }: Pick<Changes, 'messages' | 'removed'> | Entry): void {
    if (!this.#reset) {
      for (const id of removed) {
        this.#removed.add(id);
        this.#messages.delete(id);
      }
      for (const id of messages) {
        this.#messages.add(id);
        this.#removed.delete(id);
      }
      if (this.#messages.size + this.#removed.size > MAX_BATCH) this.reset();
    }
    this.touch('status');
  }

  touch(part: LivePart): void {
    this.#parts.add(part);
    this.#dirty = true;
    this.#plan();
  }

  reset(): void {
    this.#reset = true;
    this.#messages.clear();
    this.#removed.clear();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#feed.forget(this);
  }

  #plan(): void {
    if (this.#timer !== null || this.#busy || this.#closed) return;
    const wait = this.#lastAt + this.#intervalMs - this.#feed.clock.mono();
    this.#timer = this.#feed.timers.after(Math.max(0, wait), () => {
      this.#timer = null;
      this.#send();
    });
  }

  #send(): void {
    this.#lastAt = this.#feed.clock.mono();
    this.#dirty = false;
    this.#busy = true;
    this.#reader.take(this.#takePending()).then(
      () => {
        this.#busy = false;
        if (this.#dirty) this.#plan();
      },
      () => this.close(),
    );
  }

  #takePending(): Pending {
    const pending = {
      seq: this.#feed.seq,
      messages: this.#messages,
      removed: this.#removed,
      parts: this.#parts,
      reset: this.#reset,
    };
    this.#messages = new Set();
    this.#removed = new Set();
    this.#parts = new Set();
    this.#reset = false;
    return pending;
  }
}

export class Feed {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly #subscriptions = new Set<Subscription>();
  readonly #history: Entry[] = [];
  #historySize = 0;
  #seq = 0;

  constructor(clock: Clock, timers: Timers) {
    this.clock = clock;
    this.timers = timers;
  }

  get seq(): number {
    return this.#seq;
  }

  /** Records what a transaction changed. */
  committed(changes: Changes): void {
    if (changes.messages.size + changes.removed.length === 0) return;
    this.#seq += 1;
    this.#remember({ seq: this.#seq, messages: [...changes.messages], removed: [...changes.removed] });
    for (const subscription of this.#subscriptions) subscription.add(changes);
  }

  /** This part has changed. The next batch contains it. */
  touch(part: LivePart): void {
    for (const subscription of this.#subscriptions) subscription.touch(part);
  }

  /** Subscribes. `resumed` is false when the changes after `since` are not known any more. */
  subscribe(reader: FeedReader, since: number | null): { subscription: Subscription; resumed: boolean } {
    const subscription = new Subscription(this, reader);
    this.#subscriptions.add(subscription);
    const oldest = this.#history[0]?.seq ?? this.#seq + 1;
    const resumed = since !== null && since <= this.#seq && since >= oldest - 1;
    if (resumed) for (const entry of this.#history) if (entry.seq > since) subscription.add(entry);
    return { subscription, resumed };
  }

  forget(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
  }

  close(): void {
    for (const subscription of [...this.#subscriptions]) subscription.close();
  }

  #remember(entry: Entry): void {
    this.#history.push(entry);
    this.#historySize += 1 + entry.messages.length + entry.removed.length;
    while (this.#historySize > MAX_HISTORY) {
      const old = this.#history.shift()!;
      this.#historySize -= 1 + old.messages.length + old.removed.length;
    }
  }
}
