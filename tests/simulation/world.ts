/**
 * One world: an engine that lives and dies, the SDKs that call it, the receivers that it calls, the people who change
 * its settings, and everything that goes wrong in this seed. Runs until every message is final, then judges.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/contract/config.ts';
import type { ChangeBatch } from '../../src/contract/values.ts';
import type { AttemptRequest } from '../../src/core/ports.ts';
import { openStore, prepareFolder, storePath } from '../../src/core/store/database.ts';
import type { Changes } from '../../src/core/store/writer.ts';
import { countingIds } from '../helpers/sim-ports.ts';
import { CANARY, CANARY_HEADER } from './canaries.ts';
import { BACK_IN, READ_ERROR } from './constants.ts';
import { Dice } from './dice.ts';
import { Expectations, type Rules } from './expectations.ts';
import { Ended, Life, type Surroundings } from './life.ts';
import { Mirror } from './mirror.ts';
import { drawPlan, type Plan } from './plan.ts';
import { resultOf } from './receivers.ts';
import { Producer, type SentRequest, WRITE_KEY } from './requests.ts';
import { SimSealer } from './sealer.ts';
import { rollBack, type StatementKind, sqliteError } from './storage.ts';
import { WorldTime } from './time.ts';
import { Watch } from './watch.ts';

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
  readonly lives: number;
  readonly faults: readonly string[];
}

const MINUTE = 60_000;

/** A store fault: which statements fail, with which error, until when. */
export interface StoreFault {
  readonly code: string;
  readonly hits: 'all' | 'commit' | 'some' | 'once' | 'read';
  readonly until: number;
  /** Whether SQLite has rolled back by itself. */
  readonly rollsBack: boolean;
  /** `once` and `read`: statements that still go well. */
  left: number;
}

/** When the life ends of itself: around a statement, or at a send. */
export interface Doom {
  readonly at: 'beforeCommit' | 'afterCommit' | 'inTransaction' | 'send';
  left: number;
}

export class World {
  readonly seed: number;
  readonly dice: Dice;
  readonly time: WorldTime;
  readonly plan: Plan;
  readonly expect: Expectations;
  readonly folder: string;
  readonly watch: Watch;
  readonly log: string[] = [];
  readonly violations: Violation[] = [];
  readonly sealer = new SimSealer();
  readonly #answers: Dice;
  readonly #faultDice: Dice;
  readonly #producer: Producer;
  readonly #ids = countingIds();
  readonly #mirror: Mirror | null;
  readonly #waiting = new Map<SentRequest, number>();
  readonly #openSends = new Map<string, number>();
  #config: Config | undefined;
  #lives = 0;
  #impededAt = 0;
  #arrivalsLeft = 0;
  #isOver = false;
  life: Life | null = null;
  fault: StoreFault | null = null;
  doom: Doom | null = null;
  /** True from the moment at which everything that was wrong is put right. */
  healed = false;

  constructor(seed: number) {
    this.seed = seed;
    this.dice = new Dice(seed);
    this.time = new WorldTime(this.dice.fork(), (error) => this.#thrown(error));
    this.plan = drawPlan(this.dice.fork());
    this.#answers = this.dice.fork();
    this.#faultDice = this.dice.fork();
    this.#producer = new Producer(this.dice.fork());
    this.expect = new Expectations(this.time, this.plan.rules, (what, detail) => this.violate(what, detail));
    this.expect.secrets = [this.plan.secret];
    if (this.plan.rules.retryOn.includes('declined')) this.expect.mayRetryDeclined = true;
    this.folder = mkdtempSync(join(base(), 'hookbench-sim-'));
    copyFileSync(storePath(template()), storePath(this.folder));
    this.watch = new Watch(this.folder, this.expect);
    this.#mirror = this.plan.hasScreen ? new Mirror() : null;
    this.#config = configOf(this.plan);
  }

  async run(): Promise<Report> {
    const onRejection = (error: unknown): void => this.#thrown(error);
    process.on('unhandledRejection', onRejection);
    try {
      this.say(`seed ${this.seed}: ${this.plan.text}`);
      this.#schedule();
      await this.time.run(() => this.#isOver || this.violations.length > 0);
    } catch (error) {
      this.violate('the harness', error instanceof Error ? error.message : String(error));
    } finally {
      this.life?.end();
      this.life?.release();
      this.watch.close();
      process.off('unhandledRejection', onRejection);
      rmSync(this.folder, { recursive: true, force: true });
    }
    return {
      seed: this.seed,
      hash: createHash('sha256').update(this.log.join('\n')).digest('hex'),
      log: this.log,
      violations: this.violations,
      messages: this.watch.ids.length,
      sends: this.watch.sends,
      lives: this.#lives,
      faults: this.plan.faults,
    };
  }

  say(text: string): void {
    this.log.push(`${this.time.real} ${text}`);
  }

  violate(what: string, detail: string): void {
    this.say(`VIOLATION ${what}: ${detail}`);
    this.violations.push({ what, detail });
  }

  #thrown(error: unknown): void {
    if (error instanceof Ended || this.violations.length > 0) return;
    // A read that fails reaches nobody who could go on without it: the engine's thread ends, and a new one starts.
    if (isReadError(error)) return this.#die('ended by a read that failed', this.#faultDice.pick(BACK_IN));
    this.violate('something was thrown', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  // The course of things

  #schedule(): void {
    this.begin();
    for (const at of this.plan.arrivals) this.#at(at, () => this.#arrive(this.#producer.next(this.time.wall()), 0));
    this.#arrivalsLeft = this.plan.arrivals.length;
    for (const { at, name, act } of this.plan.events)
      this.#at(at, () => {
        this.say(`* ${name}`);
        act(this);
      });
    this.#at(this.plan.healsAt, () => this.#heal());
    this.#tick();
  }

  /** At `real` milliseconds after the start, or as soon after it as the machine is awake. */
  #at(ms: number, run: () => void): void {
    this.time.after(ms, run);
  }

  /** Every 30 s: is something forgotten, is everything done. */
  #tick(): void {
    this.time.after(30_000, () => {
      const { life } = this;
      const isStill = life?.up === true;
      if (!isStill || isHeld(life)) this.impede();
      if (isStill) this.watch.lookForStuck(life, this.time.mono() - this.#impededAt <= 31_000);
      if (this.healed && isStill && this.#arrivalsLeft === 0 && this.watch.isQuiet) return this.#finish(life);
      if (this.time.real > this.plan.endsBy + this.time.slept) {
        this.violate('a message that does not end', this.watch.ids.filter((id) => !this.watch.isFinal(id)).join(' '));
        return;
      }
      this.#tick();
    });
  }

  /** Something stood in the way of delivery just now. */
  impede(): void {
    this.#impededAt = this.time.mono();
  }

  #heal(): void {
    this.say('* everything is put right');
    this.healed = true;
    this.fault = null;
    this.doom = null;
    const again = this.sealer.isLocked || this.life === null;
    this.sealer.isLocked = false;
    if (again) this.crash(1_000);
    else this.#healByHand();
  }

  #healByHand(): void {
    this.plan.heal(this).catch((error: unknown) => this.#thrown(error));
  }

  /** True while the store may fail: a command may then fail too. */
  get isStoreWeak(): boolean {
    return this.fault !== null;
  }

  #finish(life: Life): void {
    this.time.after(2_000, () => {
      const seen = this.#mirror?.rows();
      if (seen !== undefined) this.#compareScreen(seen);
      if (this.violations.length > 0) return;
      life.stop().then(
        () => {
          this.life = null;
          this.watch.atEnd();
          this.#lookForSecrets();
          this.#isOver = true;
        },
        (error: unknown) => this.#thrown(error),
      );
    });
  }

  #compareScreen(seen: ReadonlyMap<number, string>): void {
    for (const { id, state, round, cells } of this.watch.rows()) {
      const shown = seen.get(id);
      const stored = `${state}/${round}/${cells}`;
      if (shown !== stored) this.violate('I9 the screen differs from the store', `${id}: ${shown} and ${stored}`);
    }
  }

  /** Secrets are in sealed columns only. */
  #lookForSecrets(): void {
    for (const name of ['store.sqlite', 'store.sqlite-wal']) {
      const path = join(this.folder, name);
      if (statSync(path, { throwIfNoEntry: false }) === undefined) continue;
      if (readFileSync(path).includes(CANARY)) this.violate('I11 a secret in the store', name);
    }
  }

  // Lives

  begin(): void {
    this.#lives += 1;
    const number = this.#lives;
    let life: Life;
    this.watch.catchUp();
    try {
      life = new Life(number, this.#surroundings());
    } catch (error) {
      this.say(`life ${number} cannot open the store: ${(error as { code?: string }).code}`);
      if (this.fault === null && !(error instanceof Ended)) this.#thrown(error);
      this.again(this.#answers.pick(START_AGAIN_IN));
      return;
    }
    this.life = life;
    this.expect.beganUnreadable(this.sealer.isLocked ? life : null);
    life.start().then(
      () => this.#begun(life),
      (error: unknown) => {
        if (!life.alive) return;
        this.say(`life ${number} cannot start: ${(error as { code?: string }).code}`);
        if (this.fault === null) this.#thrown(error);
        life.end();
        this.life = null;
        this.again(this.#answers.pick(START_AGAIN_IN));
      },
    );
  }

  #begun(life: Life): void {
    if (!life.alive) return;
    this.#config = undefined;
    this.say(`life ${life.number} begins`);
    this.watch.begun();
    this.impede();
    if (this.#mirror !== null) void this.#mirror.attach(life).catch(() => {});
    if (this.healed) this.#healByHand();
  }

  /** Another life in a while. */
  again(afterMs: number): void {
    this.expect.restarted();
    this.time.after(afterMs, () => {
      if (this.life === null && !this.#isOver) this.begin();
    });
  }

  /** The process is killed where it stands, and started again. */
  crash(backInMs: number): void {
    this.#die('crash', backInMs);
  }

  #die(how: string, backInMs: number): void {
    const { life } = this;
    this.say(`${how}, back in ${backInMs} ms`);
    for (const request of this.#waiting.keys())
      for (const { messageId } of request.calls) this.expect.mayBeStored.add(messageId);
    this.#openSends.clear();
    if (life === null) return this.again(backInMs);
    this.life = null;
    life.end();
    this.#retryUnanswered();
    this.again(backInMs);
  }

  /** Stopped in order, and started again. */
  restart(backInMs: number): void {
    const { life } = this;
    if (life === null || !life.up) return;
    this.say('clean stop');
    life.stop().then(
      () => {
        if (this.life !== life) return;
        this.life = null;
        this.say('stopped');
        if (this.fault === null) this.watch.begun();
        this.#openSends.clear();
        this.#retryUnanswered();
        this.again(backInMs);
      },
      (error: unknown) => this.#thrown(error),
    );
  }

  #surroundings(): Surroundings {
    return {
      time: this.time,
      folder: this.folder,
      ids: this.#ids,
      sealer: this.sealer,
      config: this.#config,
      logged: (text) => {
        if (text.includes(CANARY)) this.violate('I11 a secret in the log', text);
        this.say(`log ${text}`);
      },
      committed: (life, changes) => this.#committed(life, changes),
      sent: (life, request) => this.#sent(life, request),
      changed: (life, batch) => this.#changed(life, batch),
      told: (text) => {
        if (text.includes(CANARY)) this.violate('I11 a secret over the contract', text.slice(0, 300));
      },
      statement: (life, kind, done, db) => this.#statement(life, kind, done, db),
    };
  }

  #committed(life: Life, changes: Changes): void {
    if (life.alive) this.say(`commit ${this.watch.committed(life, changes.messages)}`);
  }

  #changed(life: Life, batch: ChangeBatch): void {
    if (life.alive) this.#mirror?.apply(batch);
  }

  // Storage

  #statement(life: Life, kind: StatementKind, done: boolean, db: Parameters<typeof rollBack>[0] | null): void {
    this.#mayEnd(life, kind, done);
    const { fault } = this;
    if (done || fault === null || (kind === 'read') !== (fault.hits === 'read')) return;
    if (this.time.real >= fault.until) {
      this.fault = null;
      this.say('the store is well again');
      return;
    }
    if (!this.#isHit(fault, kind)) return;
    this.impede();
    if (fault.rollsBack && kind !== 'begin' && kind !== 'read') rollBack(db!);
    throw sqliteError(fault.code);
  }

  #isHit(fault: StoreFault, kind: StatementKind): boolean {
    switch (fault.hits) {
      case 'all':
        return true;
      case 'commit':
        return kind === 'commit';
      case 'some':
        return this.#faultDice.chance(0.15);
      case 'once':
      case 'read':
        fault.left -= 1;
        return fault.left === 0;
    }
  }

  #mayEnd(life: Life, kind: StatementKind, done: boolean): void {
    const { doom } = this;
    if (doom === null || doom.at === 'send' || life !== this.life || !life.up) return;
    const isPlace =
      doom.at === 'inTransaction'
        ? kind === 'write' && done
        : kind === 'commit' && done === (doom.at === 'afterCommit');
    if (!isPlace) return;
    doom.left -= 1;
    if (doom.left > 0) return;
    this.doom = null;
    this.#die(`killed ${doom.at}`, this.#faultDice.pick(BACK_IN));
    throw new Ended();
  }

  // Requests in

  #arrive(sent: SentRequest, tries: number): void {
    if (tries === 0) this.#arrivalsLeft -= 1;
    const { life } = this;
    if (life === null || !life.up) return this.#later(sent, tries);
    for (const other of this.#waiting.keys())
      for (const { messageId } of other.calls) this.expect.mayBeStored.add(messageId);
    this.#waiting.set(sent, tries);
    this.say(`request ${sent.name} ${sent.calls.map(({ messageId }) => messageId).join(' ')}`);
    life.handle(sent.request).then(
      ({ status }) => {
        this.#waiting.delete(sent);
        this.say(`answer ${status} ${sent.name} ${sent.calls.map(({ messageId }) => messageId).join(' ')}`);
        this.watch.answered(sent, status);
        if (status >= 500) this.#later(sent, tries);
        else if (status !== 200 && status !== 400) this.violate('an answer of another kind', String(status));
        else if (status === 400 && sent.name !== 'nonsense' && sent.calls.length > 0)
          this.violate('a good request refused', sent.name);
      },
      (error: unknown) => this.#thrown(error),
    );
  }

  /** SDKs try again when they got no answer or a 5xx; up to 10 times. */
  #later(sent: SentRequest, tries: number): void {
    if (tries >= 10) return;
    this.#arrivalsLeft += 1;
    this.time.after(this.#answers.between(500, 60_000), () => {
      this.#arrivalsLeft -= 1;
      this.#arrive(sent, tries + 1);
    });
  }

  #retryUnanswered(): void {
    const unanswered = [...this.#waiting];
    this.#waiting.clear();
    for (const [sent, tries] of unanswered) this.#later(sent, tries);
  }

  // Requests out

  #sent(life: Life, request: AttemptRequest): ReturnType<Surroundings['sent']> {
    const { doom } = this;
    if (doom?.at === 'send' && life.up && --doom.left <= 0) {
      this.doom = null;
      this.#die('killed at a send', this.#faultDice.pick(BACK_IN));
      return null;
    }
    const send = this.watch.sent(life, request);
    if (send === null) return null;
    const receiver = this.plan.receiverOf(request.url);
    const ending = receiver.answer({ at: this.time.real, wall: this.time.wall() });
    const { afterMs, result } = resultOf(ending, request);
    const key = String(send.attempt.webhook);
    const open = (this.#openSends.get(key) ?? 0) + 1;
    this.#openSends.set(key, open);
    if (open >= 16) this.impede();
    this.say(`send ${send.mark} #${send.attempt.id} to ${send.attempt.webhook} ${receiver.name}`);
    return {
      afterMs,
      result,
      ended: (outcome) => {
        this.#openSends.set(key, (this.#openSends.get(key) ?? 1) - 1);
        this.say(`end ${send.mark} #${send.attempt.id} ${outcome}`);
        this.watch.ended(send, {
          outcome,
          asks: outcome === result.outcome && result.status !== null ? ending.asks : () => null,
        });
      },
    };
  }
}

const isReadError = (error: unknown): boolean => (error as { code?: string } | null)?.code === READ_ERROR;

/** Whether a person, or a secret that cannot be read, holds all delivery. */
function isHeld({ engine: { workspace } }: Life): boolean {
  const settings: { readonly paused?: boolean } = workspace.destinationSettings;
  return settings.paused === true || !workspace.secretsReadable;
}

/** How long a person waits before the next try of a start that failed. */
const START_AGAIN_IN = [5_000, MINUTE, 10 * MINUTE] as const;

function configOf(plan: Plan): Config {
  return {
    sources: [{ name: 'sim', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true }],
    webhooks: {
      sharedSecret: plan.secret ?? undefined,
      ...rulesOf(plan.rules),
      entries: plan.urls.map((url, i) => ({
        name: `w${i + 1}`,
        url,
        headers: { 'X-Token': CANARY_HEADER },
        enabled: true,
      })),
    },
  };
}

function rulesOf({ retryOn, retryAfter, ...retry }: Rules) {
  return {
    retryOn: retryOn as NonNullable<NonNullable<Config['webhooks']>['retryOn']>,
    retryAfter,
    retry: { ...retry, seed: 1 },
  };
}

/** Memory where the system has it as a folder: a sync costs nothing there. */
function base(): string {
  const memory = '/dev/shm';
  return process.platform === 'linux' && statSync(memory, { throwIfNoEntry: false })?.isDirectory() ? memory : tmpdir();
}

let made: string | null = null;

/** A fresh store, made once a process and copied for each world. */
function template(): string {
  if (made !== null) return made;
  const folder = mkdtempSync(join(base(), 'hookbench-sim-'));
  mkdirSync(folder, { recursive: true });
  prepareFolder(folder);
  openStore(folder).close();
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  made = folder;
  return folder;
}
