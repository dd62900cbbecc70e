/** Moves of messages that have no round under way: to a final state, or to paused. */
import {
  isReady,
  isResting,
  type Move,
  makeDue,
  type Ready,
  type Resting,
  type Standing,
  stop,
} from '../model/moves.ts';
import { type Clock, StoreDamagedError } from '../ports.ts';
import type { DueMessage } from '../store/ports/due.ts';
import type { RoundStore, StoredStanding } from '../store/ports/rounds.ts';
import type { LostMoves } from './lost-moves.ts';
import { type MovedEvent, moveWithoutRound } from './moved-event.ts';
import type { StoreGuard } from './store-guard.ts';

export interface RoundlessMovesDeps {
  readonly store: RoundStore;
  readonly clock: Clock;
  readonly guard: StoreGuard;
  readonly lostMoves: LostMoves;
  /** Called after the commit for each message that reached a final state or was paused. */
  moved(event: MovedEvent): void;
  /** A move was committed or lost. `dueAt` is when the message is due next on the retry clock, if ever. */
  ended(dueAt: number | null): void;
  /** This message cannot be written, because its place in the store is damaged. */
  isStuck(messageId: number): void;
}

export class RoundlessMoves {
  readonly #deps: RoundlessMovesDeps;
  /** Messages whose move is not committed yet. */
  readonly #underWay = new Set<number>();

  constructor(deps: RoundlessMovesDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#underWay.size;
  }

  has(messageId: number): boolean {
    return this.#underWay.has(messageId);
  }

  /** Retried until the store accepts it. */
  make(message: DueMessage, move: Move): void {
    const { guard, store, isStuck } = this.#deps;
    this.#underWay.add(message.id);
    guard
      .persist(() => store.apply([move]))
      .then(
        ([tookPlace]) => {
          this.#underWay.delete(message.id);
          this.#ended(move, message.receivedAt, tookPlace === true);
        },
        (error: unknown) => {
          this.#underWay.delete(message.id);
          if (error instanceof StoreDamagedError) isStuck(message.id);
        },
      );
  }

  /** Ends the retries of a message. False when it is already final. Null when someone else moved it just now. */
  async stop(messageId: number): Promise<boolean | null> {
    const { store, clock } = this.#deps;
    const standing = store.standing(messageId);
    if (standing === undefined || !isResting(standing.state)) return false;
    const move = stop(standing as Standing<Resting>, clock.wall());
    const [tookPlace] = await store.apply([move]);
    this.#ended(move, standing.receivedAt, tookPlace === true);
    return tookPlace === true || null;
  }

  /** Makes a message that waits for its round due at `now`. False when it does not wait for one. */
  async makeDue(messageId: number, now: number): Promise<boolean> {
    const { store } = this.#deps;
    const standing = store.standing(messageId);
    if (standing === undefined || !isReady(standing.state)) return false;
    const move = makeDue(standing as Standing<Ready>, now);
    const [tookPlace] = await store.apply([move]);
    this.#ended(move, standing.receivedAt, tookPlace === true);
    return tookPlace === true;
  }

  /**
   * Makes those that wait for a retry after `now` due at `now`, in one transaction. Returns how many. One that cannot be
   * written because its place in the store is damaged does not stop the others.
   */
  async makeAllDue(messageIds: readonly number[], now: number): Promise<number> {
    const { store } = this.#deps;
    const waiting = messageIds
      .map((id) => store.standing(id))
      .filter((standing) => standing?.state === 'retrying' && (standing.nextDueAt ?? now) > now) as StoredStanding[];
    if (waiting.length === 0) return 0;
    const moves = waiting.map((standing) => makeDue(standing as Standing<Ready>, now));
    try {
      const tookPlace = await store.apply(moves);
      for (const [i, move] of moves.entries()) this.#ended(move, waiting[i]!.receivedAt, tookPlace[i] === true);
      return tookPlace.filter(Boolean).length;
    } catch (error) {
      if (!(error instanceof StoreDamagedError)) throw error;
      return waiting.length === 1 ? 0 : this.#makeEachDue(waiting, now);
    }
  }

  async #makeEachDue(waiting: readonly StoredStanding[], now: number): Promise<number> {
    let made = 0;
    for (const { id } of waiting) made += await this.makeAllDue([id], now);
    return made;
  }

  #ended(move: Move, receivedAt: number, tookPlace: boolean): void {
    const { lostMoves, moved, ended } = this.#deps;
    if (!tookPlace) lostMoves.add(move);
    else if (move.finishedAt !== null) moved(moveWithoutRound(move, receivedAt, move.finishedAt));
    ended(tookPlace ? move.to.nextDueAt : null);
  }
}
