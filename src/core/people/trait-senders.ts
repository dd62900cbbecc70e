/** Which sources send which traits, counted over stored identify calls. Calls with the same traits share one entry. */
import { isJsonObject, type JsonObject } from '../model/call.ts';
import { NONE } from './call-log.ts';

export interface TraitSender {
  readonly sourceId: number;
  /** Identify calls with this trait. */
  readonly calls: number;
}

interface Shape {
  readonly key: string;
  readonly sourceId: number;
  readonly traits: ReadonlySet<string>;
  calls: number;
}

export class TraitSenders {
  readonly #shapes: (Shape | null)[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #free: number[] = [];

  /** Counts one identify call. Returns a number for {@link remove}; {@link NONE} for a call of no source. */
  add(sourceId: number | null, body: JsonObject | null): number {
    const traits = body?.traits;
    if (sourceId === null || !isJsonObject(traits)) return NONE;
    const names = Object.keys(traits).sort();
    const key = JSON.stringify([sourceId, ...names]);
    const known = this.#numbers.get(key);
    const number = known ?? this.#free.pop() ?? this.#shapes.length;
    if (known === undefined) {
      this.#numbers.set(key, number);
      this.#shapes[number] = { key, sourceId, traits: new Set(names), calls: 0 };
    }
    this.#shapes[number]!.calls += 1;
    return number;
  }

  /** Takes a counted call back. */
  remove(number: number): void {
    const shape = this.#shapes[number];
    if (shape === undefined || shape === null) return;
    shape.calls -= 1;
    if (shape.calls > 0) return;
    this.#numbers.delete(shape.key);
    this.#shapes[number] = null;
    this.#free.push(number);
  }

  /** Sources that send the trait, most calls first. */
  of(trait: string): TraitSender[] {
    const calls = new Map<number, number>();
    for (const shape of this.#shapes)
      if (shape?.traits.has(trait)) calls.set(shape.sourceId, (calls.get(shape.sourceId) ?? 0) + shape.calls);
    const senders = [...calls].map(([sourceId, one]) => ({ sourceId, calls: one }));
    return senders.sort((a, b) => b.calls - a.calls || a.sourceId - b.sourceId);
  }
}
