import { beforeEach, describe, expect, test } from 'vitest';
import { DueQueue } from '../../../src/core/delivery/due-queue.ts';
import { RetryClock } from '../../../src/core/delivery/retry-clock.ts';
import type { Claim, Claimed, DueMessage } from '../../../src/core/store/ports/due.ts';
import { dueMessage } from '../../helpers/due-message.ts';
import { SIM_START, SimTime } from '../../helpers/sim-ports.ts';

const message = (id: number, nextDueAt: number): DueMessage => dueMessage(id, { nextDueAt });

/** The table in memory, in the order of its index. */
class Table {
  rows: DueMessage[] = [];
  reads = 0;
  fault: Error | null = null;

  put(...rows: DueMessage[]): void {
    this.rows.push(...rows);
    this.rows.sort((a, b) => a.nextDueAt - b.nextDueAt || a.id - b.id);
  }

  async claim({ until, after, limit }: Claim): Promise<Claimed> {
    this.reads += 1;
    if (this.fault !== null) throw this.fault;
    const isBehind = ({ nextDueAt, id }: DueMessage): boolean =>
      nextDueAt > after.dueAt || (nextDueAt === after.dueAt && id > after.id);
    const messages = this.rows.filter((row) => row.nextDueAt <= until && isBehind(row)).slice(0, limit);
    const later = this.rows.find((row) => row.nextDueAt > until)?.nextDueAt ?? null;
    return { messages, nextDueAt: messages.length < limit ? later : null };
  }
}

let time: SimTime;
let table: Table;
let active: Set<number>;
let wakes: number;
let failures: unknown[];
let clock: RetryClock;
let queue: DueQueue;

beforeEach(() => {
  time = new SimTime();
  table = new Table();
  active = new Set();
  wakes = 0;
  clock = new RetryClock(time);
  failures = [];
  queue = new DueQueue({
    store: table,
    clock,
    timers: time,
    isTaken: (id) => active.has(id),
    wake: () => {
      wakes += 1;
    },
    claimFailed: (error) => void failures.push(error),
  });
});

/** The next message, when need be after a claim. */
async function take(): Promise<DueMessage | undefined> {
  const next = queue.take();
  if (next !== undefined) return next;
  await time.settle();
  return queue.take();
}

/** Takes everything; what is taken leaves the table, as a settled message does. */
async function drain(): Promise<number[]> {
  const taken: number[] = [];
  for (let next = await take(); next !== undefined; next = await take()) {
    taken.push(next.id);
    table.rows = table.rows.filter(({ id }) => id !== next.id);
  }
  return taken;
}

const commit = (row: DueMessage): void => {
  table.put(row);
  queue.offer(row);
};

describe('what is due', () => {
  test('is given in the order of due time, and once', async () => {
    table.put(message(1, SIM_START - 1), message(2, SIM_START - 5), message(3, SIM_START), message(4, SIM_START + 1));
    expect(await drain()).toEqual([2, 1, 3]);
    expect(await drain()).toEqual([]);
    expect(table.reads).toBe(1);
  });

  test('what is offered after the table was read needs no reading', async () => {
    await drain();
    const { reads } = table;
    commit(message(1, SIM_START));
    commit(message(2, SIM_START));
    expect(await drain()).toEqual([1, 2]);
    expect(table.reads).toBe(reads);
  });

  test('a message with a round under way is not given', async () => {
    table.put(message(1, SIM_START), message(2, SIM_START));
    active.add(1);
    expect(await drain()).toEqual([2]);
    active.clear();
    queue.refresh();
    expect(await drain()).toEqual([1]);
  });

  test('a message whose round began after it was read is not given', async () => {
    table.put(message(1, SIM_START), message(2, SIM_START), message(3, SIM_START));
    await take();
    active.add(2);
    expect((await take())!.id).toBe(3);
  });

  test('a message that was removed is not given', async () => {
    await drain();
    commit(message(1, SIM_START));
    queue.remove(1);
    expect(await take()).toBeUndefined();
  });
});

describe('nothing is due before a message that comes now', () => {
  test('only once all that is due was read and taken', async () => {
    table.put(message(1, SIM_START));
    expect(queue.isEmpty).toBe(false);
    expect((await take())!.id).toBe(1);
    expect(queue.isEmpty).toBe(true);
  });

  test('not while one is ready', async () => {
    await drain();
    commit(message(1, SIM_START));
    expect(queue.isEmpty).toBe(false);
    queue.take();
    expect(queue.isEmpty).toBe(true);
  });

  test('not while the store is asked again, with none ready', async () => {
    await drain();
    queue.refresh();
    expect([queue.size, queue.isEmpty]).toEqual([0, false]);
  });
});

describe('a backlog', () => {
  test('of any size is read in parts, in order, and never fills the memory', async () => {
    for (let id = 1; id <= 10_000; id++) table.rows.push(message(id, SIM_START - 10_000 + id));
    const taken: number[] = [];
    let most = 0;
    for (let next = await take(); next !== undefined; next = await take()) {
      taken.push(next.id);
      most = Math.max(most, queue.size);
    }
    expect(taken).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 1));
    expect(most).toBeLessThanOrEqual(2_000);
    expect(table.reads).toBe(40);
  });

  test('that comes in faster than it is taken stays in the table, and nothing is lost', async () => {
    await drain();
    for (let id = 1; id <= 5_000; id++) commit(message(id, SIM_START + Math.floor(id / 100) - 50));
    expect(queue.size).toBe(2_000);
    expect(await drain()).toEqual(Array.from({ length: 5_000 }, (_, i) => i + 1));
    commit(message(6_000, SIM_START));
    expect(await drain()).toEqual([6_000]);
  });

  test('is read further once less than 128 are ready, by one claim at a time', async () => {
    for (let id = 1; id <= 3_000; id++) table.rows.push(message(id, SIM_START));
    queue.take();
    queue.take();
    expect(table.reads).toBe(1);
    await time.settle();
    for (let n = 1; n <= 129; n++) queue.take();
    expect([table.reads, queue.size]).toEqual([1, 127]);
    queue.take();
    queue.take();
    expect(table.reads).toBe(2);
  });

  test('many messages of one due time are all read', async () => {
    for (let id = 1; id <= 3_000; id++) table.rows.push(message(id, SIM_START));
    expect(await drain()).toHaveLength(3_000);
  });

  test('what is committed with a due time that the sweep has passed is read as well', async () => {
    for (let id = 1; id <= 1_000; id++) table.rows.push(message(id, SIM_START - 10));
    await take();
    commit(message(2_000, SIM_START - 20));
    expect(await drain()).toContain(2_000);
  });

  test('that is being read goes on where it stands when something later is committed', async () => {
    for (let id = 1; id <= 1_500; id++) table.rows.push(message(id, SIM_START - 10));
    await take();
    expect(time.pending).toBe(0);
    commit(message(2_000, SIM_START - 10));
    commit(message(2_001, SIM_START));
    expect(await drain()).toHaveLength(1_501);
    expect(table.reads).toBe(6);
  });

  test('that is being read arms no timer: what comes later is looked for once all of it was read', async () => {
    for (let id = 1; id <= 1_500; id++) table.rows.push(message(id, SIM_START - 10));
    table.put(message(2_000, SIM_START + 5_000));
    await take();
    expect(time.pending).toBe(0);
    await drain();
    expect(time.pending).toBe(1);
  });

  test('of messages under way is passed over at once', async () => {
    for (let id = 1; id <= 4_000; id++) {
      table.rows.push(message(id, SIM_START));
      active.add(id);
    }
    table.put(message(4_001, SIM_START));
    expect((await take())!.id).toBe(4_001);
  });
});

describe('the timer', () => {
  test('wakes when the next message is due', async () => {
    table.put(message(1, SIM_START + 4_000));
    expect(await drain()).toEqual([]);
    wakes = 0;
    await time.advance(3_999);
    expect(wakes).toBe(0);
    await time.advance(1);
    expect(wakes).toBe(1);
    expect(await drain()).toEqual([1]);
    expect(time.pending).toBe(0);
  });

  test('is never trusted for longer than 15 s', async () => {
    table.put(message(1, SIM_START + 3_600_000));
    await drain();
    time.jumpWall(3_600_000);
    await time.advance(15_000);
    expect(await drain()).toEqual([1]);
  });

  test('comes sooner when something sooner is expected, and not later', async () => {
    table.put(message(1, SIM_START + 10_000));
    await drain();
    table.put(message(2, SIM_START + 2_000));
    queue.expect(SIM_START + 2_000);
    queue.expect(SIM_START + 9_000);
    await time.advance(2_000);
    expect(await drain()).toEqual([2]);
    await time.advance(8_000);
    expect(await drain()).toEqual([1]);
  });

  test.each([SIM_START, SIM_START - 5])('what is expected now or before is read at once: %d', async (dueAt) => {
    await drain();
    table.put(message(1, dueAt));
    wakes = 0;
    queue.expect(dueAt);
    expect(wakes).toBe(1);
    expect(await drain()).toEqual([1]);
  });

  test('that has run gives way to a later one', async () => {
    await drain();
    table.put(message(1, SIM_START + 1_000), message(2, SIM_START + 3_000));
    wakes = 0;
    queue.expect(SIM_START + 1_000);
    await time.advance(1_000);
    queue.expect(SIM_START + 3_000);
    await time.advance(2_000);
    expect(wakes).toBe(2);
  });

  test('a stop needs none, and forgets what is ready', async () => {
    await drain();
    commit(message(1, SIM_START));
    queue.stop();
    expect(queue.size).toBe(0);
    expect(time.pending).toBe(0);
  });

  test('runs in the time of the retry clock, also after its speed changed', async () => {
    table.put(message(1, SIM_START + 10_000));
    await drain();
    clock.setSpeed(10);
    queue.refresh();
    await drain();
    await time.advance(1_000);
    expect(await drain()).toEqual([1]);
  });

  test('there is one timer at most, and none after stop', async () => {
    for (let i = 0; i < 20; i++) queue.expect(SIM_START + 9_000 - i * 10);
    expect(time.pending).toBe(1);
    queue.stop();
    expect(time.pending).toBe(0);
    queue.expect(SIM_START + 500);
    expect(time.pending).toBe(0);
  });
});

describe('a claim', () => {
  test('that was asked for wakes when it is there', async () => {
    table.put(message(1, SIM_START));
    expect(queue.take()).toBeUndefined();
    expect(wakes).toBe(0);
    await time.settle();
    expect(wakes).toBe(1);
    expect(queue.take()!.id).toBe(1);
  });

  test('leaves nothing out that was committed while it was under way', async () => {
    queue.take();
    commit(message(1, SIM_START));
    expect(await drain()).toEqual([1]);
  });

  test('does not undo a look from the start that was asked for meanwhile', async () => {
    queue.take();
    table.put(message(1, SIM_START - 9));
    queue.refresh();
    expect(await drain()).toEqual([1]);
  });

  test('that fails is told, and made again with the next look', async () => {
    table.fault = new Error('torn');
    table.put(message(1, SIM_START));
    expect(await drain()).toEqual([]);
    expect(failures.length).toBeGreaterThan(0);
    table.fault = null;
    queue.refresh();
    expect(await drain()).toEqual([1]);
  });

  test('that comes in after a stop gives nothing', async () => {
    table.put(message(1, SIM_START));
    queue.take();
    queue.stop();
    await time.settle();
    expect([queue.size, queue.take()]).toEqual([0, undefined]);
  });
});
