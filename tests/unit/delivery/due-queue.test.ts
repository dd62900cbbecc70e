import { beforeEach, describe, expect, test } from 'vitest';
import { DueQueue } from '../../../src/core/delivery/due-queue.ts';
import { RetryClock } from '../../../src/core/delivery/retry-clock.ts';
import type { DueMessage } from '../../../src/core/store/deliveries.ts';
import { dueMessage } from '../../helpers/due-message.ts';
import { SIM_START, SimTime } from '../../helpers/sim-ports.ts';

const message = (id: number, nextDueAt: number): DueMessage => dueMessage(id, { nextDueAt });

/** The table in memory, in the order of its index. */
class Table {
  rows: DueMessage[] = [];
  reads = 0;
  looks = 0;

  put(...rows: DueMessage[]): void {
    this.rows.push(...rows);
    this.rows.sort((a, b) => a.nextDueAt - b.nextDueAt || a.id - b.id);
  }

  due(now: number, after: { dueAt: number; id: number }, limit: number): DueMessage[] {
    this.reads += 1;
    return this.rows
      .filter(
        (row) =>
          row.nextDueAt <= now && (row.nextDueAt > after.dueAt || (row.nextDueAt === after.dueAt && row.id > after.id)),
      )
      .slice(0, limit);
  }

  nextDueAfter(now: number): number | null {
    this.looks += 1;
    return this.rows.find((row) => row.nextDueAt > now)?.nextDueAt ?? null;
  }
}

let time: SimTime;
let table: Table;
let active: Set<number>;
let wakes: number;
let clock: RetryClock;
let queue: DueQueue;

beforeEach(() => {
  time = new SimTime();
  table = new Table();
  active = new Set();
  wakes = 0;
  clock = new RetryClock(time);
  queue = new DueQueue(
    table,
    clock,
    time,
    (id) => active.has(id),
    () => {
      wakes += 1;
    },
  );
});

/** Takes everything; what is taken leaves the table, as a settled message does. */
function drain(): number[] {
  const taken: number[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
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
  test('is given in the order of due time, and once', () => {
    table.put(message(1, SIM_START - 1), message(2, SIM_START - 5), message(3, SIM_START), message(4, SIM_START + 1));
    expect(drain()).toEqual([2, 1, 3]);
    expect(drain()).toEqual([]);
    expect(table.reads).toBe(1);
  });

  test('what is offered after the table was read needs no reading', () => {
    drain();
    const { reads, looks } = table;
    commit(message(1, SIM_START));
    commit(message(2, SIM_START));
    expect(drain()).toEqual([1, 2]);
    expect([table.reads, table.looks]).toEqual([reads, looks]);
  });

  test('a message with a round under way is not given', () => {
    table.put(message(1, SIM_START), message(2, SIM_START));
    active.add(1);
    expect(drain()).toEqual([2]);
    active.clear();
    queue.refresh();
    expect(drain()).toEqual([1]);
  });

  test('a message whose round began after it was read is not given', () => {
    table.put(message(1, SIM_START), message(2, SIM_START), message(3, SIM_START));
    queue.take();
    active.add(2);
    expect(queue.take()!.id).toBe(3);
  });

  test('a message that was removed is not given', () => {
    drain();
    commit(message(1, SIM_START));
    queue.remove(1);
    expect(queue.take()).toBeUndefined();
  });
});

describe('a backlog', () => {
  test('of any size is read in parts, in order, and never fills the memory', () => {
    for (let id = 1; id <= 10_000; id++) table.rows.push(message(id, SIM_START - 10_000 + id));
    const taken: number[] = [];
    let most = 0;
    for (let next = queue.take(); next !== undefined; next = queue.take()) {
      taken.push(next.id);
      most = Math.max(most, queue.size);
    }
    expect(taken).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 1));
    expect(most).toBeLessThanOrEqual(2_000);
    expect(table.reads).toBeLessThan(20);
  });

  test('that comes in faster than it is taken stays in the table, and nothing is lost', () => {
    drain();
    for (let id = 1; id <= 5_000; id++) commit(message(id, SIM_START + Math.floor(id / 100) - 50));
    expect(queue.size).toBe(2_000);
    expect(drain()).toEqual(Array.from({ length: 5_000 }, (_, i) => i + 1));
    commit(message(6_000, SIM_START));
    expect(drain()).toEqual([6_000]);
  });

  test('many messages of one due time are all read', () => {
    for (let id = 1; id <= 3_000; id++) table.rows.push(message(id, SIM_START));
    expect(drain()).toHaveLength(3_000);
  });

  test('what is committed with a due time that the sweep has passed is read as well', () => {
    for (let id = 1; id <= 1_000; id++) table.rows.push(message(id, SIM_START - 10));
    queue.take();
    commit(message(2_000, SIM_START - 20));
    expect(drain()).toContain(2_000);
  });

  test('that is being read goes on where it stands when something later is committed', () => {
    for (let id = 1; id <= 1_500; id++) table.rows.push(message(id, SIM_START - 10));
    queue.take();
    expect(time.pending).toBe(0);
    commit(message(2_000, SIM_START - 10));
    commit(message(2_001, SIM_START));
    expect(drain()).toHaveLength(1_501);
    expect(table.reads).toBe(2);
  });

  test('that is being read arms no timer: what comes later is looked for once all of it was read', () => {
    for (let id = 1; id <= 1_500; id++) table.rows.push(message(id, SIM_START - 10));
    table.put(message(2_000, SIM_START + 5_000));
    queue.take();
    expect(time.pending).toBe(0);
    drain();
    expect(time.pending).toBe(1);
  });

  test('of messages under way is passed over in one take', () => {
    for (let id = 1; id <= 4_000; id++) {
      table.rows.push(message(id, SIM_START));
      active.add(id);
    }
    table.put(message(4_001, SIM_START));
    expect(queue.take()!.id).toBe(4_001);
  });
});

describe('the timer', () => {
  test('wakes when the next message is due', async () => {
    table.put(message(1, SIM_START + 4_000));
    expect(drain()).toEqual([]);
    await time.advance(3_999);
    expect(wakes).toBe(0);
    await time.advance(1);
    expect(wakes).toBe(1);
    expect(drain()).toEqual([1]);
    expect(time.pending).toBe(0);
  });

  test('is never trusted for longer than 15 s', async () => {
    table.put(message(1, SIM_START + 3_600_000));
    drain();
    time.jumpWall(3_600_000);
    await time.advance(15_000);
    expect(drain()).toEqual([1]);
  });

  test('comes sooner when something sooner is expected, and not later', async () => {
    table.put(message(1, SIM_START + 10_000));
    drain();
    table.put(message(2, SIM_START + 2_000));
    queue.expect(SIM_START + 2_000);
    queue.expect(SIM_START + 9_000);
    await time.advance(2_000);
    expect(drain()).toEqual([2]);
    await time.advance(8_000);
    expect(drain()).toEqual([1]);
  });

  test.each([SIM_START, SIM_START - 5])('what is expected now or before is read at once: %d', (dueAt) => {
    drain();
    table.put(message(1, dueAt));
    queue.expect(dueAt);
    expect(wakes).toBe(1);
    expect(drain()).toEqual([1]);
  });

  test('that has run gives way to a later one', async () => {
    drain();
    table.put(message(1, SIM_START + 1_000), message(2, SIM_START + 3_000));
    queue.expect(SIM_START + 1_000);
    await time.advance(1_000);
    queue.expect(SIM_START + 3_000);
    await time.advance(2_000);
    expect(wakes).toBe(2);
  });

  test('a stop needs none, and forgets what is ready', () => {
    drain();
    commit(message(1, SIM_START));
    queue.stop();
    expect(queue.size).toBe(0);
    expect(time.pending).toBe(0);
  });

  test('runs in the time of the retry clock, also after its speed changed', async () => {
    table.put(message(1, SIM_START + 10_000));
    drain();
    clock.setSpeed(10);
    queue.refresh();
    drain();
    await time.advance(1_000);
    expect(drain()).toEqual([1]);
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
