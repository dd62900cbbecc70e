/** The bugs that a simulation must find. */
import { DELIVERY_BUGS } from './delivery-bugs.ts';
import type { PlantedBug } from './planted-bug.ts';
import { STORE_BUGS } from './store-bugs.ts';
import { TIME_BUGS } from './time-bugs.ts';

export const PLANTED_BUGS: readonly PlantedBug[] = [...DELIVERY_BUGS, ...TIME_BUGS, ...STORE_BUGS];

/** Bugs of three kinds that are found quickly. Every run of the tests plants these. */
export const PLANTED_IN_TESTS = [
  'the answer goes out before the commit',
  'a wake-up is lost: delivery goes on and nobody looks',
  'the retry clock does not count sleep',
] as const;
