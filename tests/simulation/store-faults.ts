/** A store that refuses some statements for a while. */
import type { Dice } from './dice.ts';
import type { StatementKind } from './world-store.ts';

export const FAULT_CODES = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY', 'SQLITE_READONLY'] as const;

/** Which statements fail, with which error, until when. */
export interface StoreFault {
  readonly code: string;
  readonly hits: 'all' | 'commit' | 'some' | 'once' | 'read';
  /** Real milliseconds since the world began. */
  readonly until: number;
  /** Whether the store has rolled back by itself. */
  readonly rollsBack: boolean;
  /** `once` and `read`: how many statements still succeed. */
  left: number;
}

export type NewFault = Omit<StoreFault, 'until'>;

/** A fault of writes. */
export const drawWriteFault = (dice: Dice): NewFault => ({
  code: dice.pick(FAULT_CODES),
  hits: dice.pick(['all', 'commit', 'some', 'once'] as const),
  rollsBack: dice.chance(0.5),
  left: dice.between(1, 20),
});

export interface FaultsDeps {
  readonly dice: Dice;
  /** Real milliseconds since the world began. */
  now(): number;
  say(text: string): void;
  /** What a statement throws that fails with this code. */
  failure(code: string): Error;
  /** A statement is about to fail. */
  hit(): void;
}

export class StoreFaults {
  readonly #deps: FaultsDeps;
  #fault: StoreFault | null = null;

  constructor(deps: FaultsDeps) {
    this.#deps = deps;
  }

  /** True until the store is found to be well again. */
  get isWeak(): boolean {
    return this.#fault !== null;
  }

  /** The store fails for `ms` real milliseconds. */
  begin(fault: NewFault, ms: number): void {
    this.#deps.say(`the store fails: ${fault.code} ${fault.hits}`);
    this.#fault = { ...fault, until: this.#deps.now() + ms };
  }

  end(): void {
    this.#fault = null;
  }

  /** Before a statement: throws its error. */
  check(kind: StatementKind, rollBack: () => void): void {
    const fault = this.#fault;
    if (fault === null || (kind === 'read') !== (fault.hits === 'read')) return;
    if (this.#deps.now() >= fault.until) {
      this.#fault = null;
      this.#deps.say('the store is well again');
      return;
    }
    if (!this.#isHit(fault, kind)) return;
    this.#deps.hit();
    if (fault.rollsBack && kind !== 'begin' && kind !== 'read') rollBack();
    throw this.#deps.failure(fault.code);
  }

  #isHit(fault: StoreFault, kind: StatementKind): boolean {
    switch (fault.hits) {
      case 'all':
        return true;
      case 'commit':
        return kind === 'commit';
      case 'some':
        return this.#deps.dice.chance(0.15);
      case 'once':
      case 'read':
        fault.left -= 1;
        return fault.left === 0;
    }
  }
}
