/**
 * One world of audiences and deletions: the real engine on simulated time, which starts and dies, people who edit,
 * sync, stop, delete and suppress, and the judge that compares everything with a simple model.
 */
import type { Config } from '../../../src/contract/config.ts';
import type { AttemptRequest } from '../../../src/core/ports.ts';
import { storePath } from '../../../src/core/store/database.ts';
import { countingIds } from '../../helpers/sim-ports.ts';
import { START_AGAIN_IN } from '../constants.ts';
import { Dice } from '../dice.ts';
import { comesAt, type Doom } from '../doom.ts';
import { History, type Told } from '../history.ts';
import { Ended, Life, type Surroundings } from '../life.ts';
import { MemoryWorld } from '../memory-world.ts';
import { resultOf, status } from '../receivers.ts';
import { SimSealer } from '../sealer.ts';
import { SqliteWorld } from '../sqlite-world.ts';
import { type NewFault, StoreFaults } from '../store-faults.ts';
import { WorldTime } from '../time.ts';
import type { StatementKind, StoreName, WorldStore } from '../world-store.ts';
import { Facts, type Now } from './judge/facts.ts';
import { Judge } from './judge/judge.ts';
import { AudienceModel, SourceModel } from './model.ts';
import { People } from './people.ts';
import { configOf, drawPlan, type Plan } from './plan.ts';
import { type AudienceRows, MemoryAudienceRows, SqliteAudienceRows } from './rows.ts';
import type { Definition } from './rules.ts';

export interface Report extends Told {
  readonly seed: number;
  readonly messages: number;
  readonly sends: number;
  readonly syncs: number;
  readonly lives: number;
  /** Users whose membership by a rule was compared, over all looks. */
  readonly rulesChecked: number;
  /** Imports that were answered, messages that storage limits or an erase removed, statements that the store refused. */
  readonly imports: number;
  readonly removed: number;
  readonly refused: number;
}

/** How often the judge looks at what clients see. */
const LOOK_MS = 3_000;
const QUIET_MS = 30_000;
/** Within this time, rules have followed what happened. */
const RULE_LAG_MS = 2_000;
/** What rules could not write is tried again within this time. */
const AGAIN_MS = 5_000;

export class AudienceWorld {
  readonly plan: Plan;
  readonly time: WorldTime;
  readonly facts: Facts;
  readonly judge: Judge;
  readonly people: People;
  readonly #seed: number;
  readonly #store: WorldStore;
  readonly #rows: AudienceRows;
  readonly #ids = countingIds();
  readonly #sealer = new SimSealer();
  readonly #dice: Dice;
  readonly #history = new History(() => this.time.real);
  readonly #faults: StoreFaults;
  readonly #lives: Life[] = [];
  #config: Config | undefined;
  #refused = 0;
  /** At the beginning of this life. */
  #refusedBefore = 0;
  #isReading = false;
  #isHealed = false;
  #isOver = false;
  doom: Doom | null = null;
  /** The process that runs, starts or stops. */
  life: Life | null = null;

  constructor(seed: number, store: StoreName = 'sqlite') {
    this.#seed = seed;
    const dice = new Dice(seed);
    this.time = new WorldTime(dice.fork(), (error) => this.thrown(error));
    this.plan = drawPlan(dice.fork());
    this.#dice = dice.fork();
    if (store === 'memory') {
      const world = new MemoryWorld();
      this.#rows = new MemoryAudienceRows(world.tables);
      this.#store = world;
    } else {
      this.#store = new SqliteWorld();
      this.#rows = new SqliteAudienceRows(storePath(this.#store.folder));
    }
    const now = (): Now => ({ clock: this.life?.engine.parts.retryClock.now() ?? null, real: this.time.real });
    this.facts = new Facts(this.#rows, this.plan.shape, now, (what, detail) => this.violate(what, detail));
    this.judge = new Judge(this.facts);
    this.#faults = new StoreFaults({
      dice: dice.fork(),
      now: () => this.time.real,
      say: (text) => this.say(text),
      failure: (code) => this.#store.failure(code),
      hit: () => {
        this.#refused += 1;
      },
    });
    for (const [i, { name, writeKey, isOn }] of this.plan.sources.entries())
      this.facts.sources.set(i + 1, new SourceModel(i + 1, name, writeKey, isOn));
    this.people = new People(this);
    this.#config = configOf(this.plan);
  }

  async run(): Promise<Report> {
    const onRejection = (error: unknown): void => this.thrown(error);
    process.on('unhandledRejection', onRejection);
    try {
      this.say(`seed ${this.#seed}: ${this.plan.text}`);
      this.#begin();
      await this.time.run(() => this.#isOver || this.#history.isBroken);
    } catch (error) {
      this.#history.failed(error);
    } finally {
      for (const life of this.#lives) life.release();
      process.off('unhandledRejection', onRejection);
      this.#rows.close();
      this.#store.remove();
    }
    return {
      seed: this.#seed,
      ...this.#history.told(),
      messages: this.facts.states.size,
      sends: this.judge.messages.sends,
      syncs: this.facts.syncs.size,
      lives: this.#lives.length,
      rulesChecked: this.judge.rulesChecked,
      imports: this.people.imports,
      removed: this.judge.messages.gone,
      refused: this.#refused,
    };
  }

  say(text: string): void {
    this.#history.say(text);
  }

  violate(what: string, detail: string): void {
    this.#history.violate(what, detail);
  }

  thrown(error: unknown): void {
    this.#history.thrown(error);
  }

  audience(id: number, property: string, track: boolean, rule: Definition | null): AudienceModel {
    const audience = new AudienceModel(id, property, track, rule);
    this.ruleChanged();
    this.facts.audiences.set(id, audience);
    return audience;
  }

  /** What rules follow began anew, or does so in `inMs`: the process, a rule, the speed of the clock, a store that works. */
  ruleChanged(inMs = 0): void {
    this.#rulesSince = Math.max(this.#rulesSince, this.time.real + inMs);
  }

  #rulesSince = 0;

  /** The store fails for `ms` real milliseconds. */
  fail(fault: NewFault, ms: number): void {
    if (this.#isHealed) return;
    this.#faults.begin(fault, ms);
    this.ruleChanged(ms + AGAIN_MS);
  }

  /** True while the store may fail, so that a command may fail too. */
  get isStoreWeak(): boolean {
    return this.#faults.isWeak;
  }

  // The course of things

  async #prepare(): Promise<void> {
    await this.people.begin();
    for (const { at, name, act } of this.plan.events)
      this.time.after(at, () => {
        this.say(`* ${name}`);
        this.#caught(act(this));
      });
    this.time.after(this.plan.healsAt, () => this.#heal());
    this.#look();
  }

  #caught(work: unknown): void {
    Promise.resolve(work).catch((error: unknown) => this.thrown(error));
  }

  #look(): void {
    this.time.after(this.#isHealed ? QUIET_MS : LOOK_MS, () => {
      if (this.life?.up === true) this.#lookAt(this.life);
      if (this.#isHealed && this.life?.up === true) {
        if (this.judge.isQuiet && this.#wasQuiet) return this.#finish(this.life);
        this.#wasQuiet = this.judge.isQuiet;
        this.#caught(this.people.heal());
      }
      if (this.time.mono() <= this.plan.endsBy) return this.#look();
      this.violate('a world that does not come to rest', JSON.stringify([...this.facts.syncs.values()]));
    });
  }

  #wasQuiet = false;

  /** Reads what clients would see. A planned end of the life waits meanwhile. */
  #lookAt({ engine }: Life): void {
    this.#isReading = true;
    try {
      const { audiences, deletions } = engine.parts;
      const view = audiences.view();
      this.judge.look({ audiences: [...view.audiences, ...view.traits], deletions: deletions.view() });
      const { speed } = engine.parts.retryClock.state;
      if (this.time.real - this.#rulesSince > 2 * RULE_LAG_MS) this.judge.checkComputed({ lagMs: RULE_LAG_MS, speed });
    } finally {
      this.#isReading = false;
    }
  }

  #heal(): void {
    this.say('* everything is put right');
    this.#isHealed = true;
    this.doom = null;
    this.#faults.end();
    if (this.life === null) return;
    this.#caught(this.people.heal());
  }

  #finish(life: Life): void {
    this.#lookAt(life);
    life.stop().then(
      () => {
        this.life = null;
        this.judge.atEnd();
        this.#isOver = true;
      },
      (error: unknown) => this.thrown(error),
    );
  }

  // Lives

  #begin(): void {
    const number = this.#lives.length + 1;
    this.judge.catchUp(this.time.wall());
    this.#refusedBefore = this.#refused;
    let life: Life;
    try {
      life = new Life(number, this.#surroundings());
    } catch (error) {
      return this.#cannotStart(number, error);
    }
    this.#lives.push(life);
    this.life = life;
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
    this.time.after(this.#dice.pick(START_AGAIN_IN), () => {
      if (this.life === null && !this.#isOver) this.#begin();
    });
  }

  #begun(life: Life): void {
    if (!life.alive) return;
    this.say(`life ${life.number} begins`);
    this.ruleChanged();
    if (this.#config !== undefined) {
      this.#config = undefined;
      return this.#caught(this.#prepare());
    }
    const { workspace, audiences } = life.engine.parts;
    const { enabled, body } = workspace.destination.settings;
    this.facts.destination.holds(enabled);
    this.facts.shape.holds(body);
    for (const { id, webhooks } of workspace.sources.all) this.facts.sources.get(id)!.webhooks.holds(webhooks);
    const view = audiences.view();
    const byHand = [...view.audiences, ...view.traits].filter(({ sync }) => sync.when === 'hand');
    // What the store refused to take down at the start is taken down later.
    const isTaken = this.#refused === this.#refusedBefore;
    this.judge.begun(new Set(isTaken ? byHand.map(({ id }) => id) : []));
  }

  /** Kills the process at any point and starts it again. */
  crash(backInMs: number): void {
    const { life } = this;
    if (life === null || !life.up) return;
    this.say(`crash, back in ${backInMs} ms`);
    this.#died(life, backInMs);
  }

  #died(life: Life, backInMs: number): void {
    life.end();
    this.#diedAt = this.time.wall();
    this.#gone(backInMs);
  }

  #diedAt = 0;

  /** Stops the process in order and starts it again. */
  restart(backInMs: number): void {
    const { life } = this;
    if (life === null || !life.up) return;
    this.say('clean stop');
    life.stop().then(
      () => {
        if (this.life === life) this.#gone(backInMs);
      },
      (error: unknown) => this.thrown(error),
    );
  }

  #gone(backInMs: number): void {
    this.life = null;
    this.judge.catchUp(this.#diedAt);
    this.time.after(backInMs, () => {
      if (this.life === null && !this.#isOver) this.#begin();
    });
  }

  #statement(life: Life, kind: StatementKind, done: boolean, rollBack: () => void): void {
    this.#checkDoom(life, kind, done);
    if (!done && !this.#isReading) this.#faults.check(kind, rollBack);
  }

  #checkDoom(life: Life, kind: StatementKind, done: boolean): void {
    const { doom } = this;
    const isNear = doom !== null && !this.#isReading && life === this.life && life.up;
    if (!isNear || !comesAt(doom, kind, done)) return;
    doom.left -= 1;
    if (doom.left > 0) return;
    this.doom = null;
    this.say(`killed, ${doom.at}`);
    life.end();
    this.#diedAt = this.time.wall();
    // The store is closed in a later turn, and until then it may have a transaction open.
    this.life = null;
    this.time.after(1, () => this.#gone(this.#dice.pick([10, 1_000, 60_000])));
    throw new Ended();
  }

  #surroundings(): Surroundings {
    return {
      time: this.time,
      store: this.#store,
      ids: this.#ids,
      sealer: this.#sealer,
      config: this.#config,
      logged: (text) => {
        this.say(`log ${text.split('\\n')[0]}`);
        const lost = /^warn move_lost \{"message":(\d+)/.exec(text);
        if (lost !== null) this.judge.messages.lostMove(Number(lost[1]));
      },
      committed: (life, changes) => {
        if (!life.alive) return;
        this.judge.committed(changes, this.time.wall());
        const moved = [...changes.messages].map((id) => `${id}=${this.facts.states.get(id)}`);
        if (moved.length > 0) this.say(`commit ${moved.join(' ')}`);
      },
      sent: (life, request) => this.#sent(life, request),
      moved: () => {},
      changed: () => {},
      told: () => {},
      statement: (life, kind, done, rollBack) => this.#statement(life, kind, done, rollBack),
    };
  }

  #sent(life: Life, request: AttemptRequest): ReturnType<Surroundings['sent']> {
    if (!life.alive) return null;
    const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength).toString('utf8');
    this.judge.messages.sent(body);
    // What still fails after everything was put right would only last.
    const moment = { at: this.time.real, wall: this.time.wall() };
    const ending = this.#isHealed ? status(200, 10) : this.plan.receiver.answer(moment);
    const { afterMs, result } = resultOf(ending, request);
    if (result.outcome === 'accepted') this.judge.messages.accepted(body);
    return { afterMs, result, ended: (outcome) => this.say(`sent ${body.slice(0, 60)} ${outcome}`) };
  }
}
