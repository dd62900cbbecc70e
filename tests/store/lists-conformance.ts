import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ListFilter, matches } from '../../src/core/model/filter.ts';
import type { AttemptRecord, MessageRecord } from '../../src/core/model/stored.ts';
import {
  CELL_LETTERS,
  MARKS,
  MESSAGE_STATES,
  MESSAGE_TYPES,
  type MessageState,
  NOT_SELECTED_REASONS,
  NOTE_CODES,
  REJECT_REASONS,
} from '../../src/core/model/vocabulary.ts';
import { newMessage, newRequest } from '../helpers/core-fixture.ts';
import { attemptRow, messageRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

/** A message with all that a filter can ask about it. */
interface Listed {
  readonly message: MessageRecord;
  readonly wire: Uint8Array | null;
  readonly attempts: readonly AttemptRecord[];
}

type Counts = Partial<Record<MessageState, number>>;
const everything = { filter: {}, before: Number.MAX_SAFE_INTEGER, after: 0 };
const onlyOneStep = () => false;
const sum = (counts: Counts): number => Object.values(counts).reduce((a, b) => a + b, 0);

const piece = fc.constantFrom('a', 'A', '%', '_', '\\', '"', 'é', 'É', '漢', '😀', ' ', "'", 'b');
const word = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''));
const state = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<MessageState>('delivered', 'queued') },
  { weight: 4, arbitrary: fc.constantFrom(...MESSAGE_STATES) },
);
const status = fc.constantFrom(200, 204, 301, 410, 429, 499, 500, 503, 599, null);
const cell = fc.constantFrom(...CELL_LETTERS);
const note = fc.constantFrom(...NOTE_CODES);
const reasonOf = (of: MessageState, i: number): string | null =>
  of === 'rejected'
    ? REJECT_REASONS[i % REJECT_REASONS.length]!
    : of === 'not_selected'
      ? NOT_SELECTED_REASONS[i % NOT_SELECTED_REASONS.length]!
      : null;

const drawn = fc.record({
  state,
  type: fc.constantFrom(...MESSAGE_TYPES),
  name: word,
  userId: fc.option(word),
  anonymousId: fc.option(word),
  messageId: word,
  sourceId: fc.option(fc.integer({ min: 1, max: 3 })),
  cells: fc.array(cell, { minLength: 5, maxLength: 5 }).map((cells) => cells.join('')),
  repeats: fc.nat({ max: 1 }),
  replays: fc.nat({ max: 1 }),
  notes: fc.array(fc.record({ code: note, detail: fc.oneof(word, note) }, { requiredKeys: ['code'] }), {
    maxLength: 2,
  }),
  wire: fc.option(word),
  reason: fc.nat(),
  attempts: fc.array(fc.record({ slot: fc.integer({ min: 1, max: 3 }), status, isReplay: fc.boolean() }), {
    maxLength: 3,
  }),
  isThere: fc.boolean(),
});

type Drawn = typeof drawn extends fc.Arbitrary<infer Row> ? Row : never;

/** The parts of a filter. */
const parts: { readonly [K in keyof Required<ListFilter>]: fc.Arbitrary<ListFilter[K]> } = {
  text: word,
  user: word,
  states: fc.oneof(
    fc.subarray([...MESSAGE_STATES]),
    fc.subarray<MessageState>(['rejected', 'failed', 'expired', 'paused']),
  ),
  types: fc.subarray([...MESSAGE_TYPES], { minLength: 4 }),
  sourceId: fc.integer({ min: 1, max: 3 }),
  is: fc.oneof(
    fc.constantFrom(...MARKS).map((mark) => [mark]),
    fc.subarray([...MARKS], { maxLength: 2 }),
  ),
  note: fc.oneof(note, word),
  reason: fc.constantFrom('', ...REJECT_REASONS, ...NOT_SELECTED_REASONS),
  code: fc.constantFrom('200', '503', '2xx', '4xx', '5xx', '1xx'),
  hook: fc.oneof(
    fc.record({ slot: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ slot: fc.integer({ min: 1, max: 3 }), cell }),
  ),
};
/** Each part is as likely as another: one that comes seldom is tested by chance alone. */
const onePart = fc
  .constantFrom(...(Object.keys(parts) as (keyof ListFilter)[]))
  .chain((key): fc.Arbitrary<ListFilter> => parts[key].map((value) => ({ [key]: value })));
const twoParts = fc.tuple(onePart, onePart).map(([a, b]): ListFilter => ({ ...a, ...b }));

function listedOf(rows: readonly Drawn[]): Listed[] {
  let attemptId = 0;
  return rows.flatMap(({ isThere, wire, attempts, reason, ...row }, i) => {
    if (!isThere) return [];
    const id = i + 1;
    return {
      message: messageRow(id, { ...row, reason: reasonOf(row.state, reason) }),
      wire: wire === null ? null : Buffer.from(wire),
      attempts: attempts.map(({ isReplay, slot, status: answer }) => {
        attemptId += 1;
        return attemptRow(attemptId, id, { slot, status: answer, replayId: isReplay ? 1 : null });
      }),
    };
  });
}

export function listsConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });

  function fill(all: readonly Listed[]): void {
    store.arrange.clear();
    for (const { message, wire, attempts } of all) {
      store.arrange.message(message, wire);
      for (const attempt of attempts) store.arrange.attempt(attempt);
    }
  }
  const put = (...ids: number[]): void =>
    fill(ids.map((id) => ({ message: messageRow(id), wire: null, attempts: [] })));
  const idsOf = (rows: readonly MessageRecord[]): number[] => rows.map(({ id }) => id);

  /** All pages of a scan that stops after every step. */
  function allPages(of: ListFilter, before: number, after: number, limit: number): number[] {
    const ids: number[] = [];
    for (let top = before; ; ) {
      const page = store.lists.ids({ filter: of, before: top, after, limit, keepGoing: onlyOneStep });
      expect(page.ids.length).toBeLessThanOrEqual(limit);
      ids.push(...page.ids);
      if (!page.more) return ids;
      expect(page.scannedTo).toBeLessThan(top);
      top = page.scannedTo;
    }
  }

  /** All steps of a tally that stops after each, added. */
  function wholeTally(of: ListFilter, before: number, after: number): Counts {
    const all: Counts = {};
    for (let top = before; ; ) {
      const step = store.lists.tally({ filter: of, before: top, after, keepGoing: onlyOneStep });
      for (const [name, n] of Object.entries(step.counts) as Array<[MessageState, number]>)
        all[name] = (all[name] ?? 0) + n;
      if (!step.more) return all;
      expect(step.scannedTo).toBeLessThan(top);
      top = step.scannedTo;
    }
  }

  describe('a filter', () => {
    const range = { before: fc.integer({ min: 1, max: 44 }), after: fc.integer({ min: 0, max: 42 }) };
    const rows = fc.array(drawn, { maxLength: 40 });

    test('finds what the model says it matches, newest first, in any pages, with any before and after', () => {
      fc.assert(
        fc.property(
          rows,
          fc.array(fc.oneof(onePart, onePart, twoParts), { minLength: 6, maxLength: 12 }),
          fc.record({ ...range, limit: fc.integer({ min: 1, max: 20 }) }),
          (drawnRows, filters, { before, after, limit }) => {
            const all = listedOf(drawnRows);
            fill(all);
            for (const one of filters) {
              const expected = all
                .filter((facts) => facts.message.id < before && facts.message.id > after && matches(one, facts))
                .map(({ message }) => message.id)
                .reverse();
              expect(allPages(one, before, after, limit)).toEqual(expected);
            }
          },
        ),
        { numRuns: 150 },
      );
    });

    test('counts by state what it finds, and without a part counts every message', () => {
      fc.assert(
        fc.property(rows, twoParts, fc.record(range), (drawnRows, one, { before, after }) => {
          const all = listedOf(drawnRows);
          fill(all);
          const counts = wholeTally(one, before, after);
          expect(sum(counts)).toBe(allPages(one, before, after, 100).length);
          expect(sum(wholeTally({}, 100, 0))).toBe(all.length);
          for (const [name, n] of Object.entries(counts) as Array<[MessageState, number]>)
            expect(allPages({ ...one, states: [name] }, before, after, 100)).toHaveLength(n);
        }),
        { numRuns: 100 },
      );
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
        message: messageRow(i + 1, { name, messageId: '', userId: null }),
        wire: null,
        attempts: [],
      }));
      const bodied = messageRow(8, { name: '', messageId: '', userId: null });
      fill([...named, { message: bodied, wire: Buffer.from('{"plan":"Pro"}'), attempts: [] }]);
      expect(allPages({ text }, 100, 0, 10)).toEqual(ids);
    });
  });

  describe('a scan', () => {
    test('goes on while it may, and then says where the next one begins', () => {
      put(1, 2, 3, 4, 5);
      const all = { ...everything, before: 6, keepGoing: () => true };
      expect(store.lists.ids({ ...all, limit: 9 })).toEqual({ ids: [5, 4, 3, 2, 1], scannedTo: 1, more: false });
      expect(store.lists.ids({ ...all, limit: 2 })).toEqual({ ids: [5, 4], scannedTo: 4, more: true });
      expect(store.lists.ids({ ...all, limit: 9, after: 3 })).toEqual({ ids: [5, 4], scannedTo: 4, more: false });
      expect(store.lists.tally(all)).toEqual({ counts: { delivered: 5 }, scannedTo: 1, more: false });
    });

    test.each([
      [1, 0],
      [3, 2],
      [3, 5],
      [6, 6],
    ])('below %d and above %d, where there is nothing, finds nothing and ends', (before, after) => {
      put(1, 2, 3, 4, 5);
      const nothing = { filter: {}, before, after, keepGoing: () => true };
      expect(store.lists.ids({ ...nothing, limit: 10 })).toMatchObject({ ids: [], more: false });
      expect(store.lists.tally(nothing)).toMatchObject({ counts: {}, more: false });
    });
  });

  describe('a list', () => {
    test('of an empty store is empty', () => {
      expect([store.lists.window(1, 9), store.lists.messages([1]), [...store.lists.allIds()]]).toEqual([[], [], []]);
      expect([store.lists.message(1), store.lists.idRange()]).toEqual([undefined, null]);
      expect(store.lists.counts().every(({ n }) => n === 0)).toBe(true);
    });

    test('gives whole rows, ascending, from the first id on that there is', () => {
      put(2, 3, 7);
      expect(store.lists.message(3)).toEqual(messageRow(3));
      expect(store.lists.window(3, 9)).toEqual([messageRow(3), messageRow(7)]);
      expect([idsOf(store.lists.window(0, 2)), idsOf(store.lists.window(4, 1))]).toEqual([[2, 3], [7]]);
    });

    test('of given ids has their order, without those that are gone', () => {
      put(2, 3, 7);
      expect(idsOf(store.lists.messages(new Set([7, 5, 2])))).toEqual([7, 2]);
    });

    test('knows its first and last id, and all between', () => {
      put(2, 3, 7);
      expect([store.lists.idRange(), [...store.lists.allIds()]]).toEqual([{ first: 2, last: 7 }, [2, 3, 7]]);
    });

    test('has counts of every state that add up to all messages, after whatever was stored and removed', async () => {
      const messages = [
        ...Array.from({ length: 3 }, (_, i) => newMessage(`q${i}`, { position: i })),
        newMessage('r', { state: 'rejected', position: 3 }),
        newMessage('n', { state: 'not_selected', position: 4 }),
        newMessage('last', { position: 5 }),
      ];
      const stored = store.ingest.storeRequest({ request: newRequest(), messages, dedupe: true, dueAt: 1 });
      store.writer.flush();
      await stored;
      const counts = () =>
        Object.fromEntries(store.lists.counts().flatMap(({ state: name, n }) => (n > 0 ? [[name, n]] : [])));
      expect(counts()).toEqual({ queued: 4, rejected: 1, not_selected: 1 });
      await commit(store, (changes) =>
        store.retention.purge({ after: 0, limit: 9, receivedBefore: Number.NEGATIVE_INFINITY }, changes),
      );
      expect(counts()).toEqual({ queued: 4 });
      expect(counts()).toEqual(wholeTally({}, 100, 0));
    });
  });
}
