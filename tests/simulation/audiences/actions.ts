/** What people, clients and accidents do in a world of audiences. Each is drawn when the world is planned. */
import type { Dice } from '../dice.ts';
import type { Doom } from '../doom.ts';
import { drawWriteFault } from '../store-faults.ts';
import { drawFile } from './import-file.ts';
import { drawCall, drawRule, drawTrait } from './rules.ts';
import type { AudienceWorld } from './world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** How long a process stays down. */
const BACK_IN = [10, SECOND, 5 * SECOND, MINUTE, 30 * MINUTE] as const;

type Draw = (dice: Dice) => (world: AudienceWorld) => unknown;

/** A place in a list, from 0 to 1. */
const place = (dice: Dice): number => dice.next();
const places = (dice: Dice, most: number): number[] => Array.from({ length: dice.between(1, most) }, () => dice.next());

/** The process is killed at one of its next commits. */
const drawDoom = (dice: Dice, most: number): Doom => ({
  at: dice.pick(['beforeCommit', 'afterCommit', 'afterCommit', 'inTransaction']),
  left: dice.between(1, most),
});

/** A fifth of these begin shortly before a kill. */
const maybeDoomed =
  (draw: Draw): Draw =>
  (dice) => {
    const act = draw(dice);
    const doom = dice.chance(0.2) ? drawDoom(dice, 8) : null;
    return (world) => {
      if (doom !== null) world.doom = { ...doom };
      return act(world);
    };
  };

const edit: Draw = (dice) => {
  const [which, add, remove] = [place(dice), places(dice, 4), dice.chance(0.6) ? places(dice, 4) : []];
  return (world) => world.people.edit(which, add, remove);
};

export const ACTIONS = {
  edit,
  /** In, and out again a moment later, with a sync close by. */
  inAndOut: (dice) => {
    const [which, who, ms] = [place(dice), places(dice, 3), dice.pick([1, 50, SECOND])];
    return (world) => {
      world.people.edit(which, who, []);
      world.time.after(ms, () => world.people.edit(which, [], who));
    };
  },
  /** Sometimes a sync begins with it, and sometimes the process is killed between its steps. */
  importFile: (dice) => {
    const [which, file, mode] = [place(dice), drawFile(dice), dice.pick(['add', 'replace'] as const)];
    const [withSync, doom] = [dice.chance(0.4), dice.chance(0.2) ? drawDoom(dice, 2) : null];
    return (world) => {
      const onRun = (): void => {
        if (doom !== null) world.doom = { ...doom };
        if (withSync) void world.people.sync(which);
      };
      return world.people.import(which, file, { mode, onRun });
    };
  },
  calls: (dice) => {
    // The first users may be deleted, so they call more often.
    const [source, who] = [place(dice), places(dice, 3).map((one) => (dice.chance(0.5) ? one / 4 : one))];
    const call = drawCall(dice);
    return (world) => world.people.calls(source, who, call);
  },
  sync: maybeDoomed((dice) => {
    const which = place(dice);
    return (world) => world.people.sync(which);
  }),
  stopSync: (dice) => {
    const [which, ms] = [place(dice), dice.pick([SECOND, 10 * SECOND, MINUTE])];
    return (world) => {
      world.people.stopSync(which);
      world.time.after(ms, () => world.people.resumeSync(which));
    };
  },
  resumeSync: (dice) => {
    const which = place(dice);
    return (world) => world.people.resumeSync(which);
  },
  rule: (dice) => {
    const [which, rule, trait] = [place(dice), drawRule(dice), drawTrait(dice)];
    return (world) => world.people.rule(which, rule, trait);
  },
  plan: (dice) => {
    const which = place(dice);
    const sync = dice.pick([
      { when: 'hand' },
      { when: 'change' },
      { when: 'change' },
      { when: 'every', everyMs: 600_000 },
    ] as const);
    return (world) => world.people.plan(which, sync);
  },
  destinationOff: (dice) => {
    const ms = dice.pick([SECOND, MINUTE, 5 * MINUTE]);
    return (world) => {
      world.people.destination(false);
      world.time.after(ms, () => world.people.destination(true));
    };
  },
  sourceOff: (dice) => {
    const [which, isOn] = [place(dice), dice.chance(0.4)];
    return (world) => world.people.source(which, isOn);
  },
  shape: (dice) => {
    const shape = dice.pick(['documented', 'pass-through'] as const);
    return (world) => world.people.shape(shape);
  },
  pauseDelivery: (dice) => {
    const ms = dice.pick([SECOND, MINUTE]);
    return (world) => {
      world.people.pause(true);
      world.time.after(ms, () => world.people.pause(false));
    };
  },
  speed: (dice) => {
    const speed = dice.pick([1, 10, 60, 240] as const);
    return (world) => world.people.speed(speed);
  },
  jump: (dice) => {
    const by = dice.pick([-MINUTE, MINUTE, 60 * MINUTE]);
    return (world) => world.time.jump(by);
  },
  sleep: (dice) => {
    const ms = dice.pick([MINUTE, 20 * MINUTE]);
    return (world) => world.time.sleep(ms);
  },
  delete: maybeDoomed((dice) => {
    const [who, erase, suppress] = [places(dice, 2).map((one) => one / 2), dice.chance(0.4), dice.chance(0.3)];
    if (!erase || dice.chance(0.6)) return (world) => world.people.delete(who, erase, suppress);
    // One of them calls right before, so that the call is still on its way.
    const [source, ms, call] = [place(dice), dice.pick([5, 100, SECOND]), drawCall(dice)];
    return (world) => {
      world.time.after(ms, () => world.people.delete(who, erase, suppress));
      return world.people.callOfDoomed(source, who[0]!, call);
    };
  }),
  suppress: (dice) => {
    const who = place(dice);
    return (world) => world.people.suppress(who);
  },
  lift: (dice) => {
    const who = place(dice);
    return (world) => world.people.lift(who);
  },
  replay: (dice) => {
    const which = place(dice);
    return (world) => world.people.replay(which);
  },
  stopMessage: (dice) => {
    const which = place(dice);
    return (world) => world.people.stopMessage(which);
  },
  limits: (dice) => {
    const limits = dice.pick([{ maxMessages: 100 }, { maxAgeDays: 0.01 }, { maxMessages: 100_000, maxAgeDays: 30 }]);
    return (world) => world.people.limits(limits);
  },
  clear: (dice) => {
    const share = dice.pick([0.3, 0.7, 1]);
    return (world) => world.people.clear(share);
  },
  /** The store begins to refuse writes, and often somebody does something right then. */
  storeFault: (dice) => {
    const [fault, ms] = [drawWriteFault(dice), dice.pick([SECOND, 10 * SECOND, MINUTE])];
    const [which, who] = [place(dice), places(dice, 3)];
    const then = dice.pick([
      (world: AudienceWorld) => world.people.sync(which),
      (world: AudienceWorld) => world.people.edit(which, who, []),
      (world: AudienceWorld) => world.people.delete(who, false, false),
      () => undefined,
    ]);
    return (world) => {
      world.fail(fault, ms);
      return then(world);
    };
  },
  /** A sync begins, and its stop is refused. */
  refusedStop: (dice) => {
    const [which, ms] = [place(dice), dice.pick([2, 20])];
    const fault = { ...drawWriteFault(dice), hits: 'all' as const };
    return (world) => {
      world.time.after(ms, () => {
        world.fail(fault, SECOND);
        return world.people.stopSync(which);
      });
      return world.people.sync(which);
    };
  },
  crash: (dice) => {
    const back = dice.pick(BACK_IN);
    return (world) => world.crash(back);
  },
  killAtStatement: (dice) => {
    const doom = drawDoom(dice, 12);
    return (world) => {
      world.doom = { ...doom };
    };
  },
  restart: (dice) => {
    const back = dice.pick(BACK_IN);
    return (world) => world.restart(back);
  },
} satisfies Record<string, Draw>;

export type ActionName = keyof typeof ACTIONS;
