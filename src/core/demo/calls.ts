/**
 * The calls of the demo: one seed gives one sequence, whatever the time. Three visits to the shop run side by side, so
 * that their calls alternate as in real traffic.
 */
import { seededRandom } from '../model/seeded-random.ts';
import { DELETED_USER, SHOPPERS } from './people.ts';
import { anyVisit, type Chance, group, identify, oneOfEach, type Planned, shownOrder, type Visit } from './sessions.ts';
import type { ShopSource } from './shop.ts';

/** Calls that are sent at the start, to have something to read. */
export const HISTORY_CALLS = 200;
/** The history is spread over this time before the start. */
const HISTORY_MS = 8 * 3_600_000;
const OPEN_VISITS = 3;

export interface ShopCall extends Planned {
  /** From 0; the place in the sequence. */
  readonly n: number;
  /** The same for the same seed and place, so that a repeated call counts once. */
  readonly messageId: string;
}

/** Every known customer introduces themselves, companies too; the one to be deleted is known to every source. */
function* introductions(): Visit {
  for (const shopper of SHOPPERS) yield identify('web', shopper);
  for (const shopper of SHOPPERS.filter(({ company }) => company !== null)) yield group(shopper);
  const deleted = SHOPPERS.find(({ userId }) => userId === DELETED_USER)!;
  yield identify('checkout', deleted);
  yield identify('phone', deleted);
}

function* visits(chance: Chance): Generator<Planned, never> {
  const open = Array.from({ length: OPEN_VISITS }, () => anyVisit(chance));
  for (;;) {
    const at = Math.floor(chance.next() * OPEN_VISITS);
    const { value } = open[at]!.next();
    if (value === undefined) open[at] = anyVisit(chance);
    else yield value;
  }
}

export class ShopCalls {
  readonly #seed: number;
  readonly #calls: Iterator<Planned>;
  #n = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#calls = sequence(seededRandom(seed));
  }

  next(): ShopCall {
    const planned = this.#calls.next().value as Planned;
    const n = this.#n;
    this.#n += 1;
    return { ...planned, n, messageId: `demo-${this.#seed}-${n}` };
  }

  /** The calls from here to place `n`, which comes next. */
  upTo(n: number): ShopCall[] {
    const calls: ShopCall[] = [];
    while (this.#n < n) calls.push(this.next());
    return calls;
  }
}

function* customers(chance: Chance): Generator<Planned, never> {
  yield* introductions();
  yield* oneOfEach(chance);
  return yield* visits(chance);
}

/** The first call after the history is the order that the tour shows. */
function* sequence(chance: Chance): Generator<Planned, never> {
  const calls = customers(chance);
  for (let n = 0; n < HISTORY_CALLS; n += 1) yield calls.next().value;
  yield* shownOrder(chance);
  return yield* calls;
}

/** When a call of the history happened, in epoch milliseconds; `at` is the start of the demo. */
export const historyTime = (n: number, at: number): number =>
  Math.round(at - (HISTORY_MS * (HISTORY_CALLS - n)) / HISTORY_CALLS);

/** Milliseconds until the next call: around the mean of `rate` calls a minute. */
export const gapMs = (rate: number, chance: Chance): number => Math.round((60_000 / rate) * (0.5 + chance.next()));

/** The call as a client sends it. `at` in epoch milliseconds. */
export const wireCall = (
  { type, messageId, fields }: ShopCall,
  at: number,
): Readonly<Record<string, unknown>> & { readonly type: ShopCall['type'] } => ({
  type,
  messageId,
  timestamp: new Date(at).toISOString(),
  ...fields,
});

/** The calls grouped by source, each group in order. */
export function bySource(calls: readonly ShopCall[]): ReadonlyMap<ShopSource, readonly ShopCall[]> {
  const groups = new Map<ShopSource, ShopCall[]>();
  for (const call of calls) groups.set(call.source, [...(groups.get(call.source) ?? []), call]);
  return groups;
}
