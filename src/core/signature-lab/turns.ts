/** Work in steps on a thread that also receives and delivers: a few milliseconds a turn, then everybody else. */
import type { Clock, Timers } from '../ports.ts';

const TURN_MS = 4;

export interface TurnDeps {
  readonly clock: Pick<Clock, 'mono'>;
  readonly timers: Pick<Timers, 'soon'>;
}

/** Runs to the end. */
export async function inTurns<T>(steps: Generator<unknown, T>, deps: TurnDeps): Promise<T> {
  for (;;) {
    const step = await inTurnsFor(Number.POSITIVE_INFINITY, steps, deps);
    if (step.done === true) return step.value;
  }
}

/** Runs for at least this long unless it ends before, and returns the last step. */
export async function inTurnsFor<P, T>(
  ms: number,
  steps: Generator<P, T>,
  { clock, timers }: TurnDeps,
): Promise<IteratorResult<P, T>> {
  const end = clock.mono() + ms;
  for (;;) {
    const until = clock.mono() + TURN_MS;
    let step: IteratorResult<P, T>;
    do step = steps.next();
    while (step.done !== true && clock.mono() < until);
    if (step.done === true || clock.mono() >= end) return step;
    await new Promise<void>((resolve) => timers.soon(resolve));
  }
}
