import { beforeEach, describe, expect, test } from 'vitest';
import { Feed, type Pending } from '../../../src/core/serving/feed.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

interface Batch {
  seq: number;
  messages: number[];
  removed: number[];
  parts: string[];
  reset: boolean;
  at: number;
}

/** A reader that remembers, and takes each batch at once or when it is told to. */
class Reader {
  readonly batches: Batch[] = [];
  slow = false;
  gone = false;
  #taken: (() => void) | null = null;

  take({ messages, removed, parts, ...rest }: Pending): Promise<void> {
    if (this.gone) return Promise.reject(new Error('closed'));
    this.batches.push({
      ...rest,
      messages: [...messages],
      removed: [...removed],
      parts: [...parts],
      at: time.mono(),
    });
    if (!this.slow) return Promise.resolve();
    return new Promise((resolve) => {
      this.#taken = resolve;
    });
  }

  taken(): void {
    this.#taken!();
  }
}

let time: SimTime;
let feed: Feed;
let reader: Reader;

beforeEach(() => {
  time = new SimTime();
  feed = new Feed(time, time);
  reader = new Reader();
});

function commit(...ids: number[]): void {
  const changes = new Changes();
  for (const id of ids) changes.messages.add(id);
  feed.committed(changes);
}

const range = (from: number, n: number): number[] => Array.from({ length: n }, (_, i) => from + i);

describe('batches', () => {
  test('the first comes at once, then at most one each 100 ms', async () => {
    feed.subscribe(reader, null);
    for (let i = 1; i <= 100; i++) {
      commit(i);
      await time.advance(10);
    }
    await time.advance(1_000);
    const times = reader.batches.map(({ at }) => at);
    expect(times[0]).toBe(0);
    for (const [i, at] of times.slice(1).entries()) expect(at - times[i]!).toBeGreaterThanOrEqual(100);
    expect(times).toHaveLength(11);
    expect(reader.batches.flatMap(({ messages }) => messages)).toEqual(range(1, 100));
    expect(reader.batches.at(-1)!.seq).toBe(100);
  });

  test('a change after silence is told at once', async () => {
    feed.subscribe(reader, null);
    commit(1);
    await time.advance(5_000);
    commit(2);
    await time.advance(0);
    expect(reader.batches.map(({ at }) => at)).toEqual([0, 5_000]);
  });

  test('what changed many times is in a batch once', async () => {
    feed.subscribe(reader, null);
    commit(1);
    await time.advance(1);
    for (let i = 0; i < 50; i++) commit(7, 8);
    const removal = new Changes();
    removal.removedMessage(9, 'rejected');
    feed.committed(removal);
    feed.touch('sources');
    feed.touch('sources');
    await time.advance(100);
    expect(reader.batches).toHaveLength(2);
    expect(reader.batches[1]).toMatchObject({
      messages: [7, 8],
      removed: [9],
      parts: ['status', 'sources'],
      reset: false,
      seq: 52,
    });
  });

  test('nothing changed, nothing told', async () => {
    feed.subscribe(reader, null);
    feed.committed(new Changes());
    await time.advance(1_000);
    expect(reader.batches).toEqual([]);
    expect(feed.seq).toBe(0);
  });

  test('a hidden window gets one each 500 ms', async () => {
    const { subscription } = feed.subscribe(reader, null);
    subscription.setHidden(true);
    for (let i = 1; i <= 100; i++) {
      commit(i);
      await time.advance(10);
    }
    await time.advance(1_000);
    expect(reader.batches.map(({ at }) => at)).toEqual([0, 500, 1_000]);
  });

  test('never a second one before the first was taken; then everything since in one', async () => {
    feed.subscribe(reader, null);
    reader.slow = true;
    commit(1);
    await time.advance(0);
    commit(2);
    commit(3);
    await time.advance(10_000);
    expect(reader.batches).toHaveLength(1);
    reader.slow = false;
    reader.taken();
    await time.advance(0);
    expect(reader.batches).toHaveLength(2);
    expect(reader.batches[1]!.messages).toEqual([2, 3]);
  });

  test('more than 1,000 messages are a reset without rows, and the next batch is an ordinary one', async () => {
    feed.subscribe(reader, null);
    commit(...range(1, 1_000));
    await time.advance(0);
    expect(reader.batches[0]).toMatchObject({ reset: false });
    expect(reader.batches[0]!.messages).toHaveLength(1_000);
    commit(...range(1, 600));
    commit(...range(601, 401));
    feed.touch('clock');
    commit(5);
    await time.advance(100);
    expect(reader.batches[1]).toMatchObject({ reset: true, messages: [], removed: [], parts: ['status', 'clock'] });
    commit(6);
    await time.advance(100);
    expect(reader.batches[2]).toMatchObject({ reset: false, messages: [6] });
  });

  test('a slow reader costs no more than one reset', async () => {
    feed.subscribe(reader, null);
    reader.slow = true;
    commit(1);
    await time.advance(0);
    for (let i = 0; i < 100; i++) commit(...range(i * 100, 100));
    reader.slow = false;
    reader.taken();
    await time.advance(100);
    expect(reader.batches).toHaveLength(2);
    expect(reader.batches[1]).toMatchObject({ reset: true, messages: [] });
  });

  test('a batch names the parts that changed and no other, and a part raises no seq', async () => {
    feed.subscribe(reader, null);
    feed.touch('webhooks');
    await time.advance(0);
    expect(reader.batches).toEqual([{ seq: 0, messages: [], removed: [], parts: ['webhooks'], reset: false, at: 0 }]);
    feed.touch('status');
    await time.advance(100);
    expect(reader.batches[1]).toMatchObject({ parts: ['status'], messages: [] });
  });

  test('a commit that changes messages changes the status too', async () => {
    feed.subscribe(reader, null);
    commit(1);
    await time.advance(0);
    expect(reader.batches[0]).toMatchObject({ parts: ['status'], messages: [1] });
  });
});

describe('readers', () => {
  test('every reader gets its own batches', async () => {
    const other = new Reader();
    feed.subscribe(reader, null);
    commit(1);
    await time.advance(100);
    feed.subscribe(other, null);
    commit(2);
    await time.advance(100);
    expect(reader.batches.map(({ messages }) => messages)).toEqual([[1], [2]]);
    expect(other.batches.map(({ messages }) => messages)).toEqual([[2]]);
  });

  test('a reader that is gone is forgotten, and the others go on', async () => {
    const other = new Reader();
    feed.subscribe(reader, null);
    feed.subscribe(other, null);
    reader.gone = true;
    commit(1);
    await time.advance(100);
    commit(2);
    await time.advance(1_000);
    expect(other.batches.flatMap(({ messages }) => messages)).toEqual([1, 2]);
    expect(time.pending).toBe(0);
    reader.gone = false;
    commit(3);
    await time.advance(1_000);
    expect(reader.batches).toEqual([]);
  });

  test('a closed subscription gets nothing any more, not even what was planned', async () => {
    const { subscription } = feed.subscribe(reader, null);
    commit(1);
    subscription.close();
    await time.advance(1_000);
    commit(2);
    await time.advance(1_000);
    expect(reader.batches).toEqual([]);
    expect(time.pending).toBe(0);
  });

  test('close forgets them all', async () => {
    feed.subscribe(reader, null);
    commit(1);
    feed.close();
    await time.advance(1_000);
    expect(reader.batches).toEqual([]);
  });
});

describe('coming back', () => {
  test('gives exactly the difference, as a batch', async () => {
    for (let i = 1; i <= 10; i++) commit(i, 100);
    const removal = new Changes();
    removal.removedMessage(3, 'rejected');
    feed.committed(removal);
    feed.touch('webhooks');
    const { resumed } = feed.subscribe(reader, 7);
    expect(resumed).toBe(true);
    await time.advance(0);
    expect(reader.batches).toEqual([
      { seq: 11, messages: [8, 100, 9, 10], removed: [3], parts: ['status'], reset: false, at: 0 },
    ]);
  });

  test('from the present is no difference', async () => {
    for (let i = 1; i <= 10; i++) commit(i);
    expect(feed.subscribe(reader, 10).resumed).toBe(true);
    await time.advance(1_000);
    expect(reader.batches).toEqual([]);
  });

  test('from the start of a feed that forgot nothing works', async () => {
    expect(feed.subscribe(new Reader(), 0).resumed).toBe(true);
    commit(1);
    expect(feed.subscribe(reader, 0).resumed).toBe(true);
    await time.advance(0);
    expect(reader.batches[0]!.messages).toEqual([1]);
  });

  test('without a seq, or with one of a future that never was, it is not a resumption', () => {
    commit(1);
    expect(feed.subscribe(reader, null).resumed).toBe(false);
    expect(feed.subscribe(reader, 2).resumed).toBe(false);
    expect(feed.subscribe(reader, -5).resumed).toBe(false);
  });

  test('after more than is remembered it is not, and just within it is', async () => {
    for (let i = 1; i <= 12_000; i++) commit(i);
    expect(feed.subscribe(new Reader(), 1_000).resumed).toBe(false);
    expect(feed.subscribe(new Reader(), 1_999).resumed).toBe(false);
    expect(feed.subscribe(reader, 2_000).resumed).toBe(true);
    await time.advance(0);
    expect(reader.batches[0]).toMatchObject({ reset: true, seq: 12_000 });
    expect(feed.subscribe(new Reader(), 11_500).resumed).toBe(true);
  });

  test('a single change that is larger than all that is remembered does no harm', () => {
    commit(...range(1, 30_000));
    expect(feed.subscribe(reader, 0).resumed).toBe(false);
    expect(feed.subscribe(reader, 1).resumed).toBe(true);
    commit(1);
    expect(feed.subscribe(reader, 1).resumed).toBe(true);
  });

  test('a message that was removed and whose id came again is not told as removed', async () => {
    feed.subscribe(reader, null);
    commit(1);
    await time.advance(0);
    const removal = new Changes();
    removal.removedMessage(7, 'rejected');
    feed.committed(removal);
    commit(7);
    await time.advance(100);
    expect(reader.batches[1]).toMatchObject({ messages: [7], removed: [] });
  });
});
