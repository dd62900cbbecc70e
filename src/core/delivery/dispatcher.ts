/** Delivers messages: takes what is due, decides what becomes of it, and begins its round. */
import { fail } from '../model/moves.ts';
import type { Logger, Timers } from '../ports.ts';
import type { DueMessage, DuePlace } from '../store/ports/due.ts';
import { Breaker } from './breaker.ts';
import { DueQueue, FIRST_PLACE } from './due-queue.ts';
import { type Circumstances, fateOf, fateOfWaiting } from './fate.ts';
import { LostMoves } from './lost-moves.ts';
import { RoundlessMoves } from './roundless-moves.ts';
import { Rounds } from './rounds.ts';
import type { RoundsDeps, RoundView } from './rounds-deps.ts';
import { StoreGuard } from './store-guard.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/** Rounds under way at once, but for those that only wait for a sender; the rest waits in the store. */
const MAX_ROUNDS = 2_000;
/** Rounds that wait for a sender of a slow webhook: small, and many, so that the others go on without it. */
const MAX_PARKED = 20_000;

/** How long a stop waits for results to be recorded; what is not is `interrupted` at the next start. */
const STOP_LIMIT_MS = 2_000;

/** Messages looked at in one turn after a webhook went away. */
const LOOK_STEP = 500;

/** A message that someone else moved is looked for again after this long on the retry clock. */
const LOOK_AGAIN_MS = 1_000;

/** A person's stop and a move of the engine may cross; each time the message stands elsewhere. */
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
  /** Messages whose row or attempts lie on a damaged page: nothing of them can be written in this life. */
  readonly #stuck = new Set<number>();
  readonly #due: DueQueue;
  /** Shared with replays. */
  readonly guard: StoreGuard;
  /** Moves that found their message elsewhere. */
  readonly lostMoves: LostMoves;
  #webhooks: readonly DeliveryWebhook[] = [];
  #isHeld = true;
  /** True when waiting messages may wait for a webhook that is off or was removed. */
  #someWentAway = false;
  #isPumpPlanned = false;
  /** True when something due had to wait for others to end. */
  #wantsRoom = true;
  #isStopping = false;
  /** Looks, while stopping, whether that is done. */
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
    this.#rounds = new Rounds(this.#withBreaker(), {
      ...shared,
      webhooks: () => this.#webhooks,
      maySend: () => !this.#isStopping && !this.#isHeld,
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

  /** The breaker counts every result. */
  #withBreaker(): RoundsDeps {
    const { stores, sender, clock, retryClock, rules, recorded, moved } = this.#deps;
    return {
      stores,
      sender,
      clock,
      retryClock,
      rules,
      moved,
      recorded: (webhook, result, startedAt) => {
        this.#breaker.record(rules().breaker, webhook.id, result.outcome, retryClock.now());
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

  /** The rounds under way, for those who check them from outside. */
  rounds(): readonly RoundView[] {
    return this.#rounds.view();
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
    this.#isHeld = held;
    if (!held) this.#due.refresh();
  }

  /** Messages that ingest has just committed as due. */
  offer(messages: readonly DueMessage[]): void {
    for (const message of messages) this.#due.offer(message);
    this.#pump();
  }

  /** The webhooks were taken over and what they let go on waits again: what has nothing left to wait for rests now. */
  reconsider(): void {
    if (this.#someWentAway) this.#lookAtWaiting(this.#webhooks, FIRST_PLACE);
    this.#due.refresh();
  }

  /** The store or the clock changed under a person's command: look again. */
  refresh(): void {
    this.#due.refresh();
  }

  /**
   * Ends the retries of a message. False when it is final already. Attempts in flight finish and are recorded.
   * Rejects with a StoreNotWritableError when that cannot be written now.
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

  /** Makes a message that waits for its round due now. False when it does not wait for one. Rejects as stopMessage does. */
  retryNow(id: number): Promise<boolean> {
    return this.#roundless.makeDue(id, this.#deps.retryClock.now());
  }

  /** True once {@link stop} was called. */
  get stopping(): boolean {
    return this.#isStopping;
  }

  /** No new attempts. `endAttempts` resolves when none is open any more; resolves when every round is recorded. */
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

  /** Never throws: ingest calls it for what it has committed. */
  #pump(): void {
    if (this.#isHeld || this.#isStopping || this.guard.down) return;
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

  /**
   * What waits for a webhook that went away is paused, or has failed, now and not only once it is due. A step at a
   * time, so that a backlog of any size holds nothing up; a newer look takes over.
   */
  #lookAtWaiting(webhooks: readonly DeliveryWebhook[], after: DuePlace): void {
    if (this.#isStopping || this.guard.down || webhooks !== this.#webhooks) return;
    this.#deps.stores.due.waiting(after, LOOK_STEP).then(
      (found) => {
        if (this.#isStopping || webhooks !== this.#webhooks) return;
        for (const message of found) this.#lookAt(message);
        const last = found.at(-1);
        if (last === undefined || found.length < LOOK_STEP) this.#someWentAway = false;
        else this.#deps.timers.soon(() => this.#lookAtWaiting(webhooks, { dueAt: last.nextDueAt, id: last.id }));
      },
      (error: unknown) => this.guard.readFailed(error),
    );
  }

  #lookAt(message: DueMessage): void {
    if (this.#isTaken(message.id)) return;
    const move = fateOfWaiting(message, this.#circumstances());
    if (move === null) return;
    this.#due.remove(message.id);
    this.#roundless.make(message, move);
  }
}
