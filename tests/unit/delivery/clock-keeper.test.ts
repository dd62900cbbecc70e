/** The retry clock in the store: kept with each change and after each jump of the wall clock. */
import { beforeEach, expect, test } from 'vitest';
import { ClockKeeper } from '../../../src/core/delivery/clock-keeper.ts';
import { RetryClock, type RetryClockState } from '../../../src/core/delivery/retry-clock.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { SIM_START, SimTime } from '../../helpers/sim-ports.ts';

let time: SimTime;
let retryClock: RetryClock;
let saved: RetryClockState[];
let logged: unknown[];
let changes: number;
let fault: Error | null;
let persistedRows: number[];
let keeper: ClockKeeper;
/** The clock's speed when it was told that it changed. */
let speedWhenTold: number;

beforeEach(() => {
  time = new SimTime();
  retryClock = new RetryClock(time);
  saved = [];
  logged = [];
  changes = 0;
  fault = null;
  persistedRows = [];
  speedWhenTold = 0;
  const write = async <T>(job: (changes: Changes) => T): Promise<T> => {
    if (fault !== null) throw fault;
    return job(new Changes());
  };
  keeper = new ClockKeeper({
    clock: time,
    logger: { log: (...line) => void logged.push(line) },
    retryClock,
    save: (state) => void saved.push(state),
    write,
    persist: (job, rows) => {
      persistedRows.push(rows);
      return write(job);
    },
    changed: () => {
      changes += 1;
      speedWhenTold = retryClock.state.speed;
    },
  });
});

test('a change is stored first, then made, then told', async () => {
  await time.advance(50);
  const changed = keeper.change((clock) => clock.setSpeed(60));
  expect([retryClock.state.speed, changes]).toEqual([1, 0]);
  const state = { speed: 60, paused: false, wallAt: SIM_START + 50, clockAt: SIM_START + 50 };
  expect(await changed).toEqual(state);
  expect([saved, retryClock.state, changes, speedWhenTold]).toEqual([[state], state, 1, 60]);
});

test('what is stored goes on from the reading of the clock, not from that of the wall', async () => {
  retryClock.step(SIM_START + 5_000);
  await keeper.change((clock) => clock.pause());
  expect(saved).toEqual([{ speed: 1, paused: true, wallAt: SIM_START, clockAt: SIM_START + 5_000 }]);
});

test('a change that cannot be stored is not made and not told', async () => {
  fault = new Error('full');
  await expect(keeper.change((clock) => clock.setSpeed(60))).rejects.toBe(fault);
  expect([retryClock.state.speed, changes]).toEqual([1, 0]);
});

test('it is kept as it is then', async () => {
  await time.advance(50);
  keeper.keep(new Changes());
  expect(saved).toEqual([retryClock.state]);
});

test('a jump of the wall clock is logged, stored and told', async () => {
  time.jumpWall(60_000);
  expect(retryClock.now()).toBe(SIM_START + 60_000);
  await time.settle();
  expect(logged).toEqual([['warn', 'wall_clock_jumped']]);
  expect(saved).toEqual([{ speed: 1, paused: false, wallAt: SIM_START + 60_000, clockAt: SIM_START + 60_000 }]);
  expect([changes, persistedRows]).toEqual([1, [1]]);
});

test('a jump that cannot be stored is told all the same, and rejects nowhere', async () => {
  fault = new Error('a bug');
  time.jumpWall(60_000);
  retryClock.now();
  await time.settle();
  expect([changes, saved]).toEqual([1, []]);
});
