/** Delivers messages: takes due messages, decides what happens to each, and begins its round. */
import { fail } from '../model/moves.ts';
import type { Logger, Timers } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { DueMessage } from '../store/ports/due.ts';
import { Breaker } from './breaker.ts';
import { DueQueue } from './due-queue.ts';
import { type Circumstances, fateOf } from './fate.ts';
import { LostMoves } from './lost-moves.ts';
import { RoundlessMoves } from './roundless-moves.ts';
import { type FirstRound, Rounds } from './rounds.ts';
import type { RoundsDeps, RoundView } from './rounds-deps.ts';
import { StoreGuard } from './store-guard.ts';
import { WaitingReview } from './waiting-review.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/**
 * The most rounds that may be under way at once, not counting those that only wait for a sender. The rest stay in the
 * store.
 */
const MAX_ROUNDS = 2_000;
/**
 * The most rounds that may wait for a sender. They are small, so many can wait for a slow webhook while others go on.
 */
const MAX_PARKED = 20_000;

/** How long a stop waits for results to be recorded. The next start marks the rest `interrupted`. */
const STOP_LIMIT_MS = 2_000;

/** When someone else moved a message, delivery looks for it again after this long on the retry clock. */
const LOOK_AGAIN_MS = 1_000;

/** A user's stop may cross with a move of the engine. Each retry finds the message in a new state. */
const STOP_TRIES = 3;

export interface DispatcherDeps extends RoundsDeps {
  readonly timers: Timers;
  readonly logger: Logger;
}

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #rounds: Rounds;
  readonly #roundless: RoundlessMoves;
  readonly #breaker = new Breaker();
  /** Messages whose row or attempts lie on a damaged page. They cannot be written until the next start. */
  readonly #stuck = new Set<number>();
  readonly #due: DueQueue;
  readonly #waiting: WaitingReview;
  /** Shared with replays. */
  readonly guard: StoreGuard;
  /** Moves that found their message elsewhere. */
  readonly lostMoves: LostMoves;
  #webhooks: readonly DeliveryWebhook[] = [];
  #isHeld = true;
  /** True when some messages may be waiting for a webhook that is off or was removed. */
  #someWentAway = false;
  #isPumpPlanned = false;
  /** True when a due message had to wait for other rounds to end. */
  #wantsRoom = true;
  #isStopping = false;
  /** While stopping, checks whether everything has ended. */
  #lookWhetherEnded: () => void = () => {};

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    const { stores, timers, logger, clock, retryClock } = deps;
    this.lostMoves = new LostMoves(logger);
    this.guard = new StoreGuard({ timers, logger, probe: () => stores.rounds.probe(clock.wall()) }, () =>
      this.#due.refresh(),
    );
    this.#due = new DueQueue({
      store: stores.due,
      clock: retryClock,
      timers,
      isTaken: (id) => this.#isTaken(id),
      wake: () => this.#planPump(),
      claimFailed: (error) => this.guard.readFailed(error),
    });
    const isStuck = (id: number): void => void this.#stuck.add(id);
    const shared = { guard: this.guard, lostMoves: this.lostMoves, isStuck };
    this.#roundless = new RoundlessMoves({
      ...shared,
      store: stores.rounds,
      clock,
      moved: (event) => deps.moved(event),
      ended: (dueAt) => {
        if (dueAt !== null) this.#due.expect(dueAt);
        this.#planPump();
      },
    });
    this.#waiting = this.#createReview();
    this.#rounds = new Rounds(this.#withBreaker(), {
      ...shared,
      webhooks: () => this.#webhooks,
      maySend: () => this.#maySend,
      isStopping: () => this.#isStopping,
      attemptEnded: () => this.#pump(),
      roundEnded: () => {
        if (this.#isStopping) this.#lookWhetherEnded();
        else if (this.#wantsRoom) this.#planPump();
      },
      waitsFor: (dueAt) => this.#due.expect(dueAt),
      wasTaken: () => this.#due.expect(retryClock.now() + LOOK_AGAIN_MS),
    });
  }

  #createReview(): WaitingReview {
    const { stores, timers } = this.#deps;
    return new WaitingReview({
      store: stores.due,
      timers,
      circumstances: () => this.#circumstances(),
      mayLook: () => !this.#isStopping && !this.guard.down,
      isTaken: (id) => this.#isTaken(id),
      move: (message, move) => {
        this.#due.remove(message.id);
        this.#roundless.make(message, move);
      },
      done: () => {
        this.#someWentAway = false;
      },
      readFailed: (error) => this.guard.readFailed(error),
    });
  }

  /** The breaker counts every result. */
  #withBreaker(): RoundsDeps {
    const { rules, retryClock, recorded } = this.#deps;
    return {
      ...this.#deps,
      recorded: (webhook, result, startedAt) => {
        const { breaker } = rules();
        if (breaker !== null) this.#breaker.record(breaker, webhook.id, result.outcome, retryClock.now());
        recorded(webhook, result, startedAt);
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

  /** The rounds under way, for checks from outside. */
  rounds(): readonly RoundView[] {
    return this.#rounds.view();
  }

  /** The enabled and disabled webhooks as they are now. */
  setWebhooks(webhooks: readonly DeliveryWebhook[]): void {
    const before = this.#webhooks;
    this.#webhooks = webhooks;
    this.#rounds.setWebhooks(before, webhooks);
    const on = new Set(webhooks.filter(({ enabled }) => enabled).map(({ id }) => id));
    // A webhook that is off may have been switched off before this start.
    this.#someWentAway ||= [...before, ...webhooks].some(({ id }) => !on.has(id));
    this.#due.refresh();
  }

  /** Holds all new attempts (the user paused delivery, or a secret cannot be read), or lets them start again. */
  hold(held: boolean): void {
    this.#isHeld = held;
    if (!held) this.#due.refresh();
  }

  /**
   * Begins the first rounds of messages in the transaction under way that stores them, as long as nothing was due
   * before them and a sender is free. The others are offered after the commit.
   */
  beginIn(messages: readonly DueMessage[], changes: Changes): FirstRound[] {
    const rounds: FirstRound[] = [];
    try {
      for (const message of messages) {
        if (!this.mayBeginNow) break;
        const fate = fateOf(message, this.#circumstances());
        if (fate.kind !== 'round') break;
        rounds.push(this.#rounds.beginIn(message, message.wire!, fate.targets, changes));
      }
      return rounds;
    } catch (error) {
      for (const round of rounds) round.undone();
      throw error;
    }
  }

  /** Whether a message that comes now would be the next to be sent, and now. */
  get mayBeginNow(): boolean {
    return this.#mayStart && this.#due.isEmpty && this.#hasRoom() && this.#isAnyLaneFree();
  }

  get #mayStart(): boolean {
    return this.#maySend && !this.guard.down;
  }

  get #maySend(): boolean {
    return !this.#isStopping && !this.#isHeld;
  }

  /** Messages that ingest has just committed as due. */
  offer(messages: readonly DueMessage[]): void {
    for (const message of messages) if (!this.#isTaken(message.id)) this.#due.offer(message);
    this.#pump();
  }

  /**
   * The webhooks have changed, and resumed messages wait again. Messages with nothing left to wait for are paused or
   * fail now.
   */
  reconsider(): void {
    if (this.#someWentAway) this.#waiting.look();
    this.#due.refresh();
  }

  /** A user's command changed the store or the clock: look again. */
  refresh(): void {
    this.#due.refresh();
  }

  /**
   * Ends the retries of a message. False when it is final already. Attempts in flight finish and are recorded. Rejects
   * with a StoreNotWritableError when the store cannot be written now.
   */
  async stopMessage(id: number): Promise<boolean> {
    for (let tries = 0; tries < STOP_TRIES; tries++) {
      if (await this.#rounds.stopMessage(id)) return true;
      this.#due.remove(id);
      const stopped = await this.#roundless.stop(id);
      if (stopped !== null) return stopped;
    }
    return false;
  }

  /** The store has just removed these messages: their rounds end with the attempts on the wire. */
  removed(messageIds: readonly number[]): void {
    this.#rounds.removed(messageIds);
  }

  /** Makes a waiting message due now. False when it does not wait for a round. Rejects as `stopMessage` does. */
  retryNow(id: number): Promise<boolean> {
    return this.#roundless.makeDue(id, this.#deps.retryClock.now());
  }

  /** As `retryNow`, of every one of these that waits for a later retry. Returns how many were made due. */
  retryAllNow(ids: readonly number[]): Promise<number> {
    return this.#roundless.makeAllDue(ids, this.#deps.retryClock.now());
  }

  /** True once {@link stop} was called. */
  get stopping(): boolean {
    return this.#isStopping;
  }

  /** Starts no new attempts. `endAttempts` must resolve when none is open. Resolves once every round is recorded. */
  async stop(endAttempts: () => Promise<void>): Promise<void> {
    this.#isStopping = true;
    this.#due.stop();
    this.#rounds.interruptWaiting();
    await endAttempts();
    this.guard.stop();
    await new Promise<void>((resolve) => {
      const end = (): void => {
        limit.cancel();
        resolve();
      };
      const limit = this.#deps.timers.after(STOP_LIMIT_MS, end);
      this.#lookWhetherEnded = (): void => {
        if (this.#rounds.size === 0) end();
      };
      this.#lookWhetherEnded();
    });
  }

  #planPump(): void {
    if (this.#isPumpPlanned || this.#isStopping) return;
    this.#isPumpPlanned = true;
    this.#deps.timers.soon(() => {
      this.#isPumpPlanned = false;
      this.#pump();
    });
  }

  /** Never throws, because ingest calls it for messages that it has committed. */
  #pump(): void {
    if (!this.#mayStart) return;
    try {
      this.#startDue();
    } catch (error) {
      this.guard.readFailed(error);
    }
  }

  #startDue(): void {
    for (const webhook of this.#webhooks) if (webhook.enabled) this.#rounds.openWaiting(webhook);
    this.#wantsRoom = true;
    while (this.#hasRoom() && this.#isAnyLaneFree()) {
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
    return size - parked + this.#roundless.size < MAX_ROUNDS && parked < MAX_PARKED;
  }

  #isAnyLaneFree(): boolean {
    const on = this.#webhooks.filter((webhook) => webhook.enabled);
    return on.length === 0 || on.some((webhook) => this.#rounds.hasFree(webhook.id));
  }

  #isTaken(id: number): boolean {
    return this.#rounds.has(id) || this.#roundless.has(id) || this.#stuck.has(id);
  }

  #start(message: DueMessage): void {
    const fate = fateOf(message, this.#circumstances());
    if (fate.kind === 'move') return this.#roundless.make(message, fate.move);
    if (fate.kind === 'nothing') return;
    const wire = message.wire ?? this.#deps.stores.due.wireToSend(message.id);
    if (wire !== null) return this.#rounds.begin(message, wire, fate.targets);
    this.#deps.logger.log('error', 'body_damaged', { message: message.id });
    this.#roundless.make(message, fail(message, this.#deps.clock.wall(), undefined, 'body_damaged'));
  }

  #circumstances(): Circumstances {
    const { clock, retryClock } = this.#deps;
    const rules = this.#deps.rules();
    const now = retryClock.now();
    return {
      rules,
      webhooks: this.#webhooks,
      now,
      wallNow: clock.wall(),
      sleptPast: (at) => retryClock.sleptPast(at),
      allows: (webhookId) => this.#breaker.allows(rules.breaker, webhookId, now),
    };
  }
}
