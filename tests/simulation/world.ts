/**
 * One world: an engine that starts and dies, the SDKs that call it, the receivers that it calls, the people who change
 * its settings, and everything that goes wrong under this seed. Runs until every message is final, then judges.
 */
import type { Config } from '../../src/contract/config.ts';
import type { Changes } from '../../src/core/store/ports/changes.ts';
import { countingIds } from '../helpers/sim-ports.ts';
import { CANARY } from './canaries.ts';
import { BACK_IN, READ_ERROR, START_AGAIN_IN } from './constants.ts';
import { Dice } from './dice.ts';
import { Disasters } from './disasters.ts';
import { checkAlone, checkMemory, checkScreen } from './end-checks.ts';
import { Expectations } from './expectations.ts';
import { History, type Told } from './history.ts';
import { Life, type Surroundings } from './life.ts';
import { MemoryWorld } from './memory-world.ts';
import { Mirror } from './mirror.ts';
import { configOf, drawPlan, type Plan } from './plan.ts';
import { Sdks } from './sdks.ts';
import { SimSealer } from './sealer.ts';
import { Sends } from './sends.ts';
import { SqliteWorld } from './sqlite-world.ts';
import { WorldTime } from './time.ts';
import { Watch } from './watch.ts';
import type { StoreName, WorldStore } from './world-store.ts';

export interface Report extends Told {
  readonly seed: number;
  readonly messages: number;
  readonly sends: number;
  readonly lives: number;
  readonly faults: readonly string[];
}

/** How often the world checks for forgotten messages, and for its end. */
const TICK_MS = 30_000;

export class World {
  readonly seed: number;
  readonly store: WorldStore;
  readonly time: WorldTime;
  readonly plan: Plan;
  readonly expect: Expectations;
  readonly watch: Watch;
  readonly disasters: Disasters;
  readonly sealer = new SimSealer();
  readonly #history: History;
  readonly #dice: Dice;
  readonly #sdks: Sdks;
  readonly #sends = new Sends(this);
  readonly #ids = countingIds();
  readonly #mirror: Mirror | null;
  readonly #lives: Life[] = [];
  #config: Config | undefined;
  #starts = 0;
  #impededAt = 0;
  #isOver = false;
  /** The process that runs, starts or stops. */
  life: Life | null = null;
  /** True until the next send, whose message something other than the engine stops. */
  isHandNear = false;
  /** True once everything that was wrong is being fixed. */
  healed = false;

  /** The plan is drawn from the seed, or given. */
  constructor(seed: number, { store = 'sqlite', plan }: { readonly store?: StoreName; readonly plan?: Plan } = {}) {
    this.seed = seed;
    this.store = store === 'memory' ? new MemoryWorld() : new SqliteWorld();
    const dice = new Dice(seed);
    this.time = new WorldTime(dice.fork(), (error) => this.thrown(error));
    const drawn = drawPlan(dice.fork(), store);
    this.#history = new History(() => this.time.real);
    this.plan = plan ?? drawn;
    this.#dice = dice.fork();
    this.#sdks = new Sdks(this, dice.fork());
    this.disasters = new Disasters(this, dice.fork());
    this.expect = new Expectations(this.time, this.plan, (what, detail) => this.violate(what, detail));
    this.watch = new Watch(this.store.rows, this.expect);
    this.#mirror = this.plan.hasScreen ? new Mirror() : null;
    this.#config = configOf(this.plan);
  }

  async run(): Promise<Report> {
    const onRejection = (error: unknown): void => this.thrown(error);
    process.on('unhandledRejection', onRejection);
    try {
      this.say(`seed ${this.seed}: ${this.plan.text}`);
      this.#schedule();
      await this.time.run(() => this.#isOver || this.#history.isBroken);
    } catch (error) {
      this.#history.failed(error);
    } finally {
      for (const life of this.#lives) life.release();
      process.off('unhandledRejection', onRejection);
      this.store.remove();
    }
    return this.#report();
  }

  #report(): Report {
    return {
      seed: this.seed,
      ...this.#history.told(),
      messages: this.watch.ids.length,
      sends: this.watch.sends,
      lives: this.#starts,
      faults: this.plan.faults,
    };
  }

  say(text: string): void {
    this.#history.say(text);
  }

  violate(what: string, detail: string): void {
    this.#history.violate(what, detail);
  }

  /** An uncaught error reached the event loop. */
  thrown(error: unknown): void {
    // Nobody can continue after this failed read, so the engine's thread ends and a new one starts.
    if (!this.#history.isBroken && (error as { code?: string } | null)?.code === READ_ERROR)
      return this.die('ended by a read that failed', this.#dice.pick(BACK_IN));
    this.#history.thrown(error);
  }

  /** True when something has just blocked delivery. */
  impede(): void {
    this.#impededAt = this.time.mono();
  }

  /** True while the store may fail, so that a command may fail too. */
  get isStoreWeak(): boolean {
    return this.disasters.isStoreWeak;
  }

  // The course of things

  #schedule(): void {
    this.#begin();
    for (const at of this.plan.arrivals) this.#sdks.plan(at);
    for (const { at, name, act } of this.plan.events)
      this.time.after(at, () => {
        this.say(`* ${name}`);
        act(this);
      });
    this.time.after(this.plan.healsAt, () => this.#heal());
    this.#tick();
  }

  #tick(): void {
    this.time.after(TICK_MS, () => {
      const { life } = this;
      const isStill = life?.up === true;
      if (!isStill || isHeld(life)) this.impede();
      if (isStill) this.watch.lookForStuck(life, this.time.mono() - this.#impededAt <= TICK_MS + 1_000);
      if (this.healed && isStill && this.#sdks.areDone && this.watch.isQuiet) return this.#finish(life);
      if (this.time.mono() <= this.plan.endsBy) return this.#tick();
      this.violate('a message that does not end', this.watch.waiting.join(' '));
    });
  }

  #heal(): void {
    this.say('* everything is put right');
    this.healed = true;
    this.disasters.end();
    const again = this.sealer.isLocked || this.life === null;
    this.sealer.isLocked = false;
    if (again) this.crash(1_000);
    else this.#healByHand();
  }

  #healByHand(): void {
    this.plan.heal(this).catch((error: unknown) => this.thrown(error));
  }

  #finish(life: Life): void {
    this.time.after(2_000, () => {
      const seen = this.#mirror?.rows();
      if (seen !== undefined) checkScreen(this, seen);
      checkMemory(this, life);
      this.watch.counts.checkShown(life);
      if (this.plan.hasScreen && this.store.isLocked) checkAlone(this, this.#surroundings());
      life.stop().then(
        () => this.#judge(),
        (error: unknown) => this.thrown(error),
      );
    });
  }

  #judge(): void {
    this.life = null;
    this.watch.atEnd();
    for (const name of this.store.placesOf(CANARY)) this.violate('I11 a secret in the store', name);
    this.#isOver = true;
  }

  // Lives

  #begin(): void {
    this.#starts += 1;
    const number = this.#starts;
    this.watch.catchUp();
    let life: Life;
    try {
      life = new Life(number, this.#surroundings());
    } catch (error) {
      return this.#cannotStart(number, error);
    }
    this.#lives.push(life);
    this.life = life;
    this.expect.beganUnreadable(this.sealer.isLocked ? life : null);
    life.start().then(
      () => this.#begun(life),
      (error: unknown) => {
        if (!life.alive) return;
        life.end();
        this.life = null;
        this.#cannotStart(number, error);
      },
    );
  }

  #cannotStart(number: number, error: unknown): void {
    this.say(`life ${number} cannot start: ${(error as { code?: string }).code}`);
    if (!this.isStoreWeak) this.thrown(error);
    this.#again(this.#dice.pick(START_AGAIN_IN));
  }

  #begun(life: Life): void {
    if (!life.alive) return;
    this.#config = undefined;
    this.say(`life ${life.number} begins`);
    this.watch.begun();
    this.watch.counts.checkShown(life);
    this.impede();
    if (this.#mirror !== null) void this.#mirror.attach(life).catch(() => {});
    if (this.healed) this.#healByHand();
  }

  #again(afterMs: number): void {
    this.expect.restarted();
    this.time.after(afterMs, () => {
      if (this.life === null && !this.#isOver) this.#begin();
    });
  }

  /** Kills the process at any point and starts it again. */
  crash(backInMs: number): void {
    this.die('crash', backInMs);
  }

  /** As {@link crash}, and logs how. */
  die(how: string, backInMs: number): void {
    const { life } = this;
    this.say(`${how}, back in ${backInMs} ms`);
    this.life = null;
    life?.end();
    this.#gone(backInMs);
  }

  /** Stops the process in order and starts it again. */
  restart(backInMs: number): void {
    const { life } = this;
    if (life === null || !life.up) return;
    this.say('clean stop');
    const wasWeak = this.isStoreWeak;
    life.stop().then(
      () => {
        if (this.life !== life) return;
        this.life = null;
        this.say('stopped');
        // Rows that could not be written by then stay open until the next start.
        if (!wasWeak && !this.isStoreWeak) this.watch.begun();
        this.#gone(backInMs);
      },
      (error: unknown) => this.thrown(error),
    );
  }

  #gone(backInMs: number): void {
    this.#sends.serverGone();
    this.#sdks.serverGone();
    this.#again(backInMs);
  }

  #surroundings(): Surroundings {
    return {
      time: this.time,
      store: this.store,
      ids: this.#ids,
      sealer: this.sealer,
      config: this.#config,
      logged: (text) => {
        if (text.includes(CANARY)) this.violate('I11 a secret in the log', text);
        // Stacks contain the source folder, so they would make the history differ between machines.
        this.say(`log ${text.split('\\n')[0]}`);
      },
      committed: (life, changes) => this.#committed(life, changes),
      sent: (life, request) => this.#sends.sent(life, request),
      moved: (life, event) => {
        if (life.alive) this.watch.told(event);
      },
      changed: (life, batch) => {
        if (life.alive) this.#mirror?.apply(batch);
      },
      told: (text) => {
        if (text.includes(CANARY)) this.violate('I11 a secret over the contract', text.slice(0, 300));
      },
      statement: (life, kind, done, rollBack) => this.disasters.statement(life, kind, done, rollBack),
    };
  }

  #committed(life: Life, changes: Changes): void {
    if (!life.alive) return;
    if (changes.removed.length > 0) {
      this.say(`removed ${changes.removed.join(' ')}`);
      this.watch.removed(changes.removed);
    }
    if (changes.messages.size > 0) this.say(`commit ${this.watch.committed(life, changes.messages)}`);
  }
}

/** Whether the user or an unreadable secret holds all delivery. */
function isHeld({ engine }: Life): boolean {
  const { workspace } = engine.parts;
  return workspace.destination.settings.paused || !workspace.secretsReadable;
}
