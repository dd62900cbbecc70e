/**
 * Faults in the statements and sends of a life: a store that fails for a while, or an end in the middle of something.
 */
import { BACK_IN } from './constants.ts';
import type { Dice } from './dice.ts';
import { comesAt, type Doom } from './doom.ts';
import { Ended, type Life } from './life.ts';
import { type NewFault, StoreFaults } from './store-faults.ts';
import type { World } from './world.ts';
import type { StatementKind } from './world-store.ts';

export class Disasters {
  readonly #world: World;
  readonly #dice: Dice;
  readonly #faults: StoreFaults;
  doom: Doom | null = null;
  /** A fault that begins with the next send, before its answer arrives. */
  #armed: { readonly fault: NewFault; readonly ms: number; readonly inFlood: boolean } | null = null;

  constructor(world: World, dice: Dice) {
    this.#world = world;
    this.#dice = dice;
    this.#faults = new StoreFaults({
      dice,
      now: () => world.time.real,
      say: (text) => world.say(text),
      failure: (code) => world.store.failure(code),
      hit: () => world.impede(),
    });
  }

  get isStoreWeak(): boolean {
    return this.#faults.isWeak;
  }

  end(): void {
    this.#faults.end();
    this.doom = null;
    this.#armed = null;
  }

  /** The store fails for `ms` real milliseconds. */
  fail(fault: NewFault, ms: number): void {
    this.#faults.begin(fault, ms);
  }

  /** The same, starting at the next send, or at the next send while others wait for a sender. */
  failAtSend(fault: NewFault, ms: number, inFlood = false): void {
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
    if (!done) this.#faults.check(kind, rollBack);
  }

  /** True when the life ends instead of sending. */
  endsAtSend(life: Life): boolean {
    return this.doom?.at === 'send' && life.up && this.#isDue();
  }

  #isFatal(life: Life, kind: StatementKind, done: boolean): boolean {
    const { doom } = this;
    if (doom === null || life !== this.#world.life || !life.up) return false;
    return comesAt(doom, kind, done) && this.#isDue();
  }

  #isDue(): boolean {
    const doom = this.doom!;
    doom.left -= 1;
    if (doom.left > 0) return false;
    this.doom = null;
    this.#world.die(`killed, ${doom.at}`, this.#dice.pick(BACK_IN));
    return true;
  }
}
