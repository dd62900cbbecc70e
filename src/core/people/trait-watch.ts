/** The value of one computed trait for each person. */
import type { Scalar } from '../model/comparison.ts';
import {
  computeTrait,
  lastChange,
  nextExpiry,
  sameValue,
  type TraitCall,
  type TraitChange,
  type TraitDefinition,
  type TraitValue,
} from '../model/computed-trait.ts';
import type { CallColumn, ColumnSpec } from './call-column.ts';
import { grown } from './grown.ts';
import { Watch, type WatchData } from './watch.ts';

export const columnOfTrait = ({ event, where, path }: TraitDefinition): ColumnSpec => ({ event, where, path });

export class TraitWatch extends Watch {
  readonly #definition: TraitDefinition;
  readonly #values: (TraitValue | null)[] = [];
  #leftOut = new Int32Array(0);
  #calls = new Int32Array(0);
  #sumLeftOut = 0;
  #sumCalls = 0;
  #withValue = 0;
  /** How often a value changed, came or went since it is counted. */
  changed = 0;

  constructor(data: WatchData, definition: TraitDefinition, column: CallColumn) {
    super(data, [column]);
    this.#definition = definition;
  }

  get withValue(): number {
    return this.#withValue;
  }

  /** Calls whose value could not be used, over all people. */
  get leftOut(): number {
    return this.#sumLeftOut;
  }

  /** Calls that made the values, over all people. */
  get calls(): number {
    return this.#sumCalls;
  }

  value(person: number): TraitValue | null {
    return this.#values[person] ?? null;
  }

  /** All values there are, in no order. */
  values(): TraitValue[] {
    return this.#values.filter((value) => value !== null && value !== undefined);
  }

  evaluate(person: number, now: number): number {
    const calls = this.#callsOf(person);
    const result = computeTrait(this.#definition, calls, now);
    this.#set(person, result.value, result.leftOut, result.calls);
    return nextExpiry(this.#definition, calls, now) ?? Number.POSITIVE_INFINITY;
  }

  drop(person: number): void {
    this.#set(person, null, 0, 0);
  }

  #set(person: number, value: TraitValue | null, leftOut: number, calls: number): void {
    this.#leftOut = grown(this.#leftOut, person + 1);
    this.#calls = grown(this.#calls, person + 1);
    this.#sumLeftOut += leftOut - this.#leftOut[person]!;
    this.#sumCalls += calls - this.#calls[person]!;
    this.#leftOut[person] = leftOut;
    this.#calls[person] = calls;
    const before = this.value(person);
    if (sameValue(before, value)) return;
    this.#withValue += Number(value !== null) - Number(before !== null);
    this.#values[person] = value;
    if (!this.isCounted) return;
    this.changed += 1;
    this.noteMove(person);
  }

  /** The last change of a person's value and what caused it; null when that is not known. */
  lastChange(person: number, now: number): TraitChange | null {
    return lastChange(this.#definition, this.#callsOf(person), now);
  }

  #callsOf(person: number): TraitCall[] {
    const { log } = this.data;
    const column = this.columns[0]!;
    const calls: TraitCall[] = [];
    this.eachRow(person, (_, row) => {
      const value = column.value(row);
      calls.push({ id: log.id(row), at: log.at(row), arrivedAt: log.arrivedAt(row), time: log.time(row), value });
    });
    return calls;
  }

  /** A value that a sum left out, such as the text "184.50"; null for none, or for what is no plain value. */
  leftOutExample(): Scalar | null {
    if (this.#definition.kind !== 'sum') return null;
    for (const value of this.columns[0]!.values())
      if (typeof value === 'string' || typeof value === 'boolean') return value;
    return null;
  }
}
