/** How each life of `serve` in a kill run ends, planned from one seed. */
import { FAILPOINTS, type Failpoint } from '../../src/core/failpoint.ts';
import { migrations } from '../../src/core/store/migrations.ts';

export type LifePlan =
  /** Killed at a random time, every fifth while it starts. */
  | { readonly end: 'random' }
  /** Killed while it works, so that something is left to migrate and recover. */
  | { readonly end: 'loaded' }
  /** Kills itself with SIGKILL when it reaches the failpoint for the `nth` time. */
  | { readonly end: 'failpoint'; readonly name: Failpoint; readonly nth: number };

export type Chance = () => number;

/** Uniform in [0, 1), from one seed. */
export function randomOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  };
}

export const randomPlan = (runs: number): LifePlan[] => Array.from({ length: runs }, () => ({ end: 'random' }));

/** The last hit of a failpoint at which a life may end. It comes within the first second or two of the load. */
const LATEST_HIT: Readonly<Record<Failpoint, number>> = {
  before_commit: 300,
  after_commit: 300,
  answered: 80,
  attempt_written: 300,
  request_half_sent: 300,
  result_received: 300,
  result_written: 300,
  migrating: migrations.length - 1,
  recovering: 1,
  replay_written: 5,
  secret_written: 4,
  stopping: 1,
};

/** Failpoints in the start. They have something to do only after a life under load. */
const AT_START: ReadonlySet<Failpoint> = new Set(['migrating', 'recovering']);

/** Each failpoint in turn, `kills` times. */
export function failpointPlan(names: readonly Failpoint[], kills: number, random: Chance): LifePlan[] {
  return names.flatMap((name) =>
    Array.from({ length: kills }, (): LifePlan[] => {
      const nth = 1 + Math.floor(random() * LATEST_HIT[name]);
      const life: LifePlan = { end: 'failpoint', name, nth };
      return AT_START.has(name) ? [{ end: 'loaded' }, life] : [life];
    }).flat(),
  );
}

/** Throws an error that lists the known names. */
export function failpointNamed(name: string): Failpoint {
  const found = FAILPOINTS.find((one) => one === name);
  if (found === undefined) throw new Error(`There is no failpoint ${name}; there are ${FAILPOINTS.join(', ')}.`);
  return found;
}

export const reaches = (plan: readonly LifePlan[], name: Failpoint): boolean =>
  plan.some((life) => life.end === 'failpoint' && life.name === name);
