/**
 * One world of audiences and deletions: the real engine on simulated time, which starts and dies, people who edit,
 * sync, stop, delete and suppress, and the judge that compares everything with a simple model.
 */
import { createHash } from 'node:crypto';
import type { Config } from '../../../src/contract/config.ts';
import type { AttemptRequest } from '../../../src/core/ports.ts';
import { storePath } from '../../../src/core/store/database.ts';
import { countingIds } from '../../helpers/sim-ports.ts';
import { Dice } from '../dice.ts';
import { Ended, Life, type Surroundings } from '../life.ts';
import { MemoryWorld } from '../memory-world.ts';
import { resultOf, status } from '../receivers.ts';
import { SimSealer } from '../sealer.ts';
import { SqliteWorld } from '../sqlite-world.ts';
import { WorldTime } from '../time.ts';
import type { StatementKind, StoreName, WorldStore } from '../world-store.ts';
import { Judge, type Now } from './judge.ts';
import { AudienceModel, SourceModel } from './model.ts';
import { People } from './people.ts';
import { configOf, drawPlan, type Plan } from './plan.ts';
import { type AudienceRows, MemoryAudienceRows, SqliteAudienceRows } from './rows.ts';
import type { Definition } from './rules.ts';

export interface Violation {
  readonly what: string;
  readonly detail: string;
}

export interface Report {
  readonly seed: number;
  /** SHA-256 of the event log. */
  readonly hash: string;
  readonly log: readonly string[];
  readonly violations: readonly Violation[];
  readonly messages: number;
  readonly sends: number;
  readonly syncs: number;
  readonly lives: number;
  /** Users whose membership by a rule was compared, over all looks. */
  readonly rulesChecked: number;
}

/** When the life ends by itself: around its `left`-th statement of this kind. */
export interface Doom {
  readonly at: 'beforeCommit' | 'afterCommit' | 'inTransaction';
  left: number;
}

/** How often the judge looks at what clients see. */
const LOOK_MS = 3_000;
const QUIET_MS = 30_000;
/** Within this time, rules have followed what happened. */
const RULE_LAG_MS = 2_000;

export class AudienceWorld {
  readonly plan: Plan;
  readonly time: WorldTime;
  readonly judge: Judge;
  readonly people: People;
  readonly #seed: number;
  readonly #store: WorldStore;
  readonly #rows: AudienceRows;
  readonly #ids = countingIds();
  readonly #sealer = new SimSealer();
  readonly #dice: Dice;
  readonly #log: string[] = [];
  readonly #violations: Violation[] = [];
  readonly #lives: Life[] = [];
  #config: Config | undefined;
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
    this.judge = new Judge(this.#rows, this.plan.shape, now, (what, detail) => this.violate(what, detail));
    for (const [i, { name, writeKey, isOn }] of this.plan.sources.entries())
      this.judge.sources.set(i + 1, new SourceModel(i + 1, name, writeKey, isOn));
    this.people = new People(this);
    this.#config = configOf(this.plan);
  }

  async run(): Promise<Report> {
    const onRejection = (error: unknown): void => this.thrown(error);
    process.on('unhandledRejection', onRejection);
    try {
      this.say(`seed ${this.#seed}: ${this.plan.text}`);
      this.#begin();
      await this.time.run(() => this.#isOver || this.#violations.length > 0);
    } catch (error) {
      this.violate('the harness', error instanceof Error ? (error.stack ?? error.message) : String(error));
    } finally {
      for (const life of this.#lives) life.release();
      process.off('unhandledRejection', onRejection);
      this.#rows.close();
      this.#store.remove();
    }
    return {
      seed: this.#seed,
      hash: createHash('sha256').update(this.#log.join('\n')).digest('hex'),
      log: this.#log,
      violations: this.#violations,
      messages: this.judge.messages,
      sends: this.judge.sends,
      syncs: this.judge.syncs.size,
      lives: this.#lives.length,
      rulesChecked: this.judge.rulesChecked,
    };
  }

  say(text: string): void {
    this.#log.push(`${this.time.real} ${text}`);
  }

  violate(what: string, detail: string): void {
    this.say(`VIOLATION ${what}: ${detail}`);
    this.#violations.push({ what, detail });
  }

  thrown(error: unknown): void {
    if (error instanceof Ended || this.#violations.length > 0) return;
    this.violate('something was thrown', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  audience(id: number, property: string, track: boolean, rule: Definition | null): AudienceModel {
    const audience = new AudienceModel(id, property, track, rule);
    this.ruleChanged();
    this.judge.audiences.set(id, audience);
    return audience;
  }

  /** What rules follow began anew: the process, a rule, or the speed of the clock. */
  ruleChanged(): void {
    this.#rulesSince = this.time.real;
  }

  #rulesSince = 0;

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
      this.violate('a world that does not come to rest', JSON.stringify([...this.judge.syncs.values()]));
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
      if (this.time.real - this.#rulesSince > 2 * RULE_LAG_MS) this.judge.checkRules({ lagMs: RULE_LAG_MS, speed });
    } finally {
      this.#isReading = false;
    }
  }

  #heal(): void {
    this.say('* everything is put right');
    this.#isHealed = true;
    this.doom = null;
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
    const life = new Life(number, this.#surroundings());
    this.#lives.push(life);
    this.life = life;
    life.start().then(
      () => this.#begun(life),
      (error: unknown) => {
        if (life.alive) this.thrown(error);
      },
    );
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
    this.judge.destination.holds(enabled);
    this.judge.shape.holds(body);
    for (const { id, webhooks } of workspace.sources.all) this.judge.sources.get(id)!.webhooks.holds(webhooks);
    const view = audiences.view();
    const byHand = [...view.audiences, ...view.traits].filter(({ sync }) => sync.when === 'hand');
    this.judge.begun(new Set(byHand.map(({ id }) => id)));
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

  #statement(life: Life, kind: StatementKind, done: boolean): void {
    const { doom } = this;
    if (doom === null || this.#isReading || life !== this.life || !life.up) return;
    const isPlace =
      doom.at === 'inTransaction'
        ? kind === 'write' && done
        : kind === 'commit' && done === (doom.at === 'afterCommit');
    if (!isPlace) return;
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
        if (lost !== null) this.judge.lostMove(Number(lost[1]));
      },
      committed: (life, changes) => {
        if (!life.alive) return;
        this.judge.committed(changes, this.time.wall());
        const moved = [...changes.messages].map((id) => `${id}=${this.judge.states.get(id)}`);
        if (moved.length > 0) this.say(`commit ${moved.join(' ')}`);
      },
      sent: (life, request) => this.#sent(life, request),
      moved: () => {},
      changed: () => {},
      told: () => {},
      statement: (life, kind, done) => this.#statement(life, kind, done),
    };
  }

  #sent(life: Life, request: AttemptRequest): ReturnType<Surroundings['sent']> {
    if (!life.alive) return null;
    const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength).toString('utf8');
    this.judge.sent(body);
    // What still fails after everything was put right would only last.
    const moment = { at: this.time.real, wall: this.time.wall() };
    const ending = this.#isHealed ? status(200, 10) : this.plan.receiver.answer(moment);
    const { afterMs, result } = resultOf(ending, request);
    if (result.outcome === 'accepted') this.judge.accepted(body);
    return { afterMs, result, ended: (outcome) => this.say(`sent ${body.slice(0, 60)} ${outcome}`) };
  }
}
