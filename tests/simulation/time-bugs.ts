/** Bugs of windows, waits and wake-ups, and of the clock behind them. */
import { one, type PlantedBug } from './planted-bug.ts';

export const TIME_BUGS: readonly PlantedBug[] = [
  one(
    'the window is counted from the newest attempt',
    'delivery/round.ts',
    'this.windowEndsAt = message.windowEndsAt ?? now + windowMs;',
    'this.windowEndsAt = now + windowMs;',
  ),
  one(
    'a timer is trusted through a sleep',
    'delivery/due-queue.ts',
    'LONGEST_TIMER_MS = 15_000',
    'LONGEST_TIMER_MS = 86_400_000',
  ),
  one(
    'after a sleep no window ends any more',
    'delivery/retry-clock.ts',
    'return this.#sleeps.some(({ from, to }) => from <= at && at < to);',
    'return this.#sleeps.length > 0;',
  ),
  one(
    'the retry clock does not count sleep',
    'delivery/retry-clock.ts',
    'const real = passed + Math.max(0, ahead);',
    'const real = passed;',
  ),
  one(
    'the retry clock goes back with the wall clock',
    'delivery/retry-clock.ts',
    'const real = passed + Math.max(0, ahead);',
    'const real = passed + ahead;',
  ),
  {
    name: 'a wake-up is lost: delivery goes on and nobody looks',
    changes: [
      { file: 'delivery/dispatcher.ts', from: 'if (!held) this.#due.refresh();', to: '' },
      {
        file: 'delivery/dispatcher.ts',
        from: 'some(({ id }) => !on.has(id));\n    this.#due.refresh();',
        to: 'some(({ id }) => !on.has(id));',
      },
      {
        file: 'engine/apply-delivery.ts',
        from: '      dispatcher.reconsider();\n',
        to: '',
      },
    ],
  },
  one(
    'a wake-up is lost: no timer for the next round',
    'delivery/due-queue.ts',
    'else if (dueAt < this.#timerAt) this.#arm(dueAt);',
    '',
  ),
  {
    name: 'a wake-up is lost: the store is well again and nobody looks',
    changes: [
      { file: 'delivery/store-guard.ts', from: 'this.#onRecovered();', to: '' },
      { file: 'engine/engine.ts', from: 'if (writable) applyDelivery(this.parts);', to: '' },
    ],
  },
  one(
    'a Retry-After may point past the window',
    'model/schedule.ts',
    'Math.max(due, Math.min(now + retryAfterMs, end - LAST_CHANCE_MS))',
    'Math.max(due, now + retryAfterMs)',
  ),
  one(
    'a Retry-After is not heard',
    'delivery/round.ts',
    "name.toLowerCase() === 'retry-after'",
    "name === 'retry-after'",
  ),
  one('the jitter is missing', 'model/backoff.ts', 'Math.round(nominal * (1 + swing))', 'Math.round(nominal)'),
];
