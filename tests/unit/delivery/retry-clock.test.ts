import { beforeEach, describe, expect, test } from 'vitest';
import { RetryClock } from '../../../src/core/delivery/retry-clock.ts';
import { SIM_START, SimTime } from '../../helpers/sim-ports.ts';

describe('the retry clock', () => {
  test('is the wall clock when its speed was never changed', async () => {
    const time = new SimTime();
    const clock = new RetryClock(time);
    expect(clock.now()).toBe(SIM_START);
    await time.advance(12_345);
    expect(clock.now()).toBe(time.wall());
    expect(clock.state).toEqual({ speed: 1, paused: false, wallAt: SIM_START, clockAt: SIM_START });
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
    expect(clock.setSpeed(10)).toEqual({ speed: 10, paused: false, wallAt: time.wall(), clockAt: SIM_START + 61_000 });
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
    const clock = new RetryClock(time, {
      speed: 240,
      paused: false,
      wallAt: SIM_START - 0.5,
      clockAt: SIM_START,
    });
    expect(Number.isInteger(clock.now())).toBe(true);
  });
});

describe('pause and step', () => {
  test('a paused clock stands still, whatever time passes, and goes on from there', async () => {
    const time = new SimTime();
    const clock = new RetryClock(time);
    clock.setSpeed(60);
    await time.advance(1_000);
    clock.pause();
    await time.advance(3_600_000);
    expect(clock.now()).toBe(SIM_START + 60_000);
    expect(clock.realDelay(clock.now() + 1)).toBe(Number.POSITIVE_INFINITY);
    expect(clock.realDelay(clock.now())).toBe(0);
    clock.resume();
    await time.advance(1_000);
    expect(clock.now()).toBe(SIM_START + 120_000);
  });

  test('a pause outlives a restart, and no time passes in between', async () => {
    const time = new SimTime();
    const first = new RetryClock(time);
    first.pause();
    await time.advance(5_000);
    const second = new RetryClock(time, structuredClone(first.state));
    await time.advance(5_000);
    expect(second.now()).toBe(SIM_START);
    expect(second.state.paused).toBe(true);
  });

  test('a step goes ahead at once, running or paused, and never back', () => {
    const clock = new RetryClock(new SimTime());
    clock.step(SIM_START + 9_000);
    expect(clock.now()).toBe(SIM_START + 9_000);
    clock.pause();
    clock.step(SIM_START + 20_000);
    clock.step(SIM_START + 1_000);
    expect(clock.now()).toBe(SIM_START + 20_000);
  });

  test('choosing a speed lets a paused clock run', () => {
    const clock = new RetryClock(new SimTime());
    clock.pause();
    expect(clock.setSpeed(10)).toMatchObject({ paused: false, speed: 10 });
  });
});

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

describe('the wall clock jumps', () => {
  test.each([-10 * 365 * DAY, -DAY, -HOUR, -SECOND])('back by %d ms: no time is lost or won', async (byMs) => {
    const time = new SimTime();
    let corrected = 0;
    const clock = new RetryClock(time);
    clock.onCorrected(() => {
      corrected += 1;
    });
    await time.advance(5_000);
    time.jumpWall(byMs);
    expect(clock.now()).toBe(SIM_START + 5_000);
    await time.advance(5_000);
    expect(clock.now()).toBe(SIM_START + 10_000);
    expect(corrected).toBe(1);
  });

  test.each([SECOND, 4 * HOUR, DAY])(
    'ahead by %d ms, or the machine slept for as long: the time counts',
    async (byMs) => {
      const time = new SimTime();
      const clock = new RetryClock(time);
      clock.setSpeed(10);
      await time.advance(5_000);
      time.jumpWall(byMs);
      expect(clock.now()).toBe(SIM_START + 50_000 + 10 * byMs);
    },
  );

  test.each([250, -250])('by %d ms: so little is not a jump', (byMs) => {
    const time = new SimTime();
    const clock = new RetryClock(time);
    clock.onCorrected(() => {
      throw new Error('corrected');
    });
    time.jumpWall(byMs);
    expect(clock.now()).toBe(SIM_START);
  });

  test.each([251, -251])('by %d ms: the state shows it, and says so', (byMs) => {
    const time = new SimTime();
    let corrected = 0;
    const clock = new RetryClock(time);
    clock.onCorrected(() => {
      corrected += 1;
    });
    time.jumpWall(byMs);
    expect(clock.state).toMatchObject({ wallAt: SIM_START + byMs, clockAt: SIM_START + Math.max(0, byMs) });
    expect(corrected).toBe(1);
  });

  test('a paused clock stands still all the same', () => {
    const time = new SimTime();
    const clock = new RetryClock(time);
    clock.pause();
    time.jumpWall(HOUR);
    expect(clock.now()).toBe(SIM_START);
    clock.resume();
    expect(clock.now()).toBe(SIM_START);
  });

  test('back while nothing ran, and nothing was seen: the reading stays', () => {
    const time = new SimTime();
    const state = { speed: 10, paused: false, wallAt: SIM_START + DAY, clockAt: SIM_START + 7 };
    expect(new RetryClock(time, state).state).toEqual({ ...state, wallAt: SIM_START });
  });

  test('a wall clock that is read a little unevenly is not a jump', async () => {
    const time = new SimTime();
    let corrected = 0;
    const clock = new RetryClock(time);
    clock.onCorrected(() => {
      corrected += 1;
    });
    for (const byMs of [100, -200, 150, -50]) {
      time.jumpWall(byMs);
      await time.advance(10);
      clock.now();
    }
    expect(clock.now()).toBe(SIM_START + 40);
    expect(corrected).toBe(0);
  });

  test('back while nothing ran: the next life starts where the last one was seen', async () => {
    const time = new SimTime();
    const first = new RetryClock(time);
    await time.advance(HOUR);
    const seen = first.now();
    time.jumpWall(-DAY);
    expect(new RetryClock(time, { ...first.state, wallAt: SIM_START, clockAt: SIM_START }, seen).now()).toBe(seen);
  });
});

describe('sleep', () => {
  test('is what the wall clock went ahead, or a minute in which nobody asked', async () => {
    const time = new SimTime();
    const clock = new RetryClock(time);
    const start = clock.now();
    await time.advance(1_000);
    clock.now();
    time.jumpWall(HOUR);
    expect([0, 999, 1_000, HOUR, HOUR + 1_000].map((at) => clock.sleptPast(start + at))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
    const silentFrom = clock.now();
    await time.advance(60_001);
    expect([clock.sleptPast(silentFrom + 30_000), clock.sleptPast(silentFrom + 60_001)]).toEqual([true, false]);
  });

  test('is not the time that a running engine waits, nor a wall clock that was set back', async () => {
    const time = new SimTime();
    const clock = new RetryClock(time);
    const start = clock.now();
    for (let i = 0; i < 10; i += 1) {
      await time.advance(60_000);
      clock.now();
    }
    time.jumpWall(-HOUR);
    expect(clock.sleptPast(start + 300_000)).toBe(false);
  });
});

describe('the sleeps that it remembers', () => {
  /** Nothing asks for two minutes. */
  const sleep = async (): Promise<void> => {
    await time.advance(120_000);
    clock.now();
  };
  let time: SimTime;
  let clock: RetryClock;
  beforeEach(async () => {
    time = new SimTime();
    await time.advance(7_000);
    clock = new RetryClock(time);
  });

  test('begin at the last reading, at whatever speed', async () => {
    await time.advance(1_000);
    clock.setSpeed(10);
    await time.advance(500);
    const from = clock.now();
    await sleep();
    expect(from).toBe(SIM_START + 7_000 + 1_000 + 5_000);
    expect([from - 1, from, from + 1_199_999, from + 1_200_000].map((at) => clock.sleptPast(at))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('are the last hundred', async () => {
    const first = clock.now();
    for (let i = 0; i < 100; i++) await sleep();
    expect(clock.sleptPast(first)).toBe(true);
    await sleep();
    expect([clock.sleptPast(first), clock.sleptPast(first + 120_000)]).toEqual([false, true]);
  });

  test('are not those of a paused clock, in which nothing passed', async () => {
    const first = clock.now();
    await sleep();
    clock.pause();
    for (let i = 0; i < 100; i++) await sleep();
    expect(clock.sleptPast(first)).toBe(true);
  });
});
