import type { Dice } from './dice.ts';
import { DEFAULT_RULES, type Rules } from './expectations.ts';

/** Mostly the defaults. */
export function drawRules(dice: Dice): Rules {
  if (dice.chance(0.6)) return DEFAULT_RULES;
  return {
    baseMs: dice.pick([1_000, 5_000, 60_000]),
    factor: dice.pick([1.5, 2, 3]),
    maxMs: dice.pick([300_000, 1_200_000]),
    windowMs: dice.pick([600_000, 3_600_000, 14_400_000]),
    jitter: dice.pick([0.1, 0.2, 0.5]),
    retryOn: dice.chance(0.3) ? [...DEFAULT_RULES.retryOn, 'declined', 'refused_certificate'] : DEFAULT_RULES.retryOn,
    retryAfter: dice.chance(0.8),
  };
}
