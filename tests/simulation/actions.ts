/**
 * Everything that can go wrong or be done in a world. Each action is drawn when the world is planned and runs at its
 * time.
 */
import { CANARY_SECRET } from './canaries.ts';
import { BACK_IN, READ_ERROR } from './constants.ts';
import type { Dice } from './dice.ts';
import * as people from './people.ts';
import { drawWriteFault } from './store-faults.ts';
import type { World } from './world.ts';

export interface Action {
  /** How often in one world, at most. */
  readonly most: number;
  /** Only a file can have it. */
  readonly needsFile?: boolean;
  draw(dice: Dice): (world: World) => unknown;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const JUMPS = [
  -3_650 * DAY,
  -DAY,
  -HOUR,
  -SECOND,
  SECOND,
  4 * HOUR - MINUTE,
  4 * HOUR + MINUTE,
  DAY,
  3_650 * DAY,
] as const;

export const ACTIONS = {
  crash: { most: 4, draw: (dice) => after(dice.pick(BACK_IN), (world, back) => world.crash(back)) },
  doom: {
    most: 4,
    draw: (dice) => {
      const at = dice.pick(['beforeCommit', 'afterCommit', 'inTransaction', 'send'] as const);
      const left = dice.between(1, 12);
      return (world) => {
        if (!world.healed) world.disasters.doom = { at, left };
      };
    },
  },
  restart: { most: 3, draw: (dice) => after(dice.pick(BACK_IN), (world, back) => world.restart(back)) },
  storeFault: {
    most: 3,
    draw: (dice) => {
      const fault = drawWriteFault(dice);
      const ms = dice.pick([SECOND, 10 * SECOND, 5 * MINUTE, 30 * MINUTE]);
      const isAtSend = dice.chance(0.5);
      return (world) => {
        if (world.healed) return;
        if (isAtSend) world.disasters.failAtSend(fault, ms);
        else world.disasters.fail(fault, ms);
      };
    },
  },
  readFault: {
    most: 2,
    needsFile: true,
    draw: (dice) =>
      after(dice.between(1, 40), (world, left) => {
        if (world.healed) return;
        world.disasters.fail({ code: READ_ERROR, hits: 'read', rollsBack: false, left }, 30 * MINUTE);
      }),
  },
  jump: {
    most: 2,
    draw: (dice) =>
      after(dice.pick(JUMPS), (world, by) => {
        world.say(`the clock is set by ${by} ms`);
        world.expect.jumped(by, world.life);
        world.time.jump(by);
      }),
  },
  sleep: {
    most: 2,
    draw: (dice) =>
      after(dice.pick([10 * SECOND, 10 * MINUTE, HOUR, 5 * HOUR]), (world, ms) => {
        world.say(`asleep for ${ms} ms`);
        world.expect.passedOver(ms, world.life);
        world.time.sleep(ms);
      }),
  },
  speed: {
    most: 3,
    draw: (dice) => after(dice.pick([1, 10, 60, 240]), (world, speed) => people.setSpeed(world, speed)),
  },
  pauseClock: { most: 1, draw: (dice) => after(dice.pick([MINUTE, HOUR]), people.pauseClock) },
  step: { most: 3, draw: () => people.stepClock },
  pauseDelivery: { most: 1, draw: (dice) => after(dice.pick([MINUTE, 30 * MINUTE]), people.pauseDelivery) },
  newSecret: {
    most: 2,
    draw: (dice) => after(dice.pick([null, `${CANARY_SECRET}-2`, CANARY_SECRET]), people.setSecret),
  },
  unreadable: { most: 1, draw: (dice) => after(dice.pick([MINUTE, HOUR]), people.loseKey) },
  toggle: {
    most: 4,
    draw: (dice) =>
      after([dice.next(), dice.chance(0.5)] as const, (world, [which, on]) =>
        people.editWebhook(world, which, { enabled: on }),
      ),
  },
  editWebhook: {
    most: 2,
    draw: (dice) =>
      after([dice.next(), dice.below(100)] as const, (world, [which, n]) =>
        people.editWebhook(world, which, { url: `http://w${1 + (n % 5)}.test/hook?v=${n}` }),
      ),
  },
  addWebhook: { most: 2, draw: (dice) => after(dice.between(1, 5), people.addWebhook) },
  removeWebhook: { most: 2, draw: (dice) => after(dice.next(), people.removeWebhook) },
  destinationOff: { most: 1, draw: (dice) => after(dice.pick([SECOND, 20 * MINUTE]), people.destinationOff) },
  storage: {
    most: 2,
    draw: (dice) =>
      after([dice.between(3, 12), dice.pick([0.01, 0.05, 30])] as const, (world, [maxMessages, maxAgeDays]) =>
        people.saveStorage(world, { maxMessages, maxAgeDays }),
      ),
  },
  rules: { most: 2, draw: (dice) => after(dice.fork(), (world, own) => people.changeRules(world, own)) },
  twoEdits: {
    most: 1,
    draw: (dice) => after([dice.pick([4_000, 10_000]), dice.chance(0.5)] as const, people.twoEdits),
  },
  limit: { most: 1, draw: (dice) => after(dice.pick([4_000, 5_000, 10_000]), people.setLimit) },
  retryNow: {
    most: 6,
    draw: (dice) => after(dice.next(), (world, which) => people.onMessage(world, which, 'messages.retryNow')),
  },
  stop: { most: 4, draw: (dice) => after(dice.next(), people.stopMessage) },
  otherHand: {
    most: 3,
    draw: () => (world) => {
      world.isHandNear = true;
    },
  },
  replay: { most: 4, draw: (dice) => after([dice.next(), dice.next()] as const, people.replay) },
  flip: {
    most: 2,
    draw: (dice) =>
      after([dice.next(), dice.below(10_000)] as const, (world, [which, at]) => {
        const id = people.messageAt(world, which);
        if (id !== undefined && world.watch.flipBit(id, at)) world.say(`a bit of body ${id} flips`);
      }),
  },
} as const satisfies Record<string, Action>;
export type ActionName = keyof typeof ACTIONS;

function after<T>(value: T, act: (world: World, value: T) => unknown): (world: World) => unknown {
  return (world) => act(world, value);
}
