/** Calls at a fixed rate through an engine in this process, with what happens to delivery and to this thread meanwhile. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Loaded, ToLoad } from './people-load.ts';

export interface Phase extends Loaded {
  /** Delay of this thread's event loop, in milliseconds. */
  readonly loopP99: number;
  readonly loopMax: number;
}

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return rounded(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
}

export const figuresOf = (values: readonly number[]) => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
  longest: quantile(values, 1),
  calls: values.length,
});

/** The figures of several phases together. */
export const pooled = (phases: readonly Phase[]) => ({
  ...figuresOf(phases.flatMap(({ took }) => took)),
  loopP99: Math.max(...phases.map(({ loopP99 }) => loopP99)),
  loopMax: Math.max(...phases.map(({ loopMax }) => loopMax)),
});

export class LoadPhase {
  readonly #child: ChildProcess;
  readonly #rate: number;
  readonly #seconds: number;

  /** `child` runs `people-load.ts`. */
  constructor(child: ChildProcess, rate: number, seconds: number) {
    this.#child = child;
    this.#rate = rate;
    this.#seconds = seconds;
  }

  /** `beside` runs again and again until all calls have arrived. */
  async run(port: number, beside: () => Promise<void> = () => pause(50)): Promise<Phase> {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    let isOver = false;
    const running = (async () => {
      while (!isOver) await beside();
    })();
    delay.enable();
    this.#child.send({ port, rate: this.#rate, seconds: this.#seconds } satisfies ToLoad);
    const [result] = (await once(this.#child, 'message')) as [Loaded];
    delay.disable();
    isOver = true;
    await running;
    return { ...result, loopP99: rounded(delay.percentile(99) / 1e6), loopMax: rounded(delay.max / 1e6) };
  }
}
