/**
 * The demo: a made-up shop in a workspace of its own that fills itself and goes on sending calls, and the tour through
 * it (docs/demo.md).
 */
import { z } from 'zod';
import { command, gives } from './command.ts';
import { DEMO_LIMITS, type TourStep } from './demo-limits.ts';

z.config({ jitless: true });

const seed = z.number().int().min(0).max(DEMO_LIMITS.seed).optional();
const rate = z.number().int().min(1).max(DEMO_LIMITS.rate).optional();
/** A missing value keeps the one of the workspace. A new workspace starts with {@link DEFAULT_DEMO}. */
export const demoInput = z.strictObject({ seed, rate });
export type DemoInput = z.output<typeof demoInput>;

export interface RunningDemo {
  /** `opening`: the shop is being filled, in less than 10 s. */
  state: 'opening' | 'running';
  /** The same seed gives the same calls. */
  seed: number;
  /** Calls a minute. */
  rate: number;
  /** Wall time of this start, in epoch milliseconds. */
  startedAt: number;
  /** Null: the user has closed the tour. */
  step: TourStep | null;
  /** True while every tool of the shop answers 503, in the last step of the tour. */
  outage: boolean;
  /** Why the shop is not complete, or why its calls do not arrive; null when all is well. */
  problem: string | null;
}

/** The live part `demo`. `none`: this workspace is no demo. */
export type DemoView = { state: 'none' } | RunningDemo;

const none = z.null().optional();

/** Commands of the demo; part of `commands`. All but the first two fail with `demo_not_running` in another workspace. */
export const demoCommands = {
  'demo.get': command(none, gives<DemoView>()),
  /**
   * Opens the demo beside this workspace, in an instance of its own. `existing`: one ran already and goes on as it was.
   * The address opens its page once, within a minute; null when it has a window of its own, which is in front now.
   * Errors `demo_not_here`, `demo_failed`.
   */
  'demo.open': command(demoInput, gives<{ url: string | null; existing: boolean }>()),
  /** Goes to a step of the tour; null closes it. The last step moves the clock and takes the tools down for a while. */
  'demo.step': command(
    z.strictObject({ step: z.union([1, 2, 3, 4, 5].map((n) => z.literal(n as TourStep))).nullable() }),
    gives<DemoView>(),
  ),
  /** Calls a minute from now on. */
  'demo.setRate': command(z.strictObject({ rate: rate.unwrap() }), gives<DemoView>()),
  /** An address that opens the page of this demo once, within a minute. */
  'demo.address': command(none, gives<{ url: string }>()),
  /** Empties the workspace and begins again, on the same ports. Connections end and can be opened again. */
  'demo.reset': command(demoInput, gives<null>()),
  /**
   * Ends the instance; its workspace stays. The address opens the page that it was opened from, once, within a minute;
   * null when it was started by the command line, or has a window of its own.
   */
  'demo.end': command(none, gives<{ url: string | null }>()),
} as const;
