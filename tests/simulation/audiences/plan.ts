/** The plan of a world of audiences, from its seed: users, audiences, receivers, and what people do when. */
import type { Config } from '../../../src/contract/config.ts';
import type { Dice } from '../dice.ts';
import { type Receiver, receiverOf } from '../receivers.ts';
import { ACTIONS, type ActionName } from './actions.ts';
import type { Shape } from './model.ts';
import { type Definition, drawRule, drawTrait } from './rules.ts';
import type { AudienceWorld } from './world.ts';

const MINUTE = 60_000;
/** Shorter than by default, so that what fails ends within a world. */
const WINDOW_MS = 10 * MINUTE;
export const URL = 'http://w1.test/hook';

/** The plan of a sync takes several transactions. */
const SEVERAL = 1_000;
/** With more users than this, a world is large, and has one audience and fewer events. */
const MANY = 100;

const KINDS = [
  'good',
  'good',
  'good',
  'slowGood',
  'flaky',
  'resets',
  'declinesSome',
  'anything',
  'downForEver',
] as const;
/** Ids that are in an order of their own in UTF-16, and that differ only in spaces and case. */
const ODD = [' u1', 'U1', 'u1 ', 'Ünal', '日本', '\u{1F600}', '\uFFFD', '"quoted"', '__proto__', '1e3'] as const;

export interface DrawnAudience {
  readonly name: string;
  readonly track: boolean;
  readonly first: readonly string[];
  /** Null for a list of members. */
  readonly rule: Definition | null;
}

export interface Plan {
  readonly text: string;
  readonly users: readonly string[];
  /** Users that may be suppressed and erased. */
  readonly doomed: readonly string[];
  readonly audiences: readonly DrawnAudience[];
  readonly sources: ReadonlyArray<{ readonly name: string; readonly writeKey: string; readonly isOn: boolean }>;
  readonly shape: Shape;
  readonly receiver: Receiver;
  readonly events: ReadonlyArray<{
    readonly at: number;
    readonly name: ActionName;
    readonly act: (world: AudienceWorld) => unknown;
  }>;
  readonly healsAt: number;
  readonly endsBy: number;
}

export function drawPlan(dice: Dice): Plan {
  const size = drawSize(dice);
  const isLarge = size > MANY;
  const users = [...Array.from({ length: size }, (_, i) => `u${i}`), ...ODD.filter(() => dice.chance(0.3))];
  const kind = dice.pick(KINDS);
  const audiences = Array.from({ length: isLarge ? 1 : dice.between(1, 3) }, (_, i) => ({
    name: `A ${i + 1}`,
    track: dice.chance(0.25),
    first: isLarge && (size < SEVERAL || dice.chance(0.5)) ? users : users.filter(() => dice.chance(0.6)),
    rule: !isLarge && dice.chance(0.5) ? drawDefinition(dice) : null,
  }));
  const span = dice.pick([MINUTE, 5 * MINUTE, 15 * MINUTE]);
  const isTimed = audiences.every(({ rule }) => rule === null);
  // What a clock that is set shows of past calls is not part of the model.
  const events = drawEvents(dice, span, size).filter(({ name }) => isTimed || (name !== 'jump' && name !== 'sleep'));
  return {
    text: `${users.length} users, ${audiences.length} audiences, ${kind}`,
    users,
    doomed: users.slice(0, 3),
    audiences,
    sources: ['one', 'two', 'three'].slice(0, dice.between(1, 3)).map((name) => ({
      name,
      writeKey: `wk_sim_${name}`,
      isOn: dice.chance(0.7),
    })),
    shape: dice.pick(['documented', 'pass-through'] as const),
    receiver: receiverOf(kind, dice),
    events,
    healsAt: span + MINUTE,
    endsBy: span + 10 * 60 * MINUTE,
  };
}

const drawDefinition = (dice: Dice): Definition => (dice.chance(0.6) ? drawRule(dice) : drawTrait(dice));

/** Mostly a few; sometimes some chunks of a sync; rarely more than one transaction of its plan. */
function drawSize(dice: Dice): number {
  const kind = dice.next();
  if (kind < 0.01) return dice.between(SEVERAL, SEVERAL + 200);
  return kind < 0.12 ? dice.between(MANY + 1, 420) : dice.between(3, 14);
}

function drawEvents(dice: Dice, span: number, size: number): Plan['events'] {
  const names = (Object.keys(ACTIONS) as ActionName[]).filter(() => dice.chance(0.6));
  const n = dice.between(6, size > MANY ? 14 : 40);
  const events = Array.from({ length: n }, () => {
    const name = dice.pick<ActionName>(['sync', 'edit', 'edit', 'calls', 'calls', 'delete', ...names]);
    // Early more often than late, and many close together.
    return { at: Math.floor(span * dice.next() ** 2), name, act: ACTIONS[name](dice) };
  });
  // A kill before the end of a plan of several transactions.
  const left = dice.between(2, 4);
  if (size >= SEVERAL) events.push({ at: 0, name: 'sync', act: (world) => world.people.syncUntil(left) });
  // And one between the steps of an import.
  const joined = dice.between(1, 3);
  const importAt = dice.below(span);
  if (size >= SEVERAL)
    events.push({ at: importAt, name: 'importFile', act: (world) => world.people.importUntil(joined) });
  return events.sort((a, b) => a.at - b.at);
}

/** The config of the first life. */
export const configOf = ({ sources, shape }: Plan): Config => ({
  sources: sources.map(({ name, writeKey, isOn }) => ({
    name,
    writeKey,
    kind: 'server',
    enabled: true,
    webhooks: isOn,
  })),
  webhooks: {
    body: shape,
    retry: { baseMs: 5_000, factor: 2, maxMs: 60_000, windowMs: WINDOW_MS, jitter: 0, seed: 1 },
    entries: [{ name: 'w1', url: URL, headers: {}, enabled: true }],
  },
});
