/** The values of a key among the messages that match a filter, each with how many messages have it. */
import type { MessageFilter } from '../../../contract/commands.ts';
import type { CountedKey, ValueCount } from '../../../contract/filter.ts';
import { Counting, type CountView } from './counting.ts';
import type { CountDeps } from './filter-counts.ts';

/** So many different values are kept. */
export const MOST_VALUES = 10_000;

export interface ValueTally {
  /** The number of every value in it is exact, because a value is in it from the first message that has it on. */
  readonly values: ReadonlyMap<string, { readonly value: string; readonly n: number }>;
  /** There are other values, which were met after {@link MOST_VALUES} had been. */
  readonly isCut: boolean;
}
export type ValuesView = CountView<ValueTally>;

const NONE: ValueTally = { values: new Map(), isCut: false };

/** `event:` takes letters A to Z in either case. */
const nameOf = (key: CountedKey, value: string): string =>
  key === 'event' ? value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : value;

export const tallyOf = (key: CountedKey, counts: readonly ValueCount[]): ValueTally => withValues(key, NONE, counts);

function withValues(key: CountedKey, { values: before, isCut: wasCut }: ValueTally, counts: readonly ValueCount[]) {
  const values = new Map(before);
  let isCut = wasCut;
  for (const [value, n] of counts) {
    const name = nameOf(key, value);
    const known = values.get(name);
    if (known !== undefined) values.set(name, { value: known.value, n: known.n + n });
    else if (values.size < MOST_VALUES) values.set(name, { value, n });
    else isCut = true;
  }
  return { values, isCut };
}

export class ValueCounts extends Counting<ValueTally> {
  constructor(key: CountedKey, filter: MessageFilter, deps: CountDeps) {
    super(
      {
        none: NONE,
        ask: async (range) => {
          const step = await deps.call('messages.values', { key, filter, ...range });
          return { ...step, counts: tallyOf(key, step.counts) };
        },
        add: (a, { values }) =>
          withValues(
            key,
            a,
            [...values.values()].map(({ value, n }) => [value, n]),
          ),
      },
      deps,
    );
  }
}
