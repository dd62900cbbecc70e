/**
 * The rounds under way: opens attempts as senders come free, records every result and moves the message on. "No write,
 * no send": an attempt's row is committed before a connection is opened for it. After every change of a round,
 * `#advance` looks at it and does what follows.
 */
import { failpoint } from '../failpoint.ts';
import { type Move, stop } from '../model/moves.ts';
import { mayStart } from '../model/schedule.ts';
import { StoreDamagedError } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { DueMessage } from '../store/ports/due.ts';
import type { RoundWrite, RoundWritten } from '../store/ports/rounds.ts';
import { Lanes } from './lanes.ts';
import { roundMoved } from './moved-event.ts';
import { PassingMap } from './passing.ts';
import { Round, type Unwritten } from './round.ts';
import { endingOf } from './round-ending.ts';
import type { OpenAttempt, SkipReason } from './round-webhooks.ts';
import { newAttempt, writeApart } from './round-writes.ts';
import type { RoundsContext, RoundsDeps, RoundView } from './rounds-deps.ts';
import { NOT_SENT, toStored } from './sender.ts';
import { type DeliveryWebhook, isOn } from './webhooks.ts';

/** The part of a round that a transaction writes. */
interface Taken {
  readonly unwritten: Unwritten;
  readonly write: RoundWrite;
}

/** A round that is written in the transaction that stores its message. One of the two is called once, after it. */
export interface FirstRound {
  /** Sends its attempts. */
  committed(): void;
  /** The message was not stored, or is stored again in another transaction. */
  undone(): void;
}

export class Rounds {
  readonly #deps: RoundsDeps;
  readonly #context: RoundsContext;
  readonly #lanes = new Lanes();
  readonly #rounds = new PassingMap<Round>();
  /** Rounds with no open attempt. Kept separately, because there may be 20,000 of them to count. */
  readonly #parked = new PassingMap<Round>();

  constructor(deps: RoundsDeps, context: RoundsContext) {
    this.#deps = deps;
    this.#context = context;
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

  view(): RoundView[] {
    return this.#rounds.all().map((round) => ({
      messageId: round.message.id,
      isParked: round.isParked,
      hasBytes: round.wire !== null,
      isWriting: round.isWriting,
      waitsOn: this.#lanes.slotsOf(round),
    }));
  }

  /** Takes over the webhooks. Rounds skip a webhook that was switched off while they waited for it. */
  setWebhooks(before: readonly DeliveryWebhook[], webhooks: readonly DeliveryWebhook[]): void {
    this.#lanes.set(webhooks);
    for (const webhook of before)
      if (!isOn(webhooks, webhook.id))
        for (const round of this.#lanes.waitingOn(webhook.id)) {
          this.#lanes.forget(webhook.id, round);
          round.skip(webhook, 'went_off');
          this.#advance(round);
        }
  }

  /**
   * Commits the round and the attempts that have a free sender, then sends them. The other webhooks wait on their
   * lanes.
   */
  begin(message: DueMessage, wire: Uint8Array, targets: readonly DeliveryWebhook[]): void {
    this.#write(this.#create(message, wire, targets));
  }

  /** As `begin`, in the transaction under way that stores the message. */
  beginIn(message: DueMessage, wire: Uint8Array, targets: readonly DeliveryWebhook[], changes: Changes): FirstRound {
    const round = this.#create(message, wire, targets);
    round.isWriting = true;
    const undone = (): void => this.#abandon(round);
    try {
      const taken = this.#take(round);
      const written = this.#deps.stores.rounds.writeIn(taken.write, changes);
      return { committed: () => this.#written(round, taken, written), undone };
    } catch (error) {
      undone();
      throw error;
    }
  }

  #create(message: DueMessage, wire: Uint8Array, targets: readonly DeliveryWebhook[]): Round {
    const { clock, retryClock, rules } = this.#deps;
    const round = new Round(message, wire, retryClock.now(), rules().retry.windowMs, clock.mono());
    for (const webhook of this.#context.webhooks()) if (!webhook.enabled) round.leaveOff(webhook);
    for (const webhook of targets) {
      if (this.#lanes.hasFree(webhook.id)) this.#open(round, webhook);
      else round.wait(webhook);
    }
    this.#rounds.set(message.id, round);
    return round;
  }

  /** Opens attempts of rounds that waited for a sender of this webhook. */
  openWaiting(webhook: DeliveryWebhook): void {
    const { retryClock } = this.#deps;
    for (let round = this.#lanes.next(webhook.id); round !== undefined; round = this.#lanes.next(webhook.id)) {
      const { windowEndsAt } = round;
      if (mayStart(windowEndsAt, retryClock.now()) || retryClock.sleptPast(windowEndsAt)) this.#open(round, webhook);
      else round.skip(webhook, 'too_late');
      this.#advance(round);
    }
  }

  /** Ends the retries of a message whose round is under way. False when there is none, or when it did not take place. */
  async stopMessage(messageId: number): Promise<boolean> {
    const round = this.#rounds.get(messageId);
    if (round === undefined || round.isSettled) return false;
    const at = this.#deps.clock.wall();
    round.settle((from, cells) => stop(from, at, cells), at);
    const moved = round.moved();
    this.#advance(round);
    return moved;
  }

  /**
   * The store has just removed these messages. Their rounds write nothing more. What open attempts still answer is only
   * counted.
   */
  removed(messageIds: readonly number[]): void {
    for (const id of messageIds) {
      const round = this.#rounds.get(id);
      if (round === undefined) continue;
      round.giveUp();
      this.#advance(round);
    }
  }

  /** Webhooks that wait for a sender are not tried any more. Their messages are due at once after the next start. */
  interruptWaiting(): void {
    for (const round of this.#rounds.all()) {
      for (const webhook of round.skipWaiting('interrupted')) this.#lanes.forget(webhook.id, round);
      this.#advance(round);
    }
  }

  #open(round: Round, webhook: DeliveryWebhook): void {
    round.open(webhook);
    this.#lanes.open(webhook.id);
  }

  /** Looks at a round after a change and does what follows from its new state. */
  #advance(round: Round): void {
    if (!round.isSettled && (round.hasAccepted || round.isDone)) this.#settle(round);
    if (round.isSettled) this.#dropWaiting(round);
    this.#park(round);
    if (round.isWriting) return;
    if (round.hasUnwritten) this.#write(round);
    else if (round.isOver) this.#release(round);
  }

  #settle(round: Round): void {
    const { clock, stores, retryClock, rules } = this.#deps;
    const wallNow = clock.wall();
    const ending = endingOf(round, {
      rules: rules(),
      webhooks: this.#context.webhooks(),
      lastOutcomes: () => this.#context.guard.reading(() => stores.due.lastOutcomes(round.message.id)),
      now: retryClock.now(),
      wallNow,
    });
    round.settle(ending, wallNow);
  }

  /** In a settled round no attempt begins any more. */
  #dropWaiting(round: Round): void {
    for (const webhook of round.skipWaiting('not_needed')) this.#lanes.forget(webhook.id, round);
    if (!round.isWriting) this.#takeBackOpenings(round, 'not_needed');
  }

  /** A round with no open attempt frees its bytes, because thousands may wait for a slow webhook. */
  #park(round: Round): void {
    if (!round.isParked) {
      this.#parked.take(round.message.id);
      return;
    }
    round.wire = null;
    this.#parked.set(round.message.id, round);
  }

  /** The message is free for another round once this one is fully committed. */
  #release(round: Round): void {
    this.#rounds.take(round.message.id);
    const { move } = round;
    if (move !== null) {
      this.#deps.moved(roundMoved(round, move, this.#context.webhooks()));
      if (move.to.nextDueAt !== null) this.#context.waitsFor(move.to.nextDueAt);
    }
    this.#context.roundEnded();
  }

  // Writing

  /**
   * Writes everything that is not written yet, in one go. Retries until it succeeds, except for the beginning of a
   * round.
   */
  #write(round: Round): void {
    const { guard } = this.#context;
    round.isWriting = true;
    let taken: Taken;
    const take = (): RoundWrite => {
      taken = this.#take(round);
      return taken.write;
    };
    const write = (): Promise<RoundWritten> => this.#deps.stores.rounds.write(take, round.rowsToWrite);
    const retaken = (): Promise<RoundWritten> => write().catch((error) => this.#takeBackAfter(round, error));
    (round.hasBegun ? guard.persist(retaken) : write()).then(
      (written) => this.#written(round, taken, written),
      (error: unknown) => this.#notWritten(round, error),
    );
  }

  #take(round: Round): Taken {
    const unwritten = round.unwritten();
    const opened = unwritten.opening.map((webhook) => newAttempt(round, webhook, this.#deps));
    return { unwritten, write: { finished: unwritten.ended.map(({ row }) => row), moves: unwritten.moves, opened } };
  }

  #written(round: Round, { unwritten, write }: Taken, { lost, attemptIds }: RoundWritten): void {
    const attempts = attemptIds.map((id, i) => ({ id, startedAt: write.opened[i]!.startedAt }));
    const isFirst = !round.hasBegun;
    round.isWriting = false;
    if (lost !== null) {
      this.#lost(round, lost);
      if (isFirst) {
        this.#context.wasTaken();
        return this.#abandon(round);
      }
    }
    if (isFirst) failpoint('attempt_written');
    this.#committed(round, unwritten, attempts, lost === null);
    if (isFirst) this.#queueWaiting(round);
    if (lost === null) for (const [i, webhook] of unwritten.opening.entries()) this.#send(round, webhook, attempts[i]!);
    this.#advance(round);
  }

  /** A move is not lost when the same transaction removed the message before it. */
  #lost(round: Round, move: Move): void {
    if (!round.isGivenUp) this.#context.lostMoves.add(move);
  }

  /** A round that lost a move may no longer move its message. */
  #committed(round: Round, written: Unwritten, attempts: readonly OpenAttempt[], tookPlace: boolean): void {
    if (!tookPlace) round.giveUp();
    round.written(tookPlace ? written : { ...written, moves: [], ending: null, opening: [] }, attempts);
    if (written.ended.length > 0) failpoint('result_written');
    for (const { webhook, result, startedAt } of written.ended) this.#deps.recorded(webhook, result, startedAt);
  }

  /**
   * The write of a begun round failed. The attempts that were about to begin wait again, or are left out if their row
   * is damaged.
   */
  #takeBackAfter(round: Round, error: unknown): never {
    this.#takeBackOpenings(round, error instanceof StoreDamagedError ? 'interrupted' : null);
    this.#queueWaiting(round);
    this.#advance(round);
    throw error;
  }

  #takeBackOpenings(round: Round, reason: SkipReason | null): void {
    for (const webhook of round.takeBackOpenings(reason)) this.#lanes.release(webhook.id);
  }

  #queueWaiting(round: Round): void {
    for (const webhook of round.waiting) {
      if (this.#context.isStopping()) round.skip(webhook, 'interrupted');
      else if (isOn(this.#context.webhooks(), webhook.id)) this.#lanes.wait(webhook.id, round);
      else round.skip(webhook, 'went_off');
    }
  }

  #notWritten(round: Round, error: unknown): void {
    const isDamaged = error instanceof StoreDamagedError;
    if (isDamaged) this.#context.isStuck(round.message.id);
    if (!round.hasBegun) {
      this.#context.guard.writeFailed(error);
      this.#abandon(round);
    } else if (isDamaged) void this.#writeApart(round);
    else round.giveUp();
  }

  /** The round did not begin: nothing was sent, and the message stays as stored. */
  #abandon(round: Round): void {
    this.#takeBackOpenings(round, 'not_needed');
    round.giveUp();
    this.#rounds.take(round.message.id);
    this.#context.roundEnded();
  }

  /**
   * When a page is damaged, writes what it can, piece by piece. The message gets no further round until the next start.
   */
  async #writeApart(round: Round): Promise<void> {
    const unwritten = round.unwritten();
    const written = await writeApart(unwritten, this.#deps.stores.rounds, this.#context.guard);
    if (written === null) return round.giveUp();
    if (written.lost !== null) this.#lost(round, written.lost);
    round.isWriting = false;
    this.#committed(round, unwritten, [], written.tookPlace);
    this.#advance(round);
  }

  // Sending

  #send(round: Round, webhook: DeliveryWebhook, attempt: OpenAttempt): void {
    const { clock, sender } = this.#deps;
    const queueMs = Math.max(0, clock.mono() - round.queuedAt);
    const wire = this.#wireOf(round);
    // Much can happen while a row is written: Hookbench stops, the user stops the message, or a secret becomes
    // unreadable.
    const wanted = wire !== null && this.#context.maySend() && !round.isSettled;
    const ended = wanted
      ? sender.send(webhook, wire, round.message.id, { attempt: attempt.id })
      : Promise.resolve(NOT_SENT);
    void ended.then((result) => {
      failpoint('result_received');
      this.#lanes.release(webhook.id);
      round.end(webhook, attempt, result, toStored(result, queueMs, webhook.headers), clock.wall());
      this.#advance(round);
      this.#context.attemptEnded();
    });
  }

  /** Null when the bytes are damaged or cannot be read now. The round is then due again at once. */
  #wireOf(round: Round): Uint8Array | null {
    round.wire ??= this.#context.guard.reading(() => this.#deps.stores.due.wire(round.message.id));
    return round.wire;
  }
}
