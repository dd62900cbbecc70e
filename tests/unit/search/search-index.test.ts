/** Whatever is stored, answered, removed and saved: nothing that a look at every message finds is left out. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { SEGMENT_IDS } from '../../../src/core/search/segment.ts';
import { idsLeft, LONG, SearchRows, SHORT } from '../../helpers/search-rows.ts';

/** Characters of JSON, of SQL and of the search languages of others, letters in both cases, and more than one byte. */
const units = [...'abAB19"\'%_\\*-:(){}.^ éÄ€ß漢😀', '\\u00e9', '\\n'];
const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 9 });
const bytes = fc.oneof(
  text.map((one) => Buffer.from(`xx${one}yy`)),
  fc.uint8Array({ maxLength: 8 }).map((one) => Buffer.from(one)),
);
const part = fc.tuple(fc.nat(), fc.nat(12), fc.nat(12));

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('put' as const), name: text, userId: text, wire: text, received: bytes }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('skip' as const), ids: fc.constantFrom(10, 60, SEGMENT_IDS - 90) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('try' as const), at: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), at: fc.nat(), body: bytes }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('work' as const), long: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tidy' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('save' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), saves: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('find' as const), of: part, other: text }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

class World {
  readonly rows = new SearchRows();
  index = this.rows.index();
  readonly #open: Array<{ attempt: number; messageId: number }> = [];
  #next = 1;

  #anId(at: number): number | undefined {
    const ids = [...this.rows.texts.keys()];
    return ids[at % Math.max(1, ids.length)];
  }

  run(one: Step): void {
    const { rows, index } = this;
    switch (one.do) {
      case 'put':
        // Enough of them that whole blocks go in.
        for (let n = 0; n < 9; n += 1) rows.put(this.#next++, n === 4 ? one : {});
        index.stored(rows.newest);
        break;
      case 'skip':
        this.#next += one.ids;
        break;
      case 'try': {
        const messageId = this.#anId(one.at);
        if (messageId !== undefined) this.#open.push({ attempt: rows.attempt(messageId), messageId });
        break;
      }
      case 'answer': {
        const [open] = this.#open.splice(one.at % Math.max(1, this.#open.length), 1);
        if (open !== undefined) rows.answer(open.attempt, open.messageId, one.body);
        break;
      }
      case 'work':
        index.work(one.long ? LONG : SHORT);
        break;
      case 'remove': {
        const id = this.#anId(one.at);
        // The newest row always stays.
        if (id === undefined || id === rows.newest) break;
        rows.remove(id);
        index.remove([id]);
        for (const [i, open] of [...this.#open.entries()].reverse()) if (open.messageId === id) this.#open.splice(i, 1);
        break;
      }
      case 'tidy':
        index.tidy(LONG);
        break;
      case 'save':
        index.save();
        break;
      case 'restart':
        if (one.saves) index.save();
        this.index = rows.index();
        break;
      case 'find':
        this.#find(one);
    }
  }

  /** Asks for a part of a stored text, so that it is often there, and for any other text. */
  #find({ of: [at, from, length], other }: Extract<Step, { do: 'find' }>): void {
    const id = this.#anId(at);
    const texts = id === undefined ? [] : this.rows.texts.get(id)!;
    const stored = [...(texts[at % Math.max(1, texts.length)] ?? '')].slice(from % 6, (from % 6) + length).join('');
    for (const sought of [[stored], [other], [stored, other]]) {
      if (sought.includes('')) continue;
      const left = idsLeft(this.index, this.rows, ...sought);
      if (left === null) continue;
      expect(left).toEqual([...new Set(left)].sort((a, b) => b - a));
      expect(left).toEqual(expect.arrayContaining(this.rows.with(...sought)));
    }
  }
}

test('every message that holds the texts is left to be read, whatever happened before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const world = new World();
      for (const one of steps) world.run(one);
    }),
    { numRuns: 25 },
  );
});

/** Different letters for each number. */
const word = (n: number): string => (Math.imul(n, 0x9e3779b1) >>> 0).toString(36);

/** Messages with words of their own in their bodies, from id 1 on. */
function filled(count: number): SearchRows {
  const rows = new SearchRows();
  rows.db.transaction(() => {
    for (let id = 1; id <= count; id += 1) rows.put(id, { wire: `{"userId":"usr-${word(id)}","event":"Seen"}` });
  })();
  return rows;
}

test('responses that come later are taken in, 64 attempts at a time, down to three bytes', () => {
  const rows = filled(3 * 64);
  const index = rows.index();
  index.work(LONG);
  const responses = Array.from({ length: 200 }, (_, n) => (n === 150 ? 'qx7' : `answer ${word(n)} ${word(n + 1)}`));
  for (const [n, response] of responses.entries()) {
    const messageId = 1 + (n % 192);
    rows.answer(rows.attempt(messageId), messageId, response);
  }
  let steps = 1;
  while (index.work(SHORT)) steps += 1;
  expect(steps).toBe(5);
  for (const [n, response] of responses.entries()) expect(idsLeft(index, rows, response)).toContain(1 + (n % 192));
});

describe('a search', () => {
  test('leaves the blocks of the message that holds a rare text, and nothing for an absent one', () => {
    const rows = filled(3 * 64 + 10);
    const index = rows.index();
    index.work(LONG);
    expect(idsLeft(index, rows, 'not to be found')).toEqual(rows.with('usr').filter((id) => id >= 192));
    const rare = idsLeft(index, rows, `usr-${word(100)}`)!;
    expect(rare).toContain(100);
    expect(rare.filter((id) => id < 192)).toHaveLength(64);
  });

  test('reads one part of each segment once it knows which bit of an absent text is rare', () => {
    const rows = new SearchRows();
    const segments = [0, 1, 2, 3, 4];
    for (const segment of segments) rows.put(segment * SEGMENT_IDS + 10, { name: 'Alpha beta' });
    rows.put(segments.length * SEGMENT_IDS + 100, {});
    const read: number[] = [];
    const index = rows.index((file) =>
      Object.assign(Object.create(file), {
        marks: () => file.marks(),
        counts: () => file.counts(),
        blocks: () => file.blocks(),
        bytes: () => file.bytes(),
        save: (batch: Parameters<typeof file.save>[0]) => file.save(batch),
        part: (segment: number, part: number) => {
          read.push(segment);
          return file.part(segment, part);
        },
      }),
    );
    index.work(LONG);
    index.save();
    expect(idsLeft(index, rows, 'alpha betz')!.filter((id) => id < segments.length * SEGMENT_IDS)).toEqual([]);
    const times = segments.map((segment) => read.filter((one) => one === segment).length);
    expect(times.slice(0, -1)).toEqual([1, 1, 1, 1]);
    expect(times.at(-1)).toBeGreaterThan(1);
  });

  test('of a text below three bytes has to read everything', () => {
    const rows = filled(70);
    expect(idsLeft(rows.index(), rows, 'us')).toBeNull();
    expect(idsLeft(rows.index(), rows, '漢')).not.toBeNull();
  });

  test('finds a text in a body, a received call and a response that escape it', () => {
    const rows = new SearchRows();
    const body = JSON.stringify('He said "hi" to Zoë').replace('ë', '\\u00eb');
    rows.put(1, { wire: body });
    rows.put(64, { received: body });
    rows.put(128, {});
    rows.put(200, {});
    const index = rows.index();
    index.work(LONG);
    rows.answer(rows.attempt(128), 128, body);
    index.work(LONG);
    for (const text of ['said "hi"', 'Zoë', String.raw`said \"hi`]) {
      const left = idsLeft(index, rows, text)!;
      expect(left).toEqual(expect.arrayContaining([1, 64, 128]));
    }
    expect(idsLeft(index, rows, 'said "ho"')!.filter((id) => id < 192)).toEqual([]);
  });

  test('stops after enough blocks and says how far it came', () => {
    const rows = new SearchRows();
    for (const id of [10, SEGMENT_IDS + 10, 2 * SEGMENT_IDS + 10, 2 * SEGMENT_IDS + 100])
      rows.put(id, { name: 'Alpha' });
    const index = rows.index();
    index.work(LONG);
    const first = index.find({ texts: ['alpha'], before: 2 * SEGMENT_IDS + 101, after: 0, most: 1 })!;
    expect(first.searchedTo).toBe(2 * SEGMENT_IDS + 64);
    const second = index.find({ texts: ['alpha'], before: first.searchedTo, after: 0, most: 1 })!;
    expect(second).toEqual({
      ranges: [{ top: 2 * SEGMENT_IDS + 64, bottom: 2 * SEGMENT_IDS }],
      searchedTo: 2 * SEGMENT_IDS,
    });
    const rest = index.find({ texts: ['alpha'], before: second.searchedTo, after: 20, most: 9 })!;
    expect(rest).toEqual({
      ranges: [
        { top: SEGMENT_IDS + 64, bottom: SEGMENT_IDS },
        { top: 64, bottom: 21 },
      ],
      searchedTo: 21,
    });
  });

  test('finds what was received under gzip, and of a batch only the own call', () => {
    const rows = new SearchRows();
    rows.request(1, '/v1/batch', gzipSync('{"batch":[{"a":"first one"},null,{"a":"third one"}]}'), {
      encoding: 'gzip',
    });
    rows.putInBatch(1, 1, 0);
    rows.putInBatch(64, 1, 2);
    rows.put(200, {});
    const index = rows.index();
    index.work(LONG);
    const below128 = (part: string): boolean[] => [1, 64].map((id) => idsLeft(index, rows, part)!.includes(id));
    expect(below128('FIRST one')).toEqual([true, false]);
    expect(below128('third one')).toEqual([false, true]);
  });
});

test.each([
  ['a finished segment', 70],
  ['the newest segment', SEGMENT_IDS + 70],
])('a response to a message of %s is found from the moment at which it is stored', (_, id) => {
  const rows = new SearchRows();
  rows.put(1, {});
  rows.put(id, { name: 'early' });
  rows.put(SEGMENT_IDS + 640, { name: 'newest' });
  const index = rows.index();
  index.work(LONG);
  const first = rows.attempt(id);
  const second = rows.attempt(id);
  const blocks = (part: string) =>
    idsLeft(index, rows, part)!.filter((one) => one % 64 === 0 && one < SEGMENT_IDS + 640);
  const block = [id - 6];
  rows.answer(second, id, 'Answer of the second');
  index.work(LONG);
  expect(blocks('of the second')).toEqual(block);
  rows.answer(first, id, 'Answer of the first');
  expect(blocks('of the first')).toEqual(block);
  index.work(LONG);
  expect(blocks('of the first')).toEqual(block);
  expect(blocks('of the second')).toEqual(block);
  expect(blocks('of no attempt')).toEqual([]);
  index.save();
  const again = idsLeft(rows.index(), rows, 'answer of the second')!;
  expect(again).toContain(id);
});

test('segments keep nothing of each other, whether they were saved or not', () => {
  const rows = new SearchRows();
  const texts = ['only in the first', 'only in the second', 'only in the third'];
  rows.put(1, { name: 'oldest' });
  for (const [segment, wire] of texts.entries()) rows.put(segment * SEGMENT_IDS + 70, { wire });
  const newest = 2 * SEGMENT_IDS + 128;
  rows.put(newest, { name: 'newest' });
  const index = rows.index();
  index.work(LONG);
  const blocksOf = (asked: typeof index): number[][] =>
    texts.map((one) => idsLeft(asked, rows, one)!.filter((id) => id < newest && id % 64 === 0));
  const own = texts.map((_, segment) => [segment * SEGMENT_IDS + 64]);
  expect(blocksOf(index)).toEqual(own);
  index.save();
  expect(blocksOf(index)).toEqual(own);
  expect(blocksOf(rows.index())).toEqual(own);
});

test.each([0, 3, 8_188, 8_196])('a stored block of %d bytes is not taken for one', (length) => {
  const rows = filled(3 * 64);
  const index = rows.index();
  index.work(LONG);
  index.save();
  const file = rows.stores.openFile();
  const [block] = file.blocks();
  const marks = file.marks()!;
  const damaged = [{ block: block!.block, signature: new Uint8Array(length) }];
  file.save({ marks, blocks: damaged, counts: [], parts: [], dropBlocks: 0, dropSegments: 0 });
  file.close();
  expect(() => rows.index()).toThrow(`Block ${block!.block} has ${length} bytes.`);
});

describe('removed messages', () => {
  const SECRET = 'somebody@example.org';
  /** Blocks of which the index believes that they hold the text. */
  const believed = (rows: SearchRows, index: ReturnType<SearchRows['index']>): number[] =>
    idsLeft(index, rows, SECRET)!.filter((id) => id < 2 * SEGMENT_IDS && id % 64 === 0);

  function withSecrets(): { rows: SearchRows; index: ReturnType<SearchRows['index']> } {
    const rows = new SearchRows();
    rows.put(1, { name: 'stays' });
    rows.put(70, { wire: SECRET });
    rows.put(71, { name: 'stays' });
    rows.put(SEGMENT_IDS + 70, { received: SECRET });
    rows.put(2 * SEGMENT_IDS, { name: 'newest' });
    const index = rows.index();
    index.work(LONG);
    return { rows, index };
  }

  test('leave the index, in finished segments and in the newest one', () => {
    const { rows, index } = withSecrets();
    expect(believed(rows, index)).toEqual([SEGMENT_IDS + 64, 64]);
    for (const id of [70, SEGMENT_IDS + 70]) rows.remove(id);
    index.remove([70, SEGMENT_IDS + 70]);
    index.tidy(LONG);
    expect(believed(rows, index)).toEqual([]);
    index.save();
    expect(believed(rows, rows.index())).toEqual([]);
  });

  test('are found by a look at the counts, when nobody told', () => {
    const { rows, index } = withSecrets();
    index.save();
    const texts = vi.spyOn(rows.stores.source, 'texts');
    for (let segment: number | null = 0; segment !== null; ) segment = index.compare(segment);
    index.tidy(LONG);
    expect(texts).not.toHaveBeenCalled();
    for (const id of [70, SEGMENT_IDS + 70]) rows.remove(id);
    const again = rows.index();
    expect(believed(rows, again)).toHaveLength(2);
    for (let segment: number | null = 0; segment !== null; ) segment = again.compare(segment);
    again.tidy(LONG);
    expect(believed(rows, again)).toEqual([]);
  });

  test('take their segment with them when no message of it is left', () => {
    const { rows, index } = withSecrets();
    index.save();
    const before = index.progress.indexed;
    for (const id of [1, 70, 71]) rows.remove(id);
    index.tidy(LONG);
    index.save();
    expect(before - index.progress.indexed).toBe(3);
    const file = rows.stores.openFile();
    expect(file.part(0, 0)).toBeUndefined();
    expect(file.part(1, 0)).toBeDefined();
    file.close();
  });
});
