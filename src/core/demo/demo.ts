/**
 * The demo of a workspace: prepares the shop, fills it, and goes on sending its calls through the ingest port. It does
 * everything else with commands of the contract, as a person would (docs/demo.md).
 */
import type { DemoView } from '../../contract/demo.ts';
import type { TourStep } from '../../contract/demo-limits.ts';
import { ContractError } from '../../contract/errors.ts';
import type { ReceiverView } from '../../contract/receivers.ts';
import { seededRandom } from '../model/seeded-random.ts';
import type { Timer } from '../ports.ts';
import { bySource, gapMs, HISTORY_CALLS, historyTime, type ShopCall, ShopCalls, wireCall } from './calls.ts';
import type { DemoBench, DemoDeps, DemoOptions, KeptDemo } from './deps.ts';
import { furnishAudiences, furnishDeletion } from './furnish.ts';
import { Outage } from './outage.ts';
import { FAILING_TOOL, SLOW_TOOL, SOURCES, shopConfig, TOOLS, toolWebhooks } from './shop.ts';

/** Calls of the history that go out together. */
const CHUNK = 45;
/** The longest wait for the history to be delivered, in milliseconds. */
const QUIET_LIMIT_MS = 3_000;
/** How often to look whether something is so far. */
const ASK_AGAIN_MS = 25;
/** A call that did not arrive is sent again after this time. */
const AGAIN_MS = 1_000;
/** Calls that go out at the beginning of the outage. */
const OUTAGE_CALLS = 12;
/** So many calls of the history come before the audience; the others change who is in. */
const BEFORE_AUDIENCE = 110;
const NEW: KeptDemo = { sent: 0, step: 1 };

export class Demo {
  readonly #deps: DemoDeps;
  readonly #options: DemoOptions | undefined;
  readonly #calls: ShopCalls;
  #bench: DemoBench | null = null;
  #outage: Outage | null = null;
  #kept: KeptDemo;
  #rate: number;
  #startedAt = 0;
  #state: 'opening' | 'running' = 'opening';
  #problem: string | null = null;
  #timer: Timer | null = null;
  #isStopped = false;
  /** What is being sent. */
  #work: Promise<void> = Promise.resolve();

  /** Without options the workspace is no demo. */
  constructor(deps: DemoDeps, options: DemoOptions | undefined) {
    this.#deps = deps;
    this.#options = options;
    this.#kept = deps.kept.read() ?? NEW;
    this.#rate = options?.rate ?? 0;
    this.#calls = new ShopCalls(options?.seed ?? 0);
  }

  /** Call it once, when the parts of the engine exist. */
  connect(bench: DemoBench): void {
    const { timers, changed } = this.#deps;
    this.#bench = bench;
    this.#outage = new Outage({ timers, changed }, bench);
  }

  get #connected(): DemoBench {
    if (this.#bench === null) throw new Error('The demo was not connected.');
    return this.#bench;
  }

  view(): DemoView {
    if (this.#options === undefined) return { state: 'none' };
    return {
      state: this.#state,
      seed: this.#options.seed,
      rate: this.#rate,
      startedAt: this.#startedAt,
      step: this.#kept.step,
      outage: this.#outage?.isOn ?? false,
      problem: this.#problem,
    };
  }

  /** Gives a new workspace the sources and receivers of the shop. Call it before anything else fills the workspace. */
  async prepare(): Promise<void> {
    if (this.#options === undefined) return;
    this.#startedAt = this.#deps.clock.wall();
    if (this.#deps.kept.read() !== undefined) return;
    await this.#connected.take(shopConfig());
    await this.#keep({});
  }

  /** Fills the shop and goes on with its calls, in the background. `receiversStarted` resolves when they have a state. */
  start(receiversStarted: Promise<void>): void {
    if (this.#options === undefined || this.#isStopped) return;
    this.#work = this.#run(receiversStarted).catch((error: unknown) => this.#failed(error));
  }

  /** Resolves when nothing is being sent any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#outage?.stop();
    await this.#work;
  }

  // What the user does

  /** Error `demo_not_running`. */
  async goTo(step: TourStep | null): Promise<DemoView> {
    this.#check();
    const before = this.#kept.step;
    await this.#keep({ step });
    if (step === 5 && before !== 5) {
      await this.#outage?.begin();
      this.#inTurn(() => this.#sendNext(OUTAGE_CALLS));
    }
    if (step !== 5 && before === 5) await this.#outage?.end();
    this.#deps.changed();
    return this.view();
  }

  /** Error `demo_not_running`. */
  setRate(rate: number): DemoView {
    this.#check();
    this.#rate = rate;
    this.#deps.changed();
    if (this.#timer !== null) this.#plan();
    return this.view();
  }

  #check(): void {
    if (this.#options === undefined) throw new ContractError('demo_not_running');
  }

  // The shop

  async #run(receiversStarted: Promise<void>): Promise<void> {
    await this.#toolsReady(receiversStarted);
    await this.#openTools();
    this.#calls.upTo(this.#kept.sent);
    await this.#fill();
    if (this.#isStopped) return;
    this.#state = 'running';
    this.#deps.changed();
    if (this.#kept.sent === HISTORY_CALLS) await this.#sendOrder();
    this.#plan();
  }

  /** Waits until the history has been delivered, so that none of it takes what is meant for the order. */
  async #untilQuiet(): Promise<void> {
    const { commands } = this.#connected;
    const end = this.#deps.clock.mono() + QUIET_LIMIT_MS;
    while (!this.#isStopped && this.#deps.clock.mono() < end) {
      const { counts, inFlight } = await commands['app.status'](null);
      if (inFlight + counts.queued + counts.delivering + counts.waiting === 0) return;
      await new Promise<void>((resolve) => this.#deps.timers.after(ASK_AGAIN_MS, resolve));
    }
  }

  /** Does not wait for the receivers over https, whose certificate takes time. */
  async #toolsReady(started: Promise<void>): Promise<void> {
    let isOver = false;
    void started.then(() => {
      isOver = true;
    });
    while (!isOver && !this.#isStopped && this.#connected.receivers() === null)
      await new Promise<void>((resolve) => this.#deps.timers.after(ASK_AGAIN_MS, resolve));
  }

  /** A part that cannot be made is named, and the calls go on without it. */
  async #fill(): Promise<void> {
    const { commands } = this.#connected;
    if (this.#kept.sent >= HISTORY_CALLS) return;
    await this.#sendUpTo(BEFORE_AUDIENCE);
    if (!this.#isStopped) await furnishAudiences(this.#deps, commands).catch((error: unknown) => this.#failed(error));
    if (!this.#isStopped) await furnishDeletion(commands).catch((error: unknown) => this.#failed(error));
    await this.#sendUpTo(HISTORY_CALLS);
  }

  async #sendUpTo(end: number): Promise<void> {
    while (this.#kept.sent < end && !this.#isStopped)
      await this.#send(this.#calls.upTo(Math.min(this.#kept.sent + CHUNK, end)));
  }

  /**
   * From now on Ad network does not answer in time. The order that the tour shows meets the 503 with which the program
   * of Email tool begins.
   */
  async #sendOrder(): Promise<void> {
    const { commands, receivers } = this.#connected;
    await this.#untilQuiet();
    const { entries } = await commands['receivers.list'](null);
    const slow = entries.find(({ id }) => id === SLOW_TOOL);
    const steps = TOOLS.find(({ id }) => id === SLOW_TOOL)?.steps ?? [];
    // An outage that has begun meanwhile has its own program, and brings this one back at its end.
    if (slow !== undefined && this.#outage?.isOn !== true)
      await commands['receivers.save']({ ...programOf(slow), steps: [...steps] });
    if (receivers() !== null) await commands['receivers.restart']({ id: FAILING_TOOL });
    await this.#sendNext(1);
  }

  /** The receivers may listen on other ports than last time. An outage that a stop cut off ends here. */
  async #openTools(): Promise<void> {
    const { receivers, take } = this.#connected;
    const base = receivers();
    if (base === null) this.#problem = 'The receivers do not run, so the calls of the shop go nowhere.';
    else await take(toolWebhooks(base));
    await this.#outage?.end();
  }

  #failed(error: unknown): void {
    if (this.#isStopped) return;
    const message = error instanceof Error ? error.message : String(error);
    this.#deps.logger.log('error', 'demo_failed', { message });
    this.#problem = message;
    this.#deps.changed();
  }

  /** Sets the time of the next call. */
  #plan(): void {
    this.#timer?.cancel();
    if (this.#isStopped) return;
    const chance = seededRandom(this.#options!.seed + this.#kept.sent);
    this.#timer = this.#deps.timers.after(gapMs(this.#rate, chance), () => {
      this.#inTurn(async () => {
        await this.#sendNext(1);
        this.#plan();
      });
    });
  }

  /** Sends one after the other: the order of the calls is part of the seed. */
  #inTurn(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => this.#failed(error));
  }

  async #sendNext(count: number): Promise<void> {
    if (this.#isStopped || this.#state !== 'running') return;
    await this.#send(this.#calls.upTo(this.#kept.sent + count));
  }

  async #send(calls: readonly ShopCall[]): Promise<void> {
    const now = this.#deps.clock.wall();
    for (const [source, group] of bySource(calls)) {
      const { writeKey } = SOURCES[source];
      const bodies = group.map((call) => wireCall(call, call.n < HISTORY_CALLS ? historyTime(call.n, now) : now));
      const [only] = bodies;
      if (bodies.length === 1 && only !== undefined) await this.#post(`/v1/${only.type}`, only, writeKey);
      else await this.#post('/v1/batch', { batch: bodies }, writeKey);
    }
    if (!this.#isStopped) await this.#keep({ sent: this.#kept.sent + calls.length });
  }

  /** Goes on until ingest has taken the call, as an SDK does. A call that ingest rejects is not sent again. */
  async #post(path: string, body: object, writeKey: string): Promise<void> {
    while (!this.#isStopped) {
      const status = await this.#connected.post(path, JSON.stringify(body), writeKey);
      const arrived = status >= 200 && status < 500 && status !== 429;
      this.#tell(arrived ? null : 'Ingest does not take the calls of the shop.');
      if (arrived) return;
      await new Promise<void>((resolve) => {
        this.#timer = this.#deps.timers.after(AGAIN_MS, resolve);
      });
    }
  }

  #tell(problem: string | null): void {
    if (problem === this.#problem || (problem === null && this.#connected.receivers() === null)) return;
    this.#problem = problem;
    this.#deps.changed();
  }

  async #keep(more: Partial<KeptDemo>): Promise<void> {
    this.#kept = { ...this.#kept, ...more };
    await this.#deps.write((changes) => this.#deps.kept.save(this.#kept, changes));
  }
}

const programOf = ({ id, name, tls, check }: ReceiverView) => ({ id, name, tls, check });
