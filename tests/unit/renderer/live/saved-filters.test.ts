/** The list of saved filters, and what can be done with it. */
import { describe, expect, it } from 'vitest';
import { savedFilters } from '../../../../src/contract/saved-filters.ts';
import { queryOf } from '../../../../src/renderer/stores/live/filter.ts';
import {
  isFilterOf,
  NO_SAVED_FILTERS,
  nameProblem,
  raised,
  renamed,
  shownFilters,
  switched,
  withFilter,
  without,
} from '../../../../src/renderer/stores/live/saved-filters.ts';
import { filterOf } from '../../../helpers/filters.ts';

const failed = filterOf('status:failed');
const big = filterOf('properties.total>100');
const two = withFilter(withFilter(NO_SAVED_FILTERS, 'Failed', failed), 'Big orders', big);
const names = (all: typeof two) => shownFilters(all).map(({ name }) => name);

describe('saved filters', () => {
  it('are shown in the order in which they were saved, before the built-in ones', () => {
    expect(names(two)).toEqual(['Failed', 'Big orders', '200 but dropped', 'Replays', 'Slow answers', 'Deletions']);
    expect(savedFilters.safeParse(two).success).toBe(true);
  });

  it('take a new filter under an old name in its place', () => {
    expect(withFilter(two, 'Failed', big).filters).toEqual([
      { name: 'Failed', filter: big },
      { name: 'Big orders', filter: big },
    ]);
  });

  it('are moved up, renamed and removed; the first stays first', () => {
    expect(names(raised(two, 1)).slice(0, 2)).toEqual(['Big orders', 'Failed']);
    expect(raised(two, 0)).toBe(two);
    expect(names(renamed(two, 1, 'Big')).slice(0, 2)).toEqual(['Failed', 'Big']);
    expect(names(without(two, 0))[0]).toBe('Big orders');
  });

  it('that are built in are hidden and shown again', () => {
    const hidden = switched(NO_SAVED_FILTERS, 'replays');
    expect(names(hidden)).toEqual(['200 but dropped', 'Slow answers', 'Deletions']);
    expect(switched(hidden, 'replays')).toEqual(NO_SAVED_FILTERS);
    expect(shownFilters(hidden)[0]?.hint).toBe('The SDK was told 200. Segment would drop the call without a word.');
  });

  it('are recognised when the list has just that filter', () => {
    const query = queryOf(...(big.terms ?? []));
    expect([isFilterOf(query.terms, big), isFilterOf(query.terms, failed)]).toEqual([true, false]);
  });

  it('need a name of their own, and there is an end of them', () => {
    expect(nameProblem(two, ' ')).toBe('Enter a name.');
    expect(nameProblem(two, 'x'.repeat(61))).toBe('A name has at most 60 characters.');
    expect(nameProblem(two, 'Failed')).toBeNull();
    expect(nameProblem(two, 'Failed', 1)).toBe('Another filter has this name.');
    expect(nameProblem(two, 'Failed', 0)).toBeNull();
    const many = Array.from({ length: 50 }, (_, i) => i).reduce(
      (all, i) => withFilter(all, `F${i}`, big),
      NO_SAVED_FILTERS,
    );
    expect(nameProblem(many, 'One more')).toMatch(/^There are 50 saved filters/);
    expect(nameProblem(many, 'F7')).toBeNull();
  });
});
