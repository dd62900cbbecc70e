/**
 * The rounds under way: opens their attempts as senders are free, records every result and moves the message on.
 * "No write, no send": an attempt's row is committed before its connection is asked for.
 */
import { failpoint } from '../failpoint.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { MessageState } from '../model/message.ts';
import type { DeliveryRules } from '../model/rules.ts';
import { mayStart, nextMove } from '../model/schedule.ts';
import { type Clock, StoreDamagedError } from '../ports.ts';
import type { DeliveryStore, DueMessage } from '../store/deliveries.ts';
import type { Changes } from '../store/ports/changes.ts';
import { Lanes } from './lanes.ts';
import type { MovedEvent } from './moved-event.ts';
import { prospectOf } from './prospects.ts';
import type { RetryClock } from './retry-clock.ts';
import { type Move, Round } from './round.ts';
import { NOT_SENT, type Sender, toStored } from './sender.ts';
import type { StoreGuard } from './store-guard.ts';
import type { DeliveryWebhook } from './webhooks.ts';

export interface RoundsDeps {
  readonly store: DeliveryStore;
  write<T>(job: (changes: Changes) => T, rows?: number): Promise<T>;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly retryClock: RetryClock;
  rules(): DeliveryRules;
  /** Hears of each recorded result. */
  recorded(webhook: DeliveryWebhook, result: AttemptResult, startedAt: number): void;
  /** Hears of each message that came to a rest, or to its second round. */
  moved(event: MovedEvent): void;
}

/** What rounds ask of the dispatcher that owns them. */
export interface RoundsOwner {
  readonly guard: StoreGuard;
  /** All webhooks, on or off. */
  webhooks(): readonly DeliveryWebhook[];
  /** False while nothing new may be sent. */
  maySend(): boolean;
  isStopping(): boolean;
  /** An attempt ended: more may begin in this turn, and so in the transaction of its result. */
  progress(): void;
  /** Room was made: more may begin later. */
  freed(): void;
  /** A message waits for `dueAt` on the retry clock. */
  expect(dueAt: number): void;
  /** Nothing of this message can be written: its place in the store is damaged. */
  stuck(messageId: number): void;
}

interface OpenRow {
  readonly id: number;
  readonly startedAt: number;
}

const TOLD: ReadonlySet<MessageState> = new Set(['retrying', 'delivered', 'failed', 'expired', 'stopped']);
const isTold = (state: MessageState): state is MovedEvent['to'] => TOLD.has(state);

export class Rounds {
  readonly #deps: RoundsDeps;
  readonly #owner: RoundsOwner;
  readonly #lanes = new Lanes();
  readonly #rounds = new Map<number, Round>();
  /** Those of which nothing is open: they hold no bytes. */
  readonly #parked = new Set<Round>();

  constructor(deps: RoundsDeps, owner: RoundsOwner) {
    this.#deps = deps;
    this.#owner = owner;
  }

  get inFlight(): number {
    return this.#lanes.inFlight;
  }

  get size(): number {
    return this.#rounds.size;
  }

  /** Rounds that only wait for a sender. */
  get parked(): number {
    return this.#parked.size;
  }

  has(messageId: number): boolean {
    return this.#rounds.has(messageId);
  }

  hasFree(webhookId: number): boolean {
    return this.#lanes.hasFree(webhookId);
  }

  /** Takes over the webhooks; rounds that wait for one that went off skip it. */
  setWebhooks(before: readonly DeliveryWebhook[], webhooks: readonly DeliveryWebhook[]): void {
    this.#lanes.set(webhooks);
    const on = new Set(webhooks.filter((webhook) => webhook.enabled).map(({ id }) => id));
    for (const { id } of before) if (!on.has(id)) for (const round of this.#lanes.waitingOn(id)) this.#skip(round, id);
  }

  /** Commits the round and the attempts that have a free sender, then sends; the others wait on their lanes. */
  begin(message: DueMessage, wire: Uint8Array, targets: readonly DeliveryWebhook[]): void {
    const { clock, retryClock, store } = this.#deps;
    const round = new Round(message, wire, retryClock.now(), this.#deps.rules().retry.windowMs, clock.mono());
    const toOpen: DeliveryWebhook[] = [];
    for (const webhook of this.#owner.webhooks()) if (!webhook.enabled) round.mark(webhook.slot, 'p');
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
    this.#rounds.set(message.id, round);
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
        failpoint('attempt_written');
        this.#queueWaiting(round);
        for (const [i, row] of rows.entries()) this.#send(round, toOpen[i]!, row);
      },
      (error: unknown) => {
        if (error instanceof StoreDamagedError) this.#owner.stuck(message.id);
        this.#abandon(round, toOpen);
        this.#owner.guard.report(error);
      },
    );
  }

  /** Opens attempts of rounds that waited for this webhook. */
  openWaiting(webhook: DeliveryWebhook): void {
    for (let round = this.#lanes.next(webhook.id); round !== undefined; round = this.#lanes.next(webhook.id))
      this.#openOne(round, webhook);
  }

  /** Ends the retries of a message whose round is under way; undefined when none is. */
  stopMessage(messageId: number): Promise<boolean> | undefined {
    const round = this.#rounds.get(messageId);
    if (round === undefined || round.settled) return undefined;
    this.#forgetWaiting(round, 'x');
    return this.#settle(round, this.#moveTo(round, 'stopped', null)).then(() => true);
  }

  /** What the rounds could not try any more is due at once in the next life. */
  interruptWaiting(): void {
    for (const round of this.#rounds.values()) this.#interrupt(round);
  }

  /** Moves on every round that has no further result to come. */
  concludeDone(): void {
    for (const round of [...this.#rounds.values()]) if (round.done && !round.settled) this.#conclude(round);
  }

  #queueWaiting(round: Round): void {
    for (const webhook of [...round.waiting.values()]) {
      if (this.#owner.webhooks().some(({ id, enabled }) => id === webhook.id && enabled))
        this.#lanes.wait(webhook.id, round);
      else this.#skip(round, webhook.id);
    }
    this.#park(round);
  }

  /** A round of which nothing is open gives its bytes back: thousands may wait for a slow webhook. */
  #park(round: Round): void {
    if (!round.isParked) {
      this.#parked.delete(round);
      return;
    }
    round.wire = null;
    this.#parked.add(round);
  }

  #openRow(round: Round, webhook: DeliveryWebhook): OpenRow {
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
    this.#drop(round);
    this.#owner.freed();
  }

  #drop(round: Round): void {
    this.#parked.delete(round);
    if (this.#rounds.get(round.message.id) === round) this.#rounds.delete(round.message.id);
  }

  #send(round: Round, webhook: DeliveryWebhook, attempt: OpenRow): void {
    const queueMs = Math.max(0, this.#deps.clock.mono() - round.queuedAt);
    const wire = this.#wireOf(round);
    // Much can happen while a row is written: a stop, a person's stop, a secret that cannot be read any more.
    const wanted = wire !== null && this.#owner.maySend() && !round.settled;
    const ended = wanted ? this.#deps.sender.send(webhook, wire, round.message.id) : Promise.resolve(NOT_SENT);
    void ended.then((result) => {
      failpoint('result_received');
      this.#lanes.release(webhook.id);
      round.open -= 1;
      round.record(webhook, result, this.#deps.clock.wall());
      this.#finish(round, webhook, attempt, result, queueMs);
      this.#park(round);
      this.#owner.progress();
    });
  }

  /** Null when the bytes are damaged or cannot be read now: the round is due again at once then. */
  #wireOf(round: Round): Uint8Array | null {
    try {
      round.wire ??= this.#deps.store.wire(round.message.id);
    } catch (error) {
      this.#owner.guard.readFailed(error);
    }
    return round.wire;
  }

  #finish(round: Round, webhook: DeliveryWebhook, attempt: OpenRow, result: AttemptResult, queueMs: number): void {
    if (result.outcome === 'accepted' && !round.settled) this.#forgetWaiting(round, 'x');
    const stored = toStored(result, queueMs, webhook.headers);
    const { store } = this.#deps;
    const move = this.#decide(round);
    const record = (): void => {
      const { outcome, status, durationMs, responseBody } = result;
      store.finishAttempt(attempt.id, outcome, status, durationMs, stored, responseBody);
    };
    const show = (changes: Changes): void => {
      if (move === null) store.setCells(round.message.id, round.cells, changes);
      else store.settle({ ...move, cells: round.cells }, changes);
    };
    this.#write(round, record, show).then(
      () => {
        failpoint('result_written');
        this.#deps.recorded(webhook, result, attempt.startedAt);
      },
      () => {},
    );
  }

  /** The message's move after what is known of the round so far; null when that does not settle it, or it is settled. */
  #decide(round: Round): Move | null {
    if (round.settled) return null;
    const accepted = [...round.results.values()].some(({ outcome }) => outcome === 'accepted');
    if (!accepted && !round.done) return null;
    const move = nextMove(this.#deps.rules(), {
      messageRow: round.message.id,
      round: round.number,
      results: [...round.results.values()],
      windowEndsAt: round.windowEndsAt,
      now: this.#deps.retryClock.now(),
    });
    if (move.state !== 'retrying') return this.#moveTo(round, move.state, null);
    const to = this.#onward(round);
    return this.#moveTo(round, to, to === 'failed' ? null : move.dueAt);
  }

  /** Where a message goes that another round would follow: the webhooks may have gone off meanwhile. */
  #onward(round: Round): 'retrying' | 'paused' | 'failed' {
    const webhooks = this.#owner.webhooks();
    const isOn = (webhookId: number): boolean => webhooks.some(({ id, enabled }) => enabled && id === webhookId);
    if ([...round.results.keys()].every(isOn)) return 'retrying';
    try {
      const outcomes = this.#deps.store.lastOutcomes(round.message.id);
      if (outcomes === null) return 'retrying';
      for (const { webhookId, outcome } of round.results.values()) outcomes.set(webhookId, outcome);
      const prospect = prospectOf(this.#deps.rules(), webhooks, outcomes);
      return prospect === 'open' ? 'retrying' : prospect;
    } catch (error) {
      // It is looked at again when it is due.
      this.#owner.guard.readFailed(error);
      return 'retrying';
    }
  }

  async #write(round: Round, ...runs: ((changes: Changes) => void)[]): Promise<void> {
    for (const run of runs) round.toWrite(run);
    try {
      const changes = await this.#owner.guard.persist((open) => round.writeOut(open), 2);
      round.committed(changes);
    } catch (error) {
      if (!(error instanceof StoreDamagedError)) throw error;
      await this.#writeApart(round);
    }
    this.#release(round);
  }

  /** Where a page is damaged, what can be written is, piece by piece; the message is not begun again in this life. */
  async #writeApart(round: Round): Promise<void> {
    this.#owner.stuck(round.message.id);
    const pieces = round.takePieces().map((run) => this.#owner.guard.persist(run, 1));
    for (const { status, ...rest } of await Promise.allSettled(pieces))
      if (status === 'rejected' && !((rest as PromiseRejectedResult).reason instanceof StoreDamagedError))
        throw (rest as PromiseRejectedResult).reason;
  }

  async #settle(round: Round, move: Move): Promise<void> {
    await this.#write(round, (changes) => void this.#deps.store.settle({ ...move, cells: round.cells }, changes));
  }

  #moveTo(round: Round, to: MessageState, nextDueAt: number | null): Move {
    const at = this.#deps.clock.wall();
    const finishedAt = to === 'retrying' || to === 'paused' ? null : at;
    round.move = { id: round.message.id, from: 'delivering', to, nextDueAt, finishedAt, at };
    return round.move;
  }

  /** The message is free for another round once every result of this one is committed. */
  #release(round: Round): void {
    const { move } = round;
    if (move === null || !round.isOver || round.released) return;
    round.released = true;
    this.#drop(round);
    this.#tell(round, move);
    if (move.nextDueAt !== null) this.#owner.expect(move.nextDueAt);
    this.#owner.freed();
  }

  #tell(round: Round, move: Move): void {
    const { at } = move;
    // Paused or not, it came to another round.
    const to = move.to === 'paused' ? 'retrying' : move.to;
    if (!isTold(to)) return;
    const missed = to === 'delivered' ? this.#missed(round) : [];
    const { id: messageId, receivedAt } = round.message;
    this.#deps.moved({ messageId, receivedAt, from: 'delivering', to, round: round.number, at, missed });
  }

  /** The webhooks that are on and never accepted this message. */
  #missed(round: Round): DeliveryWebhook[] {
    const { cells } = round;
    return this.#owner.webhooks().filter(({ enabled, slot }) => enabled && cells[slot - 1] !== 'a');
  }

  /** A round that ends without a further result: every webhook it waited for went away. */
  #conclude(round: Round): void {
    const move =
      round.results.size === 0 ? this.#moveTo(round, 'retrying', this.#deps.retryClock.now()) : this.#decide(round);
    if (move !== null) this.#settle(round, move).catch(() => {});
  }

  #skip(round: Round, webhookId: number, cell = 'p'): void {
    const webhook = round.waiting.get(webhookId);
    if (webhook === undefined) return;
    round.waiting.delete(webhookId);
    this.#lanes.forget(webhookId, round);
    round.mark(webhook.slot, cell);
    this.#park(round);
    if (round.done && !round.settled) this.#conclude(round);
  }

  #forgetWaiting(round: Round, cell: string): void {
    for (const webhook of round.dropWaiting(cell)) this.#lanes.forget(webhook.id, round);
    this.#park(round);
  }

  #interrupt(round: Round): void {
    for (const webhook of round.dropWaiting('i')) {
      this.#lanes.forget(webhook.id, round);
      round.results.set(webhook.id, { webhookId: webhook.id, outcome: 'interrupted' });
    }
    this.#park(round);
  }

  #openOne(round: Round, webhook: DeliveryWebhook): void {
    const { retryClock } = this.#deps;
    const { windowEndsAt } = round;
    if (!mayStart(windowEndsAt, retryClock.now()) && !retryClock.sleptPast(windowEndsAt))
      return this.#skip(round, webhook.id, '.');
    round.waiting.delete(webhook.id);
    round.open += 1;
    round.mark(webhook.slot, 's');
    this.#lanes.open(webhook.id);
    this.#park(round);
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
          this.#owner.guard.report(error);
          if (error instanceof StoreDamagedError) this.#giveUp(round, webhook);
          else if (!round.settled) round.waiting.set(webhook.id, webhook);
          this.#leaveOut(round, webhook);
        },
      );
  }

  /** Its row cannot be written: this round goes on without this webhook. */
  #giveUp(round: Round, webhook: DeliveryWebhook): void {
    round.mark(webhook.slot, 'i');
    round.results.set(webhook.id, { webhookId: webhook.id, outcome: 'interrupted' });
  }

  /** An attempt that was to be opened and was not: its sender is free again. */
  #leaveOut(round: Round, webhook: DeliveryWebhook): void {
    round.open -= 1;
    this.#lanes.release(webhook.id);
    if (this.#owner.isStopping()) this.#interrupt(round);
    else this.#queueWaiting(round);
    if (round.done && !round.settled) this.#conclude(round);
    else this.#release(round);
  }
}
