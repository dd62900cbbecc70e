import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ListFilter, matches, rowMatches } from '../../src/core/model/filter.ts';
import { COUNTED_KEYS, type CountedKey, termOfValue } from '../../src/core/model/filter-counted.ts';
import { folded } from '../../src/core/model/filter-pattern.ts';
import type { AttemptRecord, MessageRecord, RequestRecord } from '../../src/core/model/stored.ts';
import {
  MESSAGE_STATES,
  MESSAGE_TYPES,
  type MessageState,
  NOT_SELECTED_REASONS,
  NOTE_CODES,
  REJECT_REASONS,
} from '../../src/core/model/vocabulary.ts';
import { newMessage, newRequest } from '../helpers/core-fixture.ts';
import { body, cell, oneOrTwoTerms, receivedAt, someId, word } from './filters.ts';
import { attemptRow, messageRow, requestRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

/** A message with all that a filter can ask about it. */
interface Listed {
  readonly message: MessageRecord;
  readonly wire: Uint8Array | null;
  readonly attempts: readonly AttemptRecord[];
  /** The response to each attempt. */
  readonly answers: ReadonlyArray<Uint8Array | null>;
  readonly request: RequestRecord | null;
  readonly received: Uint8Array | null;
}

const factsOf = ({ answers, ...rest }: Listed) => ({ ...rest, responses: answers.filter((body) => body !== null) });
const bare = { wire: null, attempts: [], answers: [], request: null, received: null };

type Counts = Partial<Record<MessageState, number>>;
const everything = { filter: {}, before: Number.MAX_SAFE_INTEGER, after: 0 };
const onlyOneStep = () => false;
const inState = ({ terms = [] }: ListFilter, name: MessageState): ListFilter => ({
  terms: [...terms, { key: 'status', values: [name] }],
});
const sum = (counts: Counts): number => Object.values(counts).reduce((a, b) => a + b, 0);

const state = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<MessageState>('delivered', 'queued') },
  { weight: 4, arbitrary: fc.constantFrom(...MESSAGE_STATES) },
);
const status = fc.constantFrom(200, 204, 301, 410, 429, 499, 500, 503, 599, null);
const note = fc.constantFrom(...NOTE_CODES);
const reasonOf = (of: MessageState, i: number): string | null =>
  of === 'rejected'
    ? REJECT_REASONS[i % REJECT_REASONS.length]!
    : of === 'not_selected'
      ? NOT_SELECTED_REASONS[i % NOT_SELECTED_REASONS.length]!
      : null;

const bytes = fc.oneof(
  word.map((text) => Buffer.from(`\0${text}`)),
  fc.uint8Array({ maxLength: 4 }).map((some) => Buffer.from(some)),
);
const answer = fc.option(bytes);
/** About the spans of `took:` that the filters ask for, and about the index of slow attempts. */
const durationMs = fc.constantFrom(4.5, 5, 999.9, 1_000, 1_000.5, 4_000);

const drawn = fc.record({
  state,
  type: fc.constantFrom(...MESSAGE_TYPES),
  name: word,
  userId: fc.option(someId),
  anonymousId: fc.option(someId),
  messageId: word,
  sourceId: fc.option(fc.integer({ min: 1, max: 3 })),
  cells: fc.array(cell, { minLength: 5, maxLength: 5 }).map((cells) => cells.join('')),
  repeats: fc.nat({ max: 1 }),
  replays: fc.nat({ max: 1 }),
  notes: fc.array(fc.record({ code: note, detail: fc.oneof(word, note) }, { requiredKeys: ['code'] }), {
    maxLength: 2,
  }),
  wire: fc.option(body),
  receivedAt,
  reason: fc.nat(),
  attempts: fc.array(
    fc.record({
      slot: fc.integer({ min: 1, max: 3 }),
      status,
      durationMs,
      isReplay: fc.boolean(),
      isOpen: fc.boolean(),
      answer,
    }),
    {
      maxLength: 3,
    },
  ),
  received: fc.option(
    fc.record({ text: word, other: word, inBatch: fc.boolean(), encoding: fc.constantFrom('gzip', null) }),
  ),
  isThere: fc.boolean(),
});

type Drawn = typeof drawn extends fc.Arbitrary<infer Row> ? Row : never;

/** A request with the call, alone or as the second of a batch. */
function requestOf(id: number, drawnCall: Drawn['received']): Pick<Listed, 'request' | 'received'> {
  if (drawnCall === null) return { request: null, received: null };
  const { text, other, inBatch, encoding } = drawnCall;
  const call = `{"call" : ${JSON.stringify(text).replaceAll('é', '\\u00E9')}}`;
  const whole = inBatch ? `{"batch":[{"other":${JSON.stringify(other)}}, ${call}]}` : call;
  const request = requestRow(id, {
    path: inBatch ? '/v1/batch' : '/v1/track',
    body: encoding === 'gzip' ? gzipSync(whole, { level: 1 }) : Buffer.from(whole),
    encoding,
  });
  return { request, received: Buffer.from(call) };
}

function listedOf(rows: readonly Drawn[]): Listed[] {
  let attemptId = 0;
  return rows.flatMap(({ isThere, wire, attempts, reason, received, ...row }, i) => {
    if (!isThere) return [];
    const id = i + 1;
    return {
      message: messageRow(id, {
        ...row,
        reason: reasonOf(row.state, reason),
        position: received?.inBatch === true ? 1 : 0,
      }),
      ...requestOf(id, received),
      answers: attempts.map(({ answer: one, isOpen }) => (isOpen ? null : one)),
      wire: wire === null ? null : Buffer.from(wire),
      attempts: attempts.map(({ isReplay, isOpen, slot, status: answer, durationMs: took }) => {
        attemptId += 1;
        const ended = isOpen ? { outcome: null } : { status: answer, durationMs: took };
        return attemptRow(attemptId, id, { slot, replayId: isReplay ? 1 : null, ...ended });
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
    for (const { message, wire, attempts, answers, request } of all) {
      if (request !== null) store.arrange.request(request);
      store.arrange.message(message, wire);
      for (const [i, attempt] of attempts.entries()) store.arrange.attempt(attempt, answers[i]);
    }
  }
  const put = (...ids: number[]): void => fill(ids.map((id) => ({ ...bare, message: messageRow(id) })));
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

  /** All steps of a count of values that stops after each, added. Events that differ in case are one. */
  function wholeValues(key: CountedKey, of: ListFilter, before: number, after: number, most = 1_000) {
    const all = new Map<string, { value: string; n: number }>();
    for (let top = before; ; ) {
      const step = store.lists.values({ key, filter: of, before: top, after, most, keepGoing: onlyOneStep });
      for (const [value, n] of step.counts) {
        const name = key === 'event' ? folded(value) : value;
        all.set(name, { value, n: n + (all.get(name)?.n ?? 0) });
      }
      if (!step.more) return [...all.values()];
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

  describe('a text', () => {
    const found = (text: string): number[] => allPages({ terms: [{ key: 'text', values: [text] }] }, 100, 0, 10);
    const named = (id: number, position = 0): MessageRecord =>
      messageRow(id, { name: '', messageId: '', userId: null, requestId: 1, position });

    test('in one call of a batch finds its message alone, also after a call was taken out', () => {
      const put = (body: string): void => {
        store.arrange.clear();
        store.arrange.request(requestRow(1, { path: '/v1/batch', body: Buffer.from(body) }));
        for (const id of [1, 2, 3]) store.arrange.message(named(id, id - 1));
      };
      put('{"batch":[{"a":"Ünique one"},{"a":"two"},{"a":"three"}],"sentAt":"later"}');
      const texts = ['ünique', 'Ünique ONE', '"two"', '"A"', 'later'];
      expect(texts.map(found)).toEqual([[], [1], [2], [3, 2, 1], []]);
      put('{"batch":[null,{"a":"two"},{"a":"three"}],"sentAt":"later"}');
      expect(['Ünique', 'three'].map(found)).toEqual([[], [3]]);
    });

    test('in a batch that was refused as a whole finds its message, wherever it stands', () => {
      const body = Buffer.from('{"batch":[{"a":"first"}],"sentAt":"last');
      store.arrange.request(requestRow(1, { path: '/v1/batch', body, code: 'invalid_json' }));
      store.arrange.message(named(1));
      expect(['first', '"last', 'absent'].map(found)).toEqual([[1], [1], []]);
    });

    test('in the query of a pixel, and in a body that is no JSON or of an unknown encoding, finds the message', () => {
      const data = Buffer.from('{"event":"Hidden"}').toString('base64');
      const over = [
        { path: `/v1/pixel/track?data=${data}`, body: Buffer.of() },
        { body: Buffer.from('not Hidden') },
        { body: Buffer.from('hidden too'), encoding: 'br' },
      ];
      for (const [i, one] of over.entries()) {
        store.arrange.request(requestRow(i + 1, one));
        store.arrange.message({ ...named(i + 1), requestId: i + 1 });
      }
      expect(found('hidden')).toEqual([3, 2, 1]);
    });

    test.each([
      ['said "hi"', [3, 2, 1]],
      [String.raw`said \"hi\"`, [3, 2, 1]],
      ['c:\\temp', [3, 2, 1]],
      ['temp\nand', [3, 2, 1]],
      ['Zoë', [3, 2, 1]],
      ['zoÉ', []],
      ['said "ho"', []],
    ])('%j is found in a delivered body, a received call and a response, though JSON escapes it', (text, ids) => {
      const body = Buffer.from(JSON.stringify('He said "hi" to C:\\temp\nand Zoë').replace('ë', '\\u00eb'));
      fill([{ ...bare, message: named(1), wire: body }]);
      store.arrange.request(requestRow(2, { body }));
      for (const id of [2, 3]) store.arrange.message({ ...named(id), requestId: id });
      store.arrange.attempt(attemptRow(1, 3), body);
      expect(found(text)).toEqual(ids);
    });

    test('in a response to a replay finds the message, whatever other bytes are in it', () => {
      store.arrange.message(named(1));
      store.arrange.attempt(attemptRow(1, 1), Buffer.from('first'));
      store.arrange.attempt(attemptRow(2, 1, { replayId: 1 }), Buffer.from([0xff, 0, ...Buffer.from('Second'), 0xfe]));
      store.arrange.attempt(attemptRow(3, 1, { outcome: null }));
      expect(['FIRST', 'second', 'third'].map(found)).toEqual([[1], [1], []]);
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
