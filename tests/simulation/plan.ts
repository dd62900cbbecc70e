/**
 * The plan of a world, from its seed: receivers, calls, people, and a random subset of everything that can go wrong.
 */

import type { Config } from '../../src/contract/config.ts';
import { ACTIONS, type Action, type ActionName } from './actions.ts';
import { CANARY_HEADER, CANARY_SECRET } from './canaries.ts';
import type { Dice } from './dice.ts';
import type { Rules } from './expectations.ts';
import { heal } from './people.ts';
import { drawReceiver, type Receiver } from './receivers.ts';
import { WRITE_KEY } from './requests.ts';
import { drawRules } from './rules.ts';
import type { World } from './world.ts';
import type { StoreName } from './world-store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface PlannedEvent {
  readonly at: number;
  readonly name: string;
  readonly act: (world: World) => unknown;
}

export interface Plan {
  /** One line of the log. */
  readonly text: string;
  readonly faults: readonly ActionName[];
  readonly rules: Rules;
  readonly secret: string | null;
  readonly urls: readonly string[];
  readonly hasScreen: boolean;
  /** Real milliseconds at which requests come in. */
  readonly arrivals: readonly number[];
  readonly events: readonly PlannedEvent[];
  readonly healsAt: number;
  /** By then, without sleep, every message must be final. */
  readonly endsBy: number;
  receiverOf(url: string): Receiver;
  heal(world: World): Promise<void>;
}

export function drawPlan(dice: Dice, store: StoreName): Plan {
  const receivers = Array.from({ length: dice.pick([1, 1, 2, 2, 3, 4, 5]) }, () => drawReceiver(dice));
  const urls = receivers.map((_, i) => `http://w${i + 1}.test/hook`);
  const byUrl = new Map(urls.map((url, i) => [url, receivers[i]!]));
  const rules = drawRules(dice);
  const faults = drawFaults(dice, store);
  const span = dice.pick([2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR]);
  const horizon = dice.pick([5 * MINUTE, 20 * MINUTE, HOUR, 3 * HOUR]);
  // More than a webhook has senders: rounds wait on their lanes.
  const isFlood = receivers.length > 1 && dice.chance(0.15);
  const requests = isFlood ? 24 : requestCount(dice, receivers);
  const arrivals = isFlood ? drawFlood(dice, requests, span) : drawArrivals(dice, requests, span);
  const events = drawEvents(dice, faults, horizon);
  if (isFlood && dice.chance(0.5)) events.push(faultInFlood(dice, arrivals[0]!));
  const healsAt = Math.max(span, horizon) + MINUTE;
  return {
    text: `${receivers.map(({ name }) => name).join(' ')} | ${requests} requests | ${faults.join(' ') || 'no faults'}`,
    faults,
    rules,
    secret: dice.chance(0.8) ? CANARY_SECRET : null,
    urls,
    hasScreen: dice.chance(0.15),
    arrivals,
    events,
    healsAt,
    endsBy: healsAt + 10 * HOUR,
    receiverOf: (url) => byUrl.get(url) ?? byUrl.get(url.replace(/\?.*$/, '')) ?? receivers[0]!,
    heal,
  };
}

/** About 40 messages; fewer where each keeps a dozen rounds going. */
function requestCount(dice: Dice, receivers: readonly Receiver[]): number {
  const most = receivers.every(({ isLong }) => isLong) ? 8 : receivers.length > 3 ? 16 : 26;
  return dice.between(Math.ceil(most / 2), most);
}

/** Swarm testing: each seed has a random subset, so that faults occur alone, together and not at all. */
function drawFaults(dice: Dice, store: StoreName): ActionName[] {
  const names = Object.keys(ACTIONS) as ActionName[];
  const p = dice.pick([0, 0.1, 0.25, 0.25, 0.5, 1]);
  return names.filter((name) => dice.chance(p) && (store === 'sqlite' || !(ACTIONS[name] as Action).needsFile));
}

/** Most come in waves, so that many are due at once. */
function drawArrivals(dice: Dice, n: number, span: number): number[] {
  const waves = Array.from({ length: dice.between(1, 4) }, () => dice.below(span));
  return Array.from({ length: n }, () =>
    dice.chance(0.6) ? dice.pick(waves) + dice.below(20) : dice.below(span),
  ).sort((a, b) => a - b);
}

function drawFlood(dice: Dice, n: number, span: number): number[] {
  const at = dice.below(span);
  return Array.from({ length: n }, () => at + dice.below(5));
}

/** The store fails while rounds wait for a sender, so that an attempt that gets one cannot be written. */
function faultInFlood(dice: Dice, floodAt: number): PlannedEvent {
  const fault = { code: 'SQLITE_FULL', hits: 'all', rollsBack: dice.chance(0.5), left: 0 } as const;
  const ms = dice.pick([1_000, 10_000]);
  return { at: floodAt, name: 'faultInFlood', act: (world) => world.disasters.failAtSend(fault, ms, true) };
}

function drawEvents(dice: Dice, faults: readonly ActionName[], horizon: number): PlannedEvent[] {
  const events: PlannedEvent[] = [];
  for (const name of faults) {
    const action: Action = ACTIONS[name];
    const times = dice.between(1, action.most);
    for (let i = 0; i < times; i++) {
      // Early more often than late: most of what can be disturbed happens early.
      const at = Math.floor(horizon * dice.next() ** 2);
      events.push({ at, name, act: action.draw(dice) });
    }
  }
  return events.sort((a, b) => a.at - b.at);
}

/** The config of the first life. */
export function configOf({ rules, secret, urls }: Plan): Config {
  const { retryOn, retryAfter, ...retry } = rules;
  return {
    sources: [{ name: 'sim', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true }],
    webhooks: {
      sharedSecret: secret ?? undefined,
      retryOn: [...retryOn],
      retryAfter,
      retry: { ...retry, seed: 1 },
      entries: urls.map((url, i) => ({ name: `w${i + 1}`, url, headers: { 'X-Token': CANARY_HEADER }, enabled: true })),
    },
  };
}
