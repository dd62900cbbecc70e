import { describe, expect, it } from 'vitest';
import { SIM_START, SimTime, simPorts } from '../../helpers/sim-ports.ts';

describe('simulated time', () => {
  it('stands still until it is moved', async () => {
    const time = new SimTime();
    let ran = false;
    time.after(1, () => {
      ran = true;
    });
    await time.settle();
    expect([time.wall(), time.mono(), ran]).toEqual([SIM_START, 0, false]);
  });

  it('runs timers in the order of their times, each at its own time, with what follows from them', async () => {
    const time = new SimTime();
    const log: (string | number)[] = [];
    time.after(20, () => log.push('late', time.mono()));
    time.after(10, () => {
      log.push('early', time.mono());
      void Promise.resolve().then(() => time.after(5, () => log.push('followed', time.mono())));
    });
    time.after(10, () => log.push('second'));
    time.after(30, () => log.push('never'));
    await time.advance(25);
    expect(log).toEqual(['early', 10, 'second', 'followed', 15, 'late', 20]);
    expect(time.wall()).toBe(SIM_START + 25);
    expect(time.nextInMs).toBe(5);
  });

  it('forgets cancelled timers, runs `soon` when it settles, and steps', async () => {
    const time = new SimTime();
    const log: string[] = [];
    const timer = time.after(5, () => log.push('cancelled'));
    timer.cancel();
    time.soon(() => log.push('soon'));
    await time.settle();
    expect(log).toEqual(['soon']);
    expect(await time.step()).toBe(false);
    time.after(7, () => log.push('step'));
    expect(await time.step()).toBe(true);
    expect([log, time.mono(), time.pending]).toEqual([['soon', 'step'], 7, 0]);
  });

  it('lets the wall clock jump without time passing', () => {
    const time = new SimTime();
    time.jumpWall(-3_600_000);
    expect([time.wall(), time.mono()]).toEqual([SIM_START - 3_600_000, 0]);
  });

  it('gives one history for one seed', () => {
    const draw = (seed: number): number[] => {
      const { random } = simPorts(seed);
      return [random.next(), random.next(), random.next()];
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    const { ids } = simPorts();
    expect([ids.uuid(), ids.hex(4)]).toEqual(['00000000-0000-4000-8000-000000000001', '00000002']);
  });
});
