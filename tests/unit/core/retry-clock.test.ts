import { describe, expect, test } from 'vitest';
import { RetryClock } from '../../../src/core/delivery/retry-clock.ts';
import { SIM_START, SimTime } from '../../helpers/sim-ports.ts';

describe('the retry clock', () => {
  test('is the wall clock when its speed was never changed', async () => {
    const time = new SimTime();
    const clock = new RetryClock(time);
    expect(clock.now()).toBe(SIM_START);
    await time.advance(12_345);
    expect(clock.now()).toBe(time.wall());
    expect(clock.state).toEqual({ speed: 1, wallAt: SIM_START, clockAt: SIM_START });
  });

  test.each([1, 10, 60, 240])('at %d times the speed, waits are that much shorter', async (speed) => {
    const time = new SimTime();
    const clock = new RetryClock(time);
    clock.setSpeed(speed);
    const due = clock.now() + 240_000;
    expect(clock.realDelay(due)).toBe(240_000 / speed);
    await time.advance(240_000 / speed - 1);
    expect(clock.now()).toBeLessThan(due);
    await time.advance(1);
    expect(clock.now()).toBe(due);
    expect(clock.realDelay(due)).toBe(0);
    expect(clock.realDelay(due - 1)).toBe(0);
  });

  test('a change of speed goes on from the present reading, without a jump', async () => {
    const time = new SimTime();
    const clock = new RetryClock(time);
    clock.setSpeed(60);
    await time.advance(1_000);
    expect(clock.now()).toBe(SIM_START + 60_000);
    clock.setSpeed(1);
    expect(clock.now()).toBe(SIM_START + 60_000);
    await time.advance(1_000);
    expect(clock.now()).toBe(SIM_START + 61_000);
    expect(clock.setSpeed(10)).toEqual({ speed: 10, wallAt: time.wall(), clockAt: SIM_START + 61_000 });
  });

  test('goes on from what was stored, counting the time in which nothing ran', async () => {
    const time = new SimTime();
    const first = new RetryClock(time);
    first.setSpeed(10);
    await time.advance(5_000);
    const second = new RetryClock(time, structuredClone(first.state));
    expect(second.now()).toBe(first.now());
    await time.advance(7_000);
    expect(new RetryClock(time, first.state).now()).toBe(SIM_START + 120_000);
  });

  test('always shows whole milliseconds', async () => {
    const time = new SimTime();
    const clock = new RetryClock(time, { speed: 240, wallAt: SIM_START - 0.5, clockAt: SIM_START });
    expect(Number.isInteger(clock.now())).toBe(true);
  });
});
