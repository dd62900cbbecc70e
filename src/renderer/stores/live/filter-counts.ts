/** How many messages match a filter, by state. */
import type { Client } from '../../../contract/channel.ts';
import type { MessageFilter } from '../../../contract/commands.ts';
import type { MessageRow, MessageStateName } from '../../../contract/values.ts';
import { Counting, type CountingDeps, type CountView } from './counting.ts';

export type StateCounts = Partial<Record<MessageStateName, number>>;
export type CountsView = CountView<StateCounts>;

export interface CountDeps extends CountingDeps {
  readonly call: Client['call'];
}

export const sumOf = (counts: StateCounts): number => Object.values(counts).reduce((sum, n) => sum + n, 0);

export function added(a: StateCounts, b: StateCounts): StateCounts {
  const sum: StateCounts = { ...a };
  for (const [state, n] of Object.entries(b) as Array<[MessageStateName, number]>) sum[state] = (sum[state] ?? 0) + n;
  return sum;
}

export function countsOf(rows: readonly MessageRow[]): StateCounts {
  const counts: StateCounts = {};
  for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

export class FilterCounts extends Counting<StateCounts> {
  constructor(filter: MessageFilter, deps: CountDeps) {
    const ask = (range: object) => deps.call('messages.counts', { filter, ...range });
    super({ none: {}, ask, add: added }, deps);
  }
}
