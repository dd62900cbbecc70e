/** Delivers messages: takes what is due, decides what becomes of it, and begins its round. */
import type { Outcome } from '../model/attempt.ts';
import type { Cells, DeliveryReason, MessageState } from '../model/message.ts';
import { mayStart } from '../model/schedule.ts';
import { type Logger, StoreDamagedError, type Timers } from '../ports.ts';
import type { DueMessage } from '../store/deliveries.ts';
import { Breaker } from './breaker.ts';
import { DueQueue } from './due-queue.ts';
import { prospectOf, triedNext } from './prospects.ts';
import { outcomeOf } from './round.ts';
import { Rounds, type RoundsDeps } from './rounds.ts';
import { StoreGuard } from './store-guard.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/** Rounds under way at once, but for those that only wait for a sender; the rest waits in the table. */
const MAX_ROUNDS = 2_000;
/** Rounds that wait for a sender of a slow webhook: small, and many, so that the others go on without it. */
const MAX_PARKED = 20_000;

const NO_OUTCOMES: ReadonlyMap<number, Outcome> = new Map();

/** How long a stop waits for results to be recorded; what is not is `interrupted` at the next start. */
const STOP_LIMIT_MS = 2_000;

export interface DispatcherDeps extends RoundsDeps {
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Messages looked at in one turn after a webhook went away. */
const LOOK_STEP = 500;

/**
 * A paused message keeps the time that it is due at, for when it goes on. After that it needs no round and is looked at
 * again when its window has ended.
 */
const lookedAtNext = ({ nextDueAt, windowEndsAt }: DueMessage, now: number): number | null => {
  if (windowEndsAt === null) return null;
  return nextDueAt > now ? nextDueAt : windowEndsAt + 1;
};

/** What a message shows of webhooks that it will not wait for any more. */
const unwaited = (cells: Cells): Cells => cells.replaceAll('w', '.');

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #rounds: Rounds;
  readonly #breaker = new Breaker();
  /** Messages on their way to a state without a round. */
  readonly #moving = new Set<number>();
  /** Messages whose row or attempts lie on a damaged page: nothing of them can be written in this life. */
  readonly #stuck = new Set<number>();
  readonly #due: DueQueue;
  /** Shared with replays. */
  readonly guard: StoreGuard;
  #webhooks: readonly DeliveryWebhook[] = [];
  #held = true;
  /** True when waiting messages may wait for a webhook that is off or was removed. */
  #someWentAway = false;
  #pumpPlanned = false;
  /** True when something due had to wait for others to end. */
  #wantsRoom = true;
  #stopping = false;
  /** Looks, while stopping, whether that is done. */
  #ended: () => void = () => {};

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#due = new DueQueue(
      deps.store,
      deps.retryClock,
      deps.timers,
      (id) => this.#rounds.has(id) || this.#moving.has(id) || this.#stuck.has(id),
      () => this.#planPump(),
    );
    const probe = (): void => deps.store.probe(deps.clock.wall());
    this.guard = new StoreGuard({ ...deps, write: deps.write, probe }, () => this.#due.refresh());
    this.#rounds = new Rounds(this.#watched(deps), {
      guard: this.guard,
      webhooks: () => this.#webhooks,
      maySend: () => !this.#stopping && !this.#held,
      isStopping: () => this.#stopping,
      progress: () => this.#pump(),
      freed: () => {
        if (this.#stopping) this.#ended();
        else if (this.#wantsRoom) this.#planPump();
      },
      expect: (dueAt) => this.#due.expect(dueAt),
      stuck: (id) => void this.#stuck.add(id),
    });
  }

  /** The breaker hears of every result. */
  #watched(deps: DispatcherDeps): RoundsDeps {
    return {
      ...deps,
      write: (job, rows) => deps.write(job, rows),
      rules: () => deps.rules(),
      moved: (event) => deps.moved(event),
      recorded: (webhook, result, startedAt) => {
        this.#breaker.record(deps.rules().breaker, webhook.id, result.outcome, deps.retryClock.now());
        deps.recorded(webhook, result, startedAt);
      },
    };
  }

  get inFlight(): number {
    return this.#rounds.inFlight;
  }

  /** Rounds in memory and messages ready for one. */
  get queued(): number {
    return this.#due.size + this.#rounds.size;
  }

  /** The enabled and disabled webhooks as they are now. */
  setWebhooks(webhooks: readonly DeliveryWebhook[]): void {
    const before = this.#webhooks;
    this.#webhooks = webhooks;
    this.#rounds.setWebhooks(before, webhooks);
    const on = new Set(webhooks.filter(({ enabled }) => enabled).map(({ id }) => id));
    // One that is off may have gone off before this life.
    this.#someWentAway ||= [...before, ...webhooks].some(({ id }) => !on.has(id));
    this.#due.refresh();
  }

  /** Holds all new attempts (a person's pause, a secret that cannot be read), or lets them go on. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.#due.refresh();
  }

  /** Messages that ingest has just committed as due. */
  offer(messages: readonly DueMessage[]): void {
    for (const message of messages) this.#due.offer(message);
    this.#pump();
  }

  /** The webhooks were taken over and what they let go on waits again: what has nothing left to wait for rests now. */
  reconsider(): void {
    if (this.#someWentAway) this.#trying(() => this.#lookAtWaiting());
    this.#due.refresh();
  }

  /** The table or the clock changed under a person's command: look again. */
  refresh(): void {
    this.#due.refresh();
  }

  /**
   * Ends the retries of a message. False when it is final already. Attempts in flight finish and are recorded.
   * Rejects with a StoreNotWritableError when that cannot be written now.
   */
  async stopMessage(id: number): Promise<boolean> {
    const stopping = this.#rounds.stopMessage(id);
    if (stopping !== undefined) return stopping;
    this.#due.remove(id);
    const { store, clock } = this.#deps;
    const moved = await this.#deps.write((changes) => {
      const now = store.stateOf(id);
      if (now === undefined || !['queued', 'retrying', 'paused'].includes(now.state)) return null;
      const settled = { id, from: now.state, to: 'stopped' as const, nextDueAt: null, finishedAt: clock.wall() };
      return store.settle({ ...settled, cells: unwaited(now.cells) }, changes) ? now : null;
    });
    if (moved !== null)
      this.#deps.moved({
        messageId: id,
        receivedAt: moved.receivedAt,
        from: moved.state,
        to: 'stopped',
        round: moved.round,
        at: clock.wall(),
        missed: [],
      });
    return moved !== null;
  }

  /** True once {@link stop} was called. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** No new attempts. `endAttempts` resolves when none is open any more; resolves when every round is recorded. */
  async stop(endAttempts: () => Promise<void>): Promise<void> {
    this.#stopping = true;
    this.#due.stop();
    this.#rounds.interruptWaiting();
    this.#rounds.concludeDone();
    await endAttempts();
    this.guard.stop();
    this.#rounds.concludeDone();
    await new Promise<void>((resolve) => {
      const end = (): void => {
        limit.cancel();
        resolve();
      };
      const limit = this.#deps.timers.after(STOP_LIMIT_MS, end);
      this.#ended = (): void => {
        if (this.#rounds.size === 0) end();
      };
      this.#ended();
    });
  }

  #planPump(): void {
    if (this.#pumpPlanned || this.#stopping) return;
    this.#pumpPlanned = true;
    this.#deps.timers.soon(() => {
      this.#pumpPlanned = false;
      this.#pump();
    });
  }

  /** Never throws: ingest calls it for what it has committed. */
  #pump(): void {
    if (this.#held || this.#stopping || this.guard.down) return;
    this.#trying(() => this.#startDue());
  }

  #trying(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.guard.readFailed(error);
    }
  }

  #startDue(): void {
    for (const webhook of this.#webhooks) if (webhook.enabled) this.#rounds.openWaiting(webhook);
    this.#wantsRoom = true;
    while (this.#hasRoom() && this.#anyLaneFree()) {
      const message = this.#due.take();
      if (message === undefined) {
        this.#wantsRoom = false;
        return;
      }
      this.#start(message);
    }
  }

  #hasRoom(): boolean {
    const { size, parked } = this.#rounds;
    return size - parked + this.#moving.size < MAX_ROUNDS && parked < MAX_PARKED;
  }

  #anyLaneFree(): boolean {
    const on = this.#webhooks.filter((webhook) => webhook.enabled);
    return on.length === 0 || on.some((webhook) => this.#rounds.hasFree(webhook.id));
  }

  #start(message: DueMessage): void {
    const now = this.#deps.retryClock.now();
    const { windowEndsAt } = message;
    const isOver = !mayStart(windowEndsAt, now);
    // A window that ended while the machine slept leaves one last round, now; after it the message expires.
    if (isOver && !this.#deps.retryClock.sleptPast(windowEndsAt!)) return this.#move(message, 'expired');
    const wire = message.wire ?? this.#deps.store.wireToSend(message.id);
    if (wire === null) {
      this.#deps.logger.log('error', 'body_damaged', { message: message.id });
      return this.#move(message, 'failed', 'body_damaged');
    }
    const rules = this.#deps.rules();
    const outcomes = this.#outcomesOf(message);
    const prospect = prospectOf(rules, this.#webhooks, outcomes);
    if (prospect !== 'open') return this.#move(message, isOver && prospect === 'paused' ? 'expired' : prospect);
    // It is just about to wait again: the commit of that tells.
    if (message.state === 'paused') return;
    const wanted = triedNext(rules, this.#webhooks, outcomes);
    const targets = wanted.filter(({ id }) => this.#breaker.allows(rules.breaker, id, now));
    // Rules with a breaker count a message that no webhook may be tried for as delivered.
    if (targets.length === 0) return this.#move(message, 'delivered', 'every_webhook_left_out');
    this.#rounds.begin(message, wire, targets);
  }

  /** From its attempts; where those are damaged, from what its row shows of them. */
  #outcomesOf({ id, cells, round }: DueMessage): ReadonlyMap<number, Outcome> {
    if (round === 0) return NO_OUTCOMES;
    const read = this.#deps.store.lastOutcomes(id);
    if (read !== null) return read;
    const shown = this.#webhooks.map((webhook) => [webhook.id, outcomeOf(cells[webhook.slot - 1])] as const);
    return new Map(shown.filter((entry): entry is [number, Outcome] => entry[1] !== undefined));
  }

  /**
   * What waits for a webhook that went away is paused, or has failed, now and not only once it is due. A step at a
   * time, so that a backlog of any size holds nothing up; a newer look takes over.
   */
  #lookAtWaiting(webhooks = this.#webhooks, after = { dueAt: Number.MIN_SAFE_INTEGER, id: 0 }): void {
    if (this.#stopping || this.guard.down || webhooks !== this.#webhooks) return;
    const found = this.#deps.store.due(Number.MAX_SAFE_INTEGER, after, LOOK_STEP);
    for (const message of found) this.#lookAt(message);
    const last = found.at(-1);
    if (last === undefined || found.length < LOOK_STEP) {
      this.#someWentAway = false;
      return;
    }
    this.#deps.timers.soon(() =>
      this.#trying(() => this.#lookAtWaiting(webhooks, { dueAt: last.nextDueAt, id: last.id })),
    );
  }

  #lookAt(message: DueMessage): void {
    const { id, state } = message;
    if (state !== 'queued' && state !== 'retrying') return;
    if (this.#rounds.has(id) || this.#moving.has(id) || this.#stuck.has(id)) return;
    const prospect = prospectOf(this.#deps.rules(), this.#webhooks, this.#outcomesOf(message));
    if (prospect !== 'open') this.#move(message, prospect);
  }

  /** Marked like those of a round that left them out. */
  #withPaused(cells: Cells): Cells {
    const off = new Set(this.#webhooks.filter(({ enabled }) => !enabled).map(({ slot }) => slot));
    return [...cells].map((cell, i) => (off.has(i + 1) ? 'p' : cell)).join('');
  }

  /** A move that needs no round. */
  #move(
    message: DueMessage,
    to: Extract<MessageState, 'expired' | 'failed' | 'delivered' | 'paused'>,
    reason?: DeliveryReason,
  ): void {
    const at = this.#deps.clock.wall();
    const { id, receivedAt, round, state: from } = message;
    const settled =
      to === 'paused'
        ? {
            cells: this.#withPaused(message.cells),
            nextDueAt: lookedAtNext(message, this.#deps.retryClock.now()),
            finishedAt: null,
          }
        : {
            cells: unwaited(message.cells),
            nextDueAt: null,
            finishedAt: at,
          };
    this.#moving.add(id);
    this.guard
      .persist((changes) => this.#deps.store.settle({ id, from, to, reason, ...settled }, changes), 1)
      .then(
        (moved) => {
          this.#moving.delete(id);
          if (moved && to !== 'paused')
            this.#deps.moved({ messageId: id, receivedAt, from, to, round, at, missed: [] });
          if (settled.nextDueAt !== null) this.#due.expect(settled.nextDueAt);
          this.#planPump();
        },
        (error: unknown) => {
          this.#moving.delete(id);
          if (error instanceof StoreDamagedError) this.#stuck.add(id);
        },
      );
  }
}
