/**
 * Delivers messages: begins due rounds, opens attempts as senders are free, records every result and moves the
 * message on. "No write, no send": an attempt's row is committed before its connection is asked for.
 */
import type { AttemptResult } from '../model/attempt.ts';
import type { Cells, MessageState } from '../model/message.ts';
import type { RetryRules } from '../model/records.ts';
import { mayStart, nextMove } from '../model/schedule.ts';
import type { Clock, Logger, Timers } from '../ports.ts';
import type { DeliveryStore, DueMessage } from '../store/deliveries.ts';
import type { Changes } from '../store/writer.ts';
import { DueQueue } from './due-queue.ts';
import { Lanes } from './lanes.ts';
import type { RetryClock } from './retry-clock.ts';
import { Round } from './round.ts';
import { NOT_SENT, type Sender, toStored } from './sender.ts';
import { StoreGuard } from './store-guard.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/** Rounds under way at once; the rest waits in the table. */
const MAX_ROUNDS = 2_000;

/** How long a stop waits for results to be recorded; what is not is `interrupted` at the next start. */
const STOP_LIMIT_MS = 2_000;

export interface DispatcherDeps {
  readonly store: DeliveryStore;
  write<T>(job: (changes: Changes) => T, rows?: number): Promise<T>;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly retryClock: RetryClock;
  readonly timers: Timers;
  readonly logger: Logger;
  rules(): RetryRules;
  /** Hears of each recorded result. */
  recorded(webhook: DeliveryWebhook, result: AttemptResult, startedAt: number): void;
}

/** A paused message needs no round; it is looked at again when its window has ended. */
const afterWindow = ({ windowEndsAt }: DueMessage): number | null => (windowEndsAt === null ? null : windowEndsAt + 1);

/** What a message shows of webhooks that it will not wait for any more. */
const unwaited = (cells: Cells): Cells => cells.replaceAll('w', '.');

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #lanes = new Lanes();
  readonly #rounds = new Map<number, Round>();
  /** Messages on their way to a state without a round. */
  readonly #moving = new Set<number>();
  readonly #due: DueQueue;
  /** Shared with replays. */
  readonly guard: StoreGuard;
  #webhooks: readonly DeliveryWebhook[] = [];
  #held = true;
  #pumpPlanned = false;
  #stopping = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#due = new DueQueue(
      deps.store,
      deps.retryClock,
      deps.timers,
      (id) => this.#rounds.has(id) || this.#moving.has(id),
      () => this.#planPump(),
    );
    const probe = (): void => deps.store.probe(deps.clock.wall());
    this.guard = new StoreGuard({ ...deps, write: deps.write, probe }, () => this.#due.refresh());
  }

  get inFlight(): number {
    return this.#lanes.inFlight;
  }

  /** Rounds in memory and messages ready for one. */
  get queued(): number {
    return this.#due.size + this.#rounds.size;
  }

  /** The enabled and disabled webhooks as they are now; rounds that wait for one that went off skip it. */
  setWebhooks(webhooks: readonly DeliveryWebhook[]): void {
    const before = this.#webhooks;
    this.#webhooks = webhooks;
    this.#lanes.set(webhooks);
    const on = new Set(webhooks.filter((webhook) => webhook.enabled).map(({ id }) => id));
    for (const { id } of before) if (!on.has(id)) for (const round of this.#lanes.waitingOn(id)) this.#skip(round, id);
    this.#due.refresh();
  }

  /** Holds all new attempts (a secret that cannot be read), or lets them go on. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.#due.refresh();
  }

  /** Messages that ingest has just committed as due. */
  offer(messages: readonly DueMessage[]): void {
    for (const message of messages) this.#due.offer(message);
    this.#pump();
  }

  /** The table changed under a person's command: look again. */
  refresh(): void {
    this.#due.refresh();
  }

  /** Ends the retries of a message. False when it is final already. Attempts in flight finish and are recorded. */
  async stopMessage(id: number): Promise<boolean> {
    const round = this.#rounds.get(id);
    if (round !== undefined && !round.settled) {
      this.#forgetWaiting(round, 'x');
      return this.#settle(round, 'stopped', null);
    }
    this.#due.remove(id);
    const { store, clock } = this.#deps;
    return this.#deps.write((changes) => {
      const now = store.stateOf(id);
      if (now === undefined || !['queued', 'retrying', 'paused'].includes(now.state)) return false;
      return store.settle(
        { id, from: now.state, to: 'stopped', cells: unwaited(now.cells), nextDueAt: null, finishedAt: clock.wall() },
        changes,
      );
    });
  }

  /** No new attempts; what is open must be ended by the transport. Resolves when every round is recorded. */
  async stop(endAttempts: () => Promise<void>): Promise<void> {
    this.#stopping = true;
    this.guard.stop();
    this.#due.stop();
    for (const round of this.#rounds.values()) this.#interruptWaiting(round);
    await endAttempts();
    for (const round of [...this.#rounds.values()]) if (round.done && !round.settled) this.#conclude(round);
    await new Promise<void>((resolve) => {
      let late = false;
      const limit = this.#deps.timers.after(STOP_LIMIT_MS, () => {
        late = true;
      });
      const look = (): void => {
        if (this.#rounds.size > 0 && !late) return this.#deps.timers.soon(look);
        limit.cancel();
        resolve();
      };
      look();
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

  #pump(): void {
    if (this.#held || this.#stopping || this.guard.down) return;
    for (const webhook of this.#webhooks) if (webhook.enabled) this.#openWaiting(webhook);
    while (this.#rounds.size + this.#moving.size < MAX_ROUNDS && this.#anyLaneFree()) {
      const message = this.#due.take();
      if (message === undefined) return;
      this.#start(message);
    }
  }

  #anyLaneFree(): boolean {
    const on = this.#webhooks.filter((webhook) => webhook.enabled);
    return on.length === 0 || on.some((webhook) => this.#lanes.hasFree(webhook.id));
  }

  #start(message: DueMessage): void {
    const now = this.#deps.retryClock.now();
    if (!mayStart(message.windowEndsAt, now)) return this.#move(message, 'expired', null);
    if (message.wire === null) {
      this.#deps.logger.log('error', 'body_damaged', { message: message.id });
      return this.#move(message, 'failed', null);
    }
    const on = this.#webhooks.filter((webhook) => webhook.enabled);
    if (on.length === 0) return this.#move(message, 'paused', afterWindow(message));
    const declined = message.round > 0 ? this.#deps.store.declinedWebhooks(message.id) : undefined;
    const targets = declined === undefined ? on : on.filter((webhook) => !declined.has(webhook.id));
    if (targets.length === 0) return this.#move(message, 'failed', null);
    this.#begin(new Round(message, message.wire, now, this.#deps.rules().windowMs, this.#deps.clock.mono()), targets);
  }

  /** Commits the round and the attempts that have a free sender, then sends; the others wait on their lanes. */
  #begin(round: Round, targets: readonly DeliveryWebhook[]): void {
    const toOpen: DeliveryWebhook[] = [];
    for (const webhook of this.#webhooks) if (!webhook.enabled) round.mark(webhook.slot, 'p');
    for (const webhook of targets) {
      if (this.#lanes.hasFree(webhook.id)) {
        this.#lanes.open(webhook.id);
        round.mark(webhook.slot, 's');
        toOpen.push(webhook);
      } else {
        round.waiting.set(webhook.id, webhook);
        round.mark(webhook.slot, 'w');
      }
    }
    round.open = toOpen.length;
    this.#rounds.set(round.message.id, round);
    const { store } = this.#deps;
    const { message } = round;
    const begun = this.#deps.write((changes) => {
      const ok = store.beginRound(
        {
          id: message.id,
          from: message.state,
          fromRound: message.round,
          cells: round.cells,
          firstAttemptAt: round.firstAttemptAt,
          windowEndsAt: round.windowEndsAt,
        },
        changes,
      );
      return ok ? toOpen.map((webhook) => this.#openRow(round, webhook)) : null;
    }, 1 + toOpen.length);
    begun.then(
      (rows) => {
        if (rows === null) return this.#abandon(round, toOpen);
        this.#queueWaiting(round);
        for (const [i, row] of rows.entries()) this.#send(round, toOpen[i]!, row);
      },
      (error: unknown) => {
        this.#abandon(round, toOpen);
        this.guard.report(error);
      },
    );
  }

  #queueWaiting(round: Round): void {
    for (const webhook of [...round.waiting.values()]) {
      if (this.#webhooks.some(({ id, enabled }) => id === webhook.id && enabled)) this.#lanes.wait(webhook.id, round);
      else this.#skip(round, webhook.id);
    }
  }

  #openRow(round: Round, webhook: DeliveryWebhook): { id: number; startedAt: number } {
    const startedAt = this.#deps.clock.wall();
    const id = this.#deps.store.openAttempt({
      messageId: round.message.id,
      replayId: null,
      webhookId: webhook.id,
      slot: webhook.slot,
      webhookName: webhook.name,
      url: webhook.url,
      round: round.number,
      startedAt,
      clockAt: this.#deps.retryClock.now(),
    });
    return { id, startedAt };
  }

  /** The round was not written: nothing was sent; the message stays as the table has it. */
  #abandon(round: Round, opened: readonly DeliveryWebhook[]): void {
    for (const webhook of opened) this.#lanes.release(webhook.id);
    if (this.#rounds.get(round.message.id) === round) this.#rounds.delete(round.message.id);
    this.#planPump();
  }

  #send(round: Round, webhook: DeliveryWebhook, attempt: { id: number; startedAt: number }): void {
    const queueMs = Math.max(0, this.#deps.clock.mono() - round.queuedAt);
    // Much can happen while a row is written: a stop, a person's stop, a secret that cannot be read any more.
    const wanted = !this.#stopping && !this.#held && !round.settled;
    const ended = wanted ? this.#deps.sender.send(webhook, round.wire) : Promise.resolve(NOT_SENT);
    void ended.then((result) => {
      this.#lanes.release(webhook.id);
      round.open -= 1;
      round.record(webhook, result, this.#deps.clock.wall());
      this.#finish(round, webhook, attempt, result, queueMs);
      this.#pump();
    });
  }

  #finish(
    round: Round,
    webhook: DeliveryWebhook,
    attempt: { id: number; startedAt: number },
    result: AttemptResult,
    queueMs: number,
  ): void {
    if (result.outcome === 'accepted' && !round.settled) this.#forgetWaiting(round, 'x');
    const { store } = this.#deps;
    const stored = toStored(result, queueMs);
    const move = this.#decide(round);
    round.unwritten += 1;
    this.guard
      .persist((changes) => {
        store.finishAttempt(attempt.id, result.outcome, result.status, result.durationMs, stored, result.responseBody);
        if (move === null) store.setCells(round.message.id, round.cells, changes);
        else store.settle({ ...move, cells: round.cells }, changes);
      }, 2)
      .then(
        () => {
          this.#deps.recorded(webhook, result, attempt.startedAt);
          this.#afterSettling(round, move?.nextDueAt ?? null);
        },
        () => {},
      );
  }

  /** The message's move after what is known of the round so far, or null when it does not move yet. */
  #decide(round: Round) {
    if (round.settled) return null;
    const accepted = [...round.results.values()].some(({ outcome }) => outcome === 'accepted');
    if (!accepted && !round.done) return null;
    round.settled = true;
    const now = this.#deps.retryClock.now();
    const move = nextMove(this.#deps.rules(), {
      messageRow: round.message.id,
      round: round.number,
      results: [...round.results.values()],
      firstAttemptAt: round.firstAttemptAt,
      now,
    });
    return this.#settled(round, move.state, move.state === 'retrying' ? move.dueAt : null);
  }

  #settled(round: Round, to: MessageState, nextDueAt: number | null) {
    const waits = to === 'retrying' || to === 'paused';
    return {
      id: round.message.id,
      from: 'delivering' as const,
      to,
      nextDueAt,
      finishedAt: waits ? null : this.#deps.clock.wall(),
    };
  }

  async #settle(round: Round, to: MessageState, nextDueAt: number | null): Promise<boolean> {
    round.settled = true;
    round.unwritten += 1;
    const move = this.#settled(round, to, nextDueAt);
    const moved = await this.guard.persist(
      (changes) => this.#deps.store.settle({ ...move, cells: round.cells }, changes),
      1,
    );
    this.#afterSettling(round, nextDueAt);
    return moved;
  }

  /** The message is free for another round once every result of this one is written. */
  #afterSettling(round: Round, nextDueAt: number | null): void {
    round.unwritten -= 1;
    round.nextDueAt ??= nextDueAt;
    this.#release(round);
  }

  #release(round: Round): void {
    if (!round.settled || !round.done || round.unwritten > 0) return;
    if (this.#rounds.get(round.message.id) === round) this.#rounds.delete(round.message.id);
    if (round.nextDueAt !== null) this.#due.expect(round.nextDueAt);
  }

  /** A round that ends without a further result: every webhook it waited for went away. */
  #conclude(round: Round): void {
    const move =
      round.results.size === 0
        ? { to: 'retrying' as const, nextDueAt: this.#deps.retryClock.now() }
        : this.#decide(round);
    if (move !== null) this.#settle(round, move.to, move.nextDueAt).catch(() => {});
  }

  #skip(round: Round, webhookId: number, cell = 'p'): void {
    const webhook = round.waiting.get(webhookId);
    if (webhook === undefined) return;
    round.waiting.delete(webhookId);
    this.#lanes.forget(webhookId, round);
    round.mark(webhook.slot, cell);
    if (round.done && !round.settled) this.#conclude(round);
  }

  #forgetWaiting(round: Round, cell: string): void {
    for (const webhook of round.dropWaiting(cell)) this.#lanes.forget(webhook.id, round);
  }

  /** What this round could not try any more is due at once in the next life. */
  #interruptWaiting(round: Round): void {
    for (const webhook of round.dropWaiting('i')) {
      this.#lanes.forget(webhook.id, round);
      round.results.set(webhook.id, { webhookId: webhook.id, outcome: 'interrupted' });
    }
  }

  /** Opens attempts of rounds that waited for this webhook. */
  #openWaiting(webhook: DeliveryWebhook): void {
    for (let round = this.#lanes.next(webhook.id); round !== undefined; round = this.#lanes.next(webhook.id))
      this.#openOne(round, webhook);
  }

  #openOne(round: Round, webhook: DeliveryWebhook): void {
    if (!mayStart(round.windowEndsAt, this.#deps.retryClock.now())) return this.#skip(round, webhook.id, '.');
    round.waiting.delete(webhook.id);
    round.open += 1;
    round.mark(webhook.slot, 's');
    this.#lanes.open(webhook.id);
    this.#deps
      .write((changes) => {
        // Settled in the same turn, by a 2xx of another webhook or by a person.
        if (round.settled) round.mark(webhook.slot, 'x');
        this.#deps.store.setCells(round.message.id, round.cells, changes);
        return round.settled ? null : this.#openRow(round, webhook);
      }, 2)
      .then(
        (row) => (row === null ? this.#leaveOut(round, webhook) : this.#send(round, webhook, row)),
        (error: unknown) => {
          this.guard.report(error);
          if (!round.settled) round.waiting.set(webhook.id, webhook);
          this.#leaveOut(round, webhook);
        },
      );
  }

  /** An attempt that was to be opened and was not: its sender is free again. */
  #leaveOut(round: Round, webhook: DeliveryWebhook): void {
    round.open -= 1;
    this.#lanes.release(webhook.id);
    if (this.#stopping) this.#interruptWaiting(round);
    else this.#queueWaiting(round);
    if (round.done && !round.settled) this.#conclude(round);
    else this.#release(round);
  }

  /** A move that needs no round. */
  #move(message: DueMessage, to: MessageState, nextDueAt: number | null): void {
    const finishedAt = to === 'paused' ? null : this.#deps.clock.wall();
    const cells = to === 'paused' ? message.cells : unwaited(message.cells);
    this.#moving.add(message.id);
    this.guard
      .persist(
        (changes) =>
          this.#deps.store.settle({ id: message.id, from: message.state, to, cells, nextDueAt, finishedAt }, changes),
        1,
      )
      .then(
        () => {
          this.#moving.delete(message.id);
          if (nextDueAt !== null) this.#due.expect(nextDueAt);
          this.#planPump();
        },
        () => this.#moving.delete(message.id),
      );
  }
}
