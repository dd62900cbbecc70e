/** What any store finds and counts with a filter. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ListFilter, matches, rowMatches } from '../../src/core/model/filter.ts';
import { COUNTED_KEYS, termOfValue } from '../../src/core/model/filter-counted.ts';
import { folded } from '../../src/core/model/filter-pattern.ts';
import type { AttemptRecord } from '../../src/core/model/stored.ts';
import type { MessageState } from '../../src/core/model/vocabulary.ts';
import { drawn, listedOf } from './drawn-messages.ts';
import { oneOrTwoTerms } from './filters.ts';
import { bare, type Counts, everything, type Listed, listing } from './listing.ts';
import { attemptRow, messageRow } from './rows.ts';
import type { OpenStore, StoreUnderTest } from './store-under-test.ts';

const factsOf = ({ answers, ...rest }: Listed) => ({ ...rest, responses: answers.filter((body) => body !== null) });
const inState = ({ terms = [] }: ListFilter, name: MessageState): ListFilter => ({
  terms: [...terms, { key: 'status', values: [name] }],
});
const sum = (counts: Counts): number => Object.values(counts).reduce((a, b) => a + b, 0);

export function filtersConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });
  const { fill, allPages, wholeTally, wholeValues } = listing(() => store);

  describe('a filter', () => {
    const range = { before: fc.integer({ min: 1, max: 44 }), after: fc.integer({ min: 0, max: 42 }) };
    const rows = fc.array(drawn, { maxLength: 40 });

    test('finds what the model says it matches, newest first, in any pages, with any before and after', () => {
      fc.assert(
        fc.property(
          rows,
          fc.array(oneOrTwoTerms, { minLength: 6, maxLength: 12 }),
          fc.record({ ...range, limit: fc.integer({ min: 1, max: 20 }) }),
          (drawnRows, filters, { before, after, limit }) => {
            const all = listedOf(drawnRows);
            fill(all);
            for (const one of filters) {
              const expected = all
                .filter(({ message: { id } }) => id < before && id > after)
                .filter((listed) => matches(one, factsOf(listed)))
                .map(({ message }) => message.id)
                .reverse();
              expect(allPages(one, before, after, limit)).toEqual(expected);
              // Where a row alone decides, it decides the same.
              for (const listed of all)
                expect([matches(one, factsOf(listed)), null]).toContain(rowMatches(one, listed.message));
            }
          },
        ),
        { numRuns: 150 },
      );
    });

    test('counts by state what it finds, and without a part counts every message', () => {
      fc.assert(
        fc.property(rows, oneOrTwoTerms, fc.record(range), (drawnRows, one, { before, after }) => {
          const all = listedOf(drawnRows);
          fill(all);
          const counts = wholeTally(one, before, after);
          expect(sum(counts)).toBe(allPages(one, before, after, 100).length);
          expect(sum(wholeTally({}, 100, 0))).toBe(all.length);
          for (const [name, n] of Object.entries(counts) as Array<[MessageState, number]>)
            expect(allPages(inState(one, name), before, after, 100)).toHaveLength(n);
        }),
        { numRuns: 100 },
      );
    });

    test.each(COUNTED_KEYS)('counts the values of %s: as many as the filter with that value finds', (key) => {
      fc.assert(
        fc.property(rows, oneOrTwoTerms, fc.record(range), (drawnRows, one, { before, after }) => {
          const all = listedOf(drawnRows);
          fill(all);
          const found = wholeValues(key, one, before, after);
          for (const { value, n } of found) {
            const narrower = { terms: [...(one.terms ?? []), termOfValue(key, value)] };
            expect([value, n]).toEqual([value, allPages(narrower, before, after, 100).length]);
          }
          // Every message with a value is counted.
          const any = (value: string) => found.some((other) => other.value === value);
          for (const id of allPages(one, before, after, 100)) {
            const { message, attempts } = all.find((listed) => listed.message.id === id)!;
            if (key === 'type') expect(any(message.type)).toBe(true);
            if (key === 'status') expect(any(message.state)).toBe(true);
            if (key === 'reason' && message.reason !== null) expect(any(message.reason)).toBe(true);
            if (key === 'source' && message.sourceId !== null) expect(any(String(message.sourceId))).toBe(true);
            if (key === 'note') for (const { code } of message.notes) expect(any(code)).toBe(true);
            if (key === 'hook') expect(any(`2=${message.cells[1]}`)).toBe(true);
            for (const { slot, status, replayId } of attempts) {
              if (key === 'hook' && replayId === null) expect(any(String(slot))).toBe(true);
              if (key === 'code' && status !== null)
                expect([any(String(status)), any(`${String(status)[0]}xx`)]).toEqual([true, true]);
            }
            if (key === 'event' && message.name !== '')
              expect(found.some(({ value }) => folded(value) === folded(message.name))).toBe(true);
          }
        }),
        { numRuns: 40 },
      );
    });

    test('finds and counts a message at a webhook that has not answered yet, once', () => {
      const at = (slot: number, over: Partial<AttemptRecord> = {}) => ({ slot, ...over });
      const open = { outcome: null } as const;
      let attemptId = 0;
      const listed = (id: number, ...attempts: ReadonlyArray<Partial<AttemptRecord>>): Listed => ({
        ...bare,
        message: messageRow(id),
        attempts: attempts.map((over) => attemptRow(++attemptId, id, over)),
        answers: attempts.map(() => null),
      });
      fill([
        listed(1, at(1), at(1, open), at(2, open)),
        listed(2, at(1, open)),
        listed(3, at(1, { ...open, replayId: 1 })),
        listed(4, at(2)),
      ]);
      const tried = (slot: number) => allPages({ terms: [{ key: 'hook', values: [{ slot }] }] }, 9, 0, 9);
      expect([tried(1), tried(2), tried(3)]).toEqual([[2, 1], [4, 1], []]);
      const counted = wholeValues('hook', {}, 9, 0).filter(({ value }) => value.length === 1);
      expect(counted.sort((a, b) => a.value.localeCompare(b.value))).toEqual([
        { value: '1', n: 2 },
        { value: '2', n: 2 },
      ]);
    });

    test('leaves out events that no filter could name, and ends a step that has enough values', () => {
      const long = 'é'.repeat(200);
      const names = [long, `${long}x`, '', ...Array.from({ length: 37 }, (_, n) => `Event ${n}`)];
      fill(names.map((name, i) => ({ ...bare, message: messageRow(i + 1, { name }) })));
      expect(wholeValues('event', {}, 100, 0, 3)).toHaveLength(38);
      fill([1, 1_500, 3_000, 4_500].map((id) => ({ ...bare, message: messageRow(id, { name: `Event ${id}` }) })));
      const enough = { ...everything, before: 4_501, key: 'event', most: 2, keepGoing: () => true } as const;
      const { counts, scannedTo, more } = store.lists.values(enough);
      expect([counts.map(([value]) => value), more]).toEqual([['Event 4500', 'Event 3000'], true]);
      expect(scannedTo).toBeGreaterThan(1_500);
    });

    test('counts a mark only where a message has it, also where nothing is filtered', () => {
      fill([1, 2, 3].map((id) => ({ ...bare, message: messageRow(id, { repeats: id === 3 ? 1 : 0 }) })));
      const marks = (before: number) =>
        store.lists.values({ ...everything, before, key: 'is', most: 9, keepGoing: () => true });
      expect([marks(4).counts, marks(3).counts]).toEqual([[['repeated', 1]], []]);
    });

    test.each([
      ['100%', [1]],
      ['a_b', [3]],
      ['\\', [5]],
      ["'", [6]],
      ['Ünï', [7]],
      ['CODE', [7]],
      ['"pro"', [8]],
      ['', [8, 7, 6, 5, 4, 3, 2, 1]],
    ])('with the text %j takes it literally, letters A to Z in either case', (text, ids) => {
      const named = ['100%', '100x', 'a_b', 'axb', 'a\\b', "it's", 'Ünïcode'].map((name, i) => ({
        ...bare,
        message: messageRow(i + 1, { name, messageId: '', userId: null }),
      }));
      const bodied = messageRow(8, { name: '', messageId: '', userId: null });
      fill([...named, { ...bare, message: bodied, wire: Buffer.from('{"plan":"Pro"}') }]);
      expect(allPages({ terms: [{ key: 'text', values: [text] }] }, 100, 0, 10)).toEqual(ids);
    });
  });

  describe('a whole id', () => {
    test.each([
      [['usr_1'], [4, 1]],
      [['USR_1'], [2]],
      [['usr_*'], [5]],
      [['usr_'], []],
      [
        ['usr_10', 'usr_*'],
        [5, 3],
      ],
    ])('%j is the user id or the anonymous id, letter by letter', (ids, found) => {
      const owners = [['usr_1'], ['USR_1'], ['usr_10'], [null, 'usr_1'], ['usr_*', 'x']] as const;
      fill(
        owners.map(([userId, anonymousId = null], i) => ({
          ...bare,
          message: messageRow(i + 1, { userId, anonymousId }),
        })),
      );
      const one: ListFilter = { terms: [{ key: 'user', values: ids.map((id) => ({ id })) }] };
      expect(allPages(one, 100, 0, 10)).toEqual(found);
      expect(allPages({ terms: [{ ...one.terms![0]!, not: true }] }, 100, 0, 10)).toEqual(
        [5, 4, 3, 2, 1].filter((id) => !found.includes(id)),
      );
    });
  });
}
