/** Work that nobody waits for: one step at a time, with a rest after each that is as long as the step was. */
import type { CountingDeps } from './counting.ts';

/** While somebody waits for something else, a step is put off by so many milliseconds, and so many times at most. */
const LATER_MS = 50;
const MOST_TIMES = 20;

export interface TurnsDeps extends Pick<CountingDeps, 'now' | 'after'> {
  /** Somebody waits for an answer that matters more. Never, when left out. */
  readonly isHeld?: () => boolean;
}

/**
 * A lane for such steps. What a person typed meanwhile waits for one step at most, and the engine keeps at least half of
 * its time.
 */
export function inTurns({ now, after, isHeld = () => false }: TurnsDeps): <T>(step: () => Promise<T>) => Promise<T> {
  const rest = (ms: number): Promise<void> => new Promise((rested) => after(ms, rested));
  let free: Promise<void> = Promise.resolve();
  return (step) => {
    const mine = free.then(async () => {
      for (let times = 0; times < MOST_TIMES && isHeld(); times += 1) await rest(LATER_MS);
      const began = now();
      return { began, answer: await step() };
    });
    free = mine.then(
      ({ began }) => rest(now() - began),
      () => {},
    );
    return mine.then(({ answer }) => answer);
  };
}
