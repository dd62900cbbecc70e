import { describe, expect, test } from 'vitest';
import { StoreGuard } from '../../../src/core/delivery/store-guard.ts';
import { StoreDamagedError, StoreNotWritableError } from '../../../src/core/ports.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

function guarded() {
  const time = new SimTime();
  const seen = { recovered: 0, probes: 0, writes: 0, logged: [] as unknown[] };
  let fault: unknown = null;
  const write = async (): Promise<string> => {
    seen.writes += 1;
    if (fault !== null) throw fault;
    return 'done';
  };
  const probe = async (): Promise<void> => {
    seen.probes += 1;
    if (fault !== null) throw fault;
  };
  const guard = new StoreGuard(
    { probe, timers: time, logger: { log: (...line) => void seen.logged.push(line) } },
    () => {
      seen.recovered += 1;
    },
  );
  const fail = (error: unknown): void => {
    fault = error;
  };
  return { guard, time, seen, fail, write };
}

const FULL = new StoreNotWritableError('full');
const DAMAGED = new StoreDamagedError('page 7');

describe('standing still', () => {
  test('a failed read is told apart from a failed write, until delivery goes on', async () => {
    const { guard, time, seen } = guarded();
    guard.readFailed(new Error('SQLITE_CORRUPT'));
    expect([guard.down, guard.unreadable]).toEqual([true, true]);
    await time.advance(499);
    expect([guard.down, seen.probes]).toEqual([true, 0]);
    await time.advance(1);
    expect([guard.down, guard.unreadable, seen.recovered, seen.probes]).toEqual([false, false, 1, 1]);
    await time.advance(60_000);
    expect([seen.probes, time.pending]).toEqual([1, 0]);
  });

  test('a failed write says nothing of reading, and is tried every half second until it succeeds', async () => {
    const { guard, time, seen, fail } = guarded();
    fail(FULL);
    guard.writeFailed(FULL);
    expect([guard.down, guard.unreadable]).toEqual([true, false]);
    await time.advance(10_000);
    expect([guard.down, seen.probes, seen.recovered]).toEqual([true, 20, 0]);
    fail(null);
    await time.advance(500);
    expect([guard.down, seen.recovered]).toEqual([false, 1]);
  });

  test('many failures at once are tried by one timer', () => {
    const { guard, time } = guarded();
    for (let i = 0; i < 5; i++) guard.writeFailed(FULL);
    guard.readFailed(FULL);
    expect(time.pending).toBe(1);
  });

  test.each([
    ['a damaged page', DAMAGED],
    ['a bug', new TypeError('x is not a function')],
  ])('%s stops nothing', (_, error) => {
    const { guard, time } = guarded();
    guard.writeFailed(error);
    expect([guard.down, guard.unreadable, time.pending]).toEqual([false, false, 0]);
  });

  test('does not begin after a stop', async () => {
    const { guard, time } = guarded();
    guard.stop();
    guard.writeFailed(FULL);
    guard.readFailed(FULL);
    expect([guard.down, guard.unreadable, time.pending]).toEqual([false, false, 0]);
  });

  test('ends with a stop: nothing is tried any more', async () => {
    const { guard, time, seen } = guarded();
    guard.writeFailed(FULL);
    guard.stop();
    await time.advance(10_000);
    expect([seen.probes, seen.recovered, guard.down]).toEqual([0, 0, true]);
  });
});

describe('the log', () => {
  test.each([
    ['a store that is full says it as its state', FULL, []],
    ['a damaged page says it as the state of the store', DAMAGED, []],
    ['a bug is logged', new TypeError('no'), [['error', 'delivery_write_failed', { error: 'no' }]]],
    ['whatever was thrown is logged', 'odd', [['error', 'delivery_write_failed', { error: 'odd' }]]],
  ])('%s', (_, error, lines) => {
    const { guard, seen } = guarded();
    guard.writeFailed(error);
    expect(seen.logged).toEqual(lines);
  });

  test('has every failed read', () => {
    const { guard, seen } = guarded();
    guard.readFailed(new Error('torn'));
    expect(seen.logged).toEqual([['error', 'delivery_read_failed', { error: 'torn' }]]);
  });
});

describe('a write that must happen', () => {
  test('is tried every half second until the store takes it', async () => {
    const { guard, time, seen, fail, write } = guarded();
    fail(FULL);
    const written = guard.persist(write);
    await time.settle();
    expect([seen.writes, guard.down]).toEqual([1, true]);
    fail(null);
    await time.advance(499);
    expect(seen.writes).toBe(1);
    await time.advance(1);
    expect(await written).toBe('done');
  });

  test.each([
    ['a damaged page', DAMAGED],
    ['a bug', new TypeError('no')],
  ])('is given up for %s', async (_, error) => {
    const { guard, seen, fail, write } = guarded();
    fail(error);
    await expect(guard.persist(write)).rejects.toBe(error);
    expect(seen.writes).toBe(1);
  });

  test('is given up once it fails after a stop', async () => {
    const { guard, time, seen, fail, write } = guarded();
    fail(FULL);
    const written = guard.persist(write);
    const failed = expect(written).rejects.toBe(FULL);
    await time.settle();
    guard.stop();
    await time.advance(500);
    await failed;
    expect(seen.writes).toBe(2);
    await time.advance(10_000);
    expect(seen.writes).toBe(2);
  });
});

test('a read that fails gives nothing, and delivery stands still until the store is well again', async () => {
  const { guard, time } = guarded();
  expect(guard.reading(() => 7)).toBe(7);
  const torn = (): number => {
    throw new Error('torn');
  };
  expect([guard.reading(torn), guard.down, guard.unreadable]).toEqual([null, true, true]);
  await time.advance(500);
  expect(guard.down).toBe(false);
});
