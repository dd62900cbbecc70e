/** T1: the machine's clock is set, in every phase of a delivery. Nothing is late or forgotten. */
import { describe, expect, test } from 'vitest';
import { JUMPS } from './actions.ts';
import { Dice } from './dice.ts';
import { DEFAULT_RULES } from './expectations.ts';
import type { Plan } from './plan.ts';
import { receiverOf } from './receivers.ts';
import { World } from './world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const PHASES: ReadonlyArray<readonly [name: string, at: number]> = [
  ['before the first attempt', 500],
  ['during the first attempt', 3 * SECOND],
  ['in a short wait', 25 * SECOND],
  ['in a long wait', 2 * HOUR],
  ['in the last minutes of the window', 3 * HOUR + 55 * MINUTE],
];

/** One silent receiver; calls come in from the first second on, and the clock is set once. */
function planOf(at: number, byMs: number): Plan {
  const receiver = receiverOf('silentForEver', new Dice(1));
  const name = `jump by ${byMs}`;
  const act = (world: World): void => {
    world.expect.jumped(byMs, world.life);
    world.time.jump(byMs);
  };
  return {
    text: name,
    faults: [],
    rules: DEFAULT_RULES,
    secret: null,
    urls: ['http://w1.test/hook'],
    hasScreen: true,
    arrivals: [SECOND, SECOND, SECOND, 2 * SECOND],
    events: [{ at, name, act }],
    healsAt: 5 * HOUR,
    endsBy: 9 * HOUR,
    receiverOf: () => receiver,
    heal: () => Promise.resolve(),
  };
}

describe.each(PHASES)('the clock is set %s', (_phase, at) => {
  test.each(JUMPS)(
    'by %d ms: none after the window but a last one, none forgotten',
    { timeout: 30_000 },
    async (byMs) => {
      const { violations, log, sends } = await new World(7, { plan: planOf(at, byMs), store: 'memory' }).run();
      expect(violations, log.slice(-20).join('\n')).toEqual([]);
      expect(sends).toBeGreaterThan(2);
    },
  );
});
