/**
 * The last step of the tour: the retry clock runs at 240×, so that 4 h pass in a minute, and for the first hour every
 * tool of the shop answers 503. Calls wait, are tried again, and arrive when the tools are back.
 */
import type { ReceiverStep } from '../../contract/receivers.ts';
import type { Timer } from '../ports.ts';
import type { DemoBench, DemoDeps } from './deps.ts';
import { OUTAGE, TOOLS } from './shop.ts';

const SPEED = 240;
const HOUR_MS = 3_600_000;
/** Real time of the outage, and until the clock has gone ahead by 4 h. */
const OUTAGE_MS = HOUR_MS / SPEED;
const AHEAD_MS = (4 * HOUR_MS) / SPEED;

type OutageDeps = Pick<DemoDeps, 'timers' | 'changed'>;

export class Outage {
  readonly #deps: OutageDeps;
  readonly #bench: DemoBench;
  #timers: Timer[] = [];
  #isOn = false;

  constructor(deps: OutageDeps, bench: DemoBench) {
    this.#deps = deps;
    this.#bench = bench;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  async begin(): Promise<void> {
    this.stop();
    this.#isOn = true;
    await this.#program(true);
    await this.#bench.commands['clock.setSpeed']({ speed: SPEED });
    this.#timers = [
      this.#deps.timers.after(OUTAGE_MS, () => void this.#toolsBack()),
      this.#deps.timers.after(AHEAD_MS, () => void this.#realTime()),
    ];
    this.#deps.changed();
  }

  /** Brings the tools and the clock back at once. Harmless when nothing is out. */
  async end(): Promise<void> {
    this.stop();
    await this.#toolsBack();
    await this.#realTime();
  }

  /** Forgets what was planned. */
  stop(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers = [];
  }

  async #toolsBack(): Promise<void> {
    await this.#program(false);
    this.#isOn = false;
    this.#deps.changed();
  }

  /** A speed that the user has chosen meanwhile stays. */
  async #realTime(): Promise<void> {
    if (this.#bench.speed() === SPEED) await this.#bench.commands['clock.setSpeed']({ speed: 1 });
  }

  /** Takes every tool down, or brings back those that are down. A program of the user's own comes back as the shop's. */
  async #program(down: boolean): Promise<void> {
    const { commands } = this.#bench;
    const { entries } = await commands['receivers.list'](null);
    await Promise.all(
      TOOLS.map(async ({ id, steps }) => {
        const now = entries.find((entry) => entry.id === id);
        if (now === undefined || isOutage(now.steps) === down) return;
        const { name, tls, check } = now;
        await commands['receivers.save']({ id, name, tls, check, steps: [...(down ? OUTAGE : steps)] });
      }),
    );
  }
}

const isOutage = (steps: readonly ReceiverStep[]): boolean => {
  const [only, ...more] = steps;
  return more.length === 0 && only?.response.kind === 'status' && only.response.status === 503;
};
