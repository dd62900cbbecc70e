/**
 * Faults in the statements and sends of a life: a store that fails for a while, or an end in the middle of something.
 */
import { BACK_IN } from './constants.ts';
import type { Dice } from './dice.ts';
import { Ended, type Life } from './life.ts';
import type { World } from './world.ts';
import type { StatementKind } from './world-store.ts';

/** Which statements fail, with which error, until when. */
export interface StoreFault {
  readonly code: string;
  readonly hits: 'all' | 'commit' | 'some' | 'once' | 'read';
  /** Real milliseconds since the start. */
  readonly until: number;
  /** Whether the store has rolled back by itself. */
  readonly rollsBack: boolean;
  /** `once` and `read`: how many statements still succeed. */
  left: number;
}

/** When the life ends by itself: around a statement, or at a send. */
export interface Doom {
  readonly at: 'beforeCommit' | 'afterCommit' | 'inTransaction' | 'send';
  left: number;
}

export class Disasters {
  readonly #world: World;
  readonly #dice: Dice;
  fault: StoreFault | null = null;
  doom: Doom | null = null;
  /** A fault that begins with the next send, before its answer arrives. */
  #armed: { readonly fault: Omit<StoreFault, 'until'>; readonly ms: number; readonly inFlood: boolean } | null = null;

  constructor(world: World, dice: Dice) {
    this.#world = world;
    this.#dice = dice;
  }

  end(): void {
    this.fault = null;
    this.doom = null;
    this.#armed = null;
  }

  /** The store fails for `ms` real milliseconds. */
  fail(fault: Omit<StoreFault, 'until'>, ms: number): void {
    this.#world.say(`the store fails: ${fault.code} ${fault.hits}`);
    this.fault = { ...fault, until: this.#world.time.real + ms };
  }

  /** The same, starting at the next send, or at the next send while others wait for a sender. */
  failAtSend(fault: Omit<StoreFault, 'until'>, ms: number, inFlood = false): void {
    this.#armed = { fault, ms, inFlood };
  }

  /** An attempt was handed to the transport. */
  sent(life: Life): void {
    if (this.#armed === null) return;
    const { dispatcher } = life.engine.parts;
    if (this.#armed.inFlood && dispatcher.rounds().every(({ waitsOn }) => waitsOn.length === 0)) return;
    this.fail(this.#armed.fault, this.#armed.ms);
    this.#armed = null;
  }

  /** Called before (`done` false) and after each statement of a life. Throws the statement's error. */
  statement(life: Life, kind: StatementKind, done: boolean, rollBack: () => void): void {
    if (this.#isFatal(life, kind, done)) throw new Ended();
    const { fault } = this;
    if (done || fault === null || (kind === 'read') !== (fault.hits === 'read')) return;
    if (this.#world.time.real >= fault.until) {
      this.fault = null;
      this.#world.say('the store is well again');
      return;
    }
    if (!this.#isHit(fault, kind)) return;
    this.#world.impede();
    if (fault.rollsBack && kind !== 'begin' && kind !== 'read') rollBack();
    throw this.#world.store.failure(fault.code);
  }

  /** True when the life ends instead of sending. */
  endsAtSend(life: Life): boolean {
    return this.doom?.at === 'send' && life.up && this.#isDue();
  }

  #isFatal(life: Life, kind: StatementKind, done: boolean): boolean {
    const { doom } = this;
    if (doom === null || doom.at === 'send' || life !== this.#world.life || !life.up) return false;
    const isPlace =
      doom.at === 'inTransaction'
        ? kind === 'write' && done
        : kind === 'commit' && done === (doom.at === 'afterCommit');
    return isPlace && this.#isDue();
  }

  #isDue(): boolean {
    const doom = this.doom!;
    doom.left -= 1;
    if (doom.left > 0) return false;
    this.doom = null;
    this.#world.die(`killed, ${doom.at}`, this.#dice.pick(BACK_IN));
    return true;
  }

  #isHit(fault: StoreFault, kind: StatementKind): boolean {
    switch (fault.hits) {
      case 'all':
        return true;
      case 'commit':
        return kind === 'commit';
      case 'some':
        return this.#dice.chance(0.15);
      case 'once':
      case 'read':
        fault.left -= 1;
        return fault.left === 0;
    }
  }
}
