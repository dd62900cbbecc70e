/**
 * The change feed: the one source of live updates. Every committed change raises `seq`; each subscriber gets
 * squashed batches, the first at once and then at most one per interval, and never a second one before it has
 * taken the first. Who falls too far behind, or comes back with a `seq` that is no longer known, gets a reset.
 */
import type { ChangeBatch } from '../../contract/values.ts';
import type { Clock, Timer, Timers } from '../ports.ts';
import type { ChangedPart, Changes } from '../store/ports/changes.ts';

/** More changed messages than this in one batch are a reset: the reader asks for the rows that it shows. */
const MAX_BATCH = 1_000;
/** Changed ids kept for readers that come back. */
const MAX_HISTORY = 20_000;
const SHOWN_MS = 100;
const HIDDEN_MS = 500;

export interface FeedReader {
  /** Resolves when the reader has taken the batch. */
  changes(batch: ChangeBatch): Promise<void>;
}

/** What a batch is built from. */
export interface Pending {
  readonly messages: ReadonlySet<number>;
  readonly removed: ReadonlySet<number>;
  readonly parts: ReadonlySet<ChangedPart>;
  readonly reset: boolean;
}

interface Entry {
  readonly seq: number;
  readonly messages: readonly number[];
  readonly removed: readonly number[];
  readonly parts: readonly ChangedPart[];
}

export class Subscription {
  readonly #feed: Feed;
  readonly #reader: FeedReader;
  readonly #messages = new Set<number>();
  readonly #removed = new Set<number>();
  readonly #parts = new Set<ChangedPart>();
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

  add(messages: Iterable<number>, removed: Iterable<number>, parts: Iterable<ChangedPart>): void {
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
    for (const part of parts) this.#parts.add(part);
    this.touch();
  }

  reset(): void {
    this.#reset = true;
    this.#messages.clear();
    this.#removed.clear();
  }

  /** Asks for a batch, if only for its status. */
  touch(): void {
    this.#dirty = true;
    this.#plan();
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
    const batch = this.#feed.build({
      messages: this.#messages,
      removed: this.#removed,
      parts: this.#parts,
      reset: this.#reset,
    });
    this.#messages.clear();
    this.#removed.clear();
    this.#parts.clear();
    this.#reset = false;
    this.#reader.changes(batch).then(
      () => {
        this.#busy = false;
        if (this.#dirty) this.#plan();
      },
      () => this.close(),
    );
  }
}

export class Feed {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly #build: (pending: Pending, seq: number) => ChangeBatch;
  readonly #subscriptions = new Set<Subscription>();
  readonly #history: Entry[] = [];
  #historySize = 0;
  #seq = 0;

  constructor(clock: Clock, timers: Timers, build: (pending: Pending, seq: number) => ChangeBatch) {
    this.clock = clock;
    this.timers = timers;
    this.#build = build;
  }

  get seq(): number {
    return this.#seq;
  }

  build(pending: Pending): ChangeBatch {
    return this.#build(pending, this.#seq);
  }

  /** Takes in what a transaction changed. */
  committed(changes: Changes): void {
    if (changes.messages.size + changes.removed.length + changes.parts.size === 0) return;
    this.#seq += 1;
    this.#remember({
      seq: this.#seq,
      messages: [...changes.messages],
      removed: [...changes.removed],
      parts: [...changes.parts],
    });
    for (const subscription of this.#subscriptions) subscription.add(changes.messages, changes.removed, changes.parts);
  }

  /** A part changed in memory only: it goes with the next batch and is not part of the history. */
  touch(part: ChangedPart): void {
    for (const subscription of this.#subscriptions) subscription.add([], [], [part]);
  }

  /** Something that only the status shows has changed. */
  touchStatus(): void {
    for (const subscription of this.#subscriptions) subscription.touch();
  }

  /** Subscribes; `resumed` is false when the difference since `since` could not be given. */
  subscribe(reader: FeedReader, since: number | null): { subscription: Subscription; resumed: boolean } {
    const subscription = new Subscription(this, reader);
    this.#subscriptions.add(subscription);
    const oldest = this.#history[0]?.seq ?? this.#seq + 1;
    const resumed = since !== null && since <= this.#seq && since >= oldest - 1;
    if (resumed)
      for (const entry of this.#history)
        if (entry.seq > since) subscription.add(entry.messages, entry.removed, entry.parts);
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
