/** Starts `serve` repeatedly, ends each life as planned, and checks what every kill left. */
import { migrations } from '../../src/core/store/migrations.ts';
import { type Driven, drive } from './drive.ts';
import type { Violation } from './judge.ts';
import { PATHS, REPLAY_SLOT, SECRETS } from './messages.ts';
import { halfMigrated, makeOlder, type StoreShape } from './old-store.ts';
import { type Chance, type LifePlan, reaches } from './plan.ts';
import { pause, within } from './processes.ts';
import { type KillOptions, type Seen, violation } from './report.ts';
import { type Serve, type ServeSetup, startServe, workspaceOf } from './serve.ts';
import { StoreReader } from './store-reader.ts';

type FailpointLife = Extract<LifePlan, { end: 'failpoint' }>;

/** Longest time after the ready line at which it is killed. */
const LATEST_KILL_MS = 400;
/** Every fifth kill comes during the start: in the middle of recovery, or before it. */
const START_KILL_EVERY = 5;
/** One life in ten is longer, so that the backlog of the short ones is delivered and much is final. */
const isLong = (life: number): boolean => life % 10 === 7;
const LONG_LIFE_MS = 2_000;
/** How long a life may take to reach its failpoint. */
const REACH_MS = 20_000;
/** Senders of a webhook (decisions, Delivery). */
const SENDERS = 16;
/** The slower the machine, the longer the load lasts, and the more is left to deliver after it. */
const SETTLE_MS_A_MESSAGE = 10;
/** The version that a life which ends in a migration starts from. */
const OLD_VERSION = 1;

const median = (numbers: readonly number[]): number =>
  Math.round([...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0);

export class Killer {
  readonly #options: KillOptions;
  readonly #setup: ServeSetup;
  readonly #workspace: string;
  readonly #random: Chance;
  readonly #keepsSecret: boolean;
  readonly #reader: StoreReader;
  readonly #starts: number[] = [];
  readonly #finalBeforeLife = new Map<string, { life: number; state: string }>();
  readonly #openAtKills = new Map<string, number>();
  readonly #failpoints = new Map<FailpointLife['name'], { kills: number; missed: number }>();
  readonly #broken: Violation[] = [];
  readonly #driven: Driven = { replays: [], secret: 0 };
  #inFlight = { total: 0, most: 0 };
  #duringStart = 0;
  #stored = 0;
  #current: Serve | null = null;

  constructor(options: KillOptions, setup: ServeSetup, random: Chance) {
    this.#options = options;
    this.#setup = setup;
    this.#workspace = workspaceOf(setup.folder);
    this.#random = random;
    this.#keepsSecret = reaches(options.plan, 'secret_written');
    this.#reader = new StoreReader(this.#workspace);
  }

  /** Leaves nothing running, wherever it stopped. */
  abandon(): void {
    this.#current?.kill('SIGKILL');
  }

  /** Kills it as planned, then starts it once more. */
  async killAll(): Promise<Serve> {
    const { plan, say } = this.#options;
    for (const [i, life] of plan.entries()) {
      await this.#oneLife(i + 1, life);
      if ((i + 1) % 10 === 0 || i + 1 === plan.length)
        say(
          `kills ${i + 1}/${plan.length}  stored ${this.#stored}  final ${this.#finalBeforeLife.size}  ` +
            `in flight at a kill ${this.#inFlight.most} at most  start ${median(this.#starts)} ms`,
        );
    }
    const last = this.#start(plan.length + 1);
    if ((await this.#ready(last)) === null) {
      this.#add('serve did not start after the last kill', last.errors());
      throw new Error(JSON.stringify(this.#broken, null, 2));
    }
    return last;
  }

  #start(number: number, failpoint?: string): Serve {
    // When secrets change, the store's secret counts only after the config was applied.
    const givesSecret = !this.#keepsSecret || this.#starts.length === 0;
    this.#current = startServe(this.#setup, { number, failpoint, givesSecret });
    return this.#current;
  }

  async #ready(serve: Serve): Promise<number | null> {
    const readyAfter = await serve.ready;
    if (readyAfter !== null) this.#starts.push(readyAfter);
    return readyAfter;
  }

  async #oneLife(life: number, plan: LifePlan): Promise<void> {
    if (plan.end === 'failpoint') await this.#failpointLife(life, plan);
    else if (plan.end === 'loaded') await this.#timedLife(life, 200, false);
    else await this.#timedLife(life, isLong(life) ? LONG_LIFE_MS : 0, life % START_KILL_EVERY === 0);
    this.#look(life);
  }

  async #timedLife(life: number, leastMs: number, duringStart: boolean): Promise<void> {
    const serve = this.#start(life);
    const delayMs = this.#random() * LATEST_KILL_MS;
    if (duringStart) this.#duringStart += 1;
    else await this.#ready(serve);
    await pause(delayMs + leastMs);
    serve.kill('SIGKILL');
    await this.#expectKilled(serve, life);
  }

  async #failpointLife(life: number, { name, nth }: FailpointLife): Promise<void> {
    const before = name === 'migrating' ? this.#goBack() : null;
    const serve = this.#start(life, `${name}:${nth}`);
    if ((await this.#ready(serve)) === null) this.#duringStart += 1;
    else void this.#bringTo(name, serve);
    const counted = this.#failpoints.get(name) ?? { kills: 0, missed: 0 };
    this.#failpoints.set(name, counted);
    if (await within(serve.ended, REACH_MS)) counted.kills += 1;
    else {
      counted.missed += 1;
      this.#add('a failpoint was not reached', `life ${life}, ${name}:${nth}`);
      serve.kill('SIGKILL');
    }
    await this.#expectKilled(serve, life);
    const half = before === null ? null : halfMigrated(this.#workspace, before);
    if (half !== null) this.#add('a migration was neither done nor undone', `life ${life}: ${half}`);
  }

  /** What triggers it besides the load, which has run for a while by then. */
  async #bringTo(name: FailpointLife['name'], serve: Serve): Promise<void> {
    await pause(this.#random() * LATEST_KILL_MS);
    if (name === 'replay_written') await drive('replays', this.#workspace, this.#driven);
    if (name === 'secret_written') await drive('secrets', this.#workspace, this.#driven);
    if (name === 'stopping') serve.kill('SIGTERM');
  }

  #goBack(): StoreShape {
    makeOlder(this.#workspace, OLD_VERSION);
    return { version: OLD_VERSION, messages: this.#stored };
  }

  async #expectKilled(serve: Serve, life: number): Promise<void> {
    const [code, signal] = await serve.ended;
    if (signal !== 'SIGKILL') this.#add('serve ended by itself', `life ${life}, code ${code}: ${serve.errors()}`);
  }

  /** Reads what the kill left, before anything changes it. */
  #look(life: number): void {
    const { final, open, stored, secret } = this.#reader.afterKill();
    this.#stored = stored;
    for (const { messageId, state } of final) this.#finalBeforeLife.set(messageId, { life: life + 1, state });
    for (const { messageId, slot } of open) {
      const key = `${messageId} ${slot}`;
      this.#openAtKills.set(key, (this.#openAtKills.get(key) ?? 0) + 1);
    }
    this.#inFlight = { total: this.#inFlight.total + open.length, most: Math.max(this.#inFlight.most, open.length) };
    const delivering = open.filter(({ slot }) => slot !== REPLAY_SLOT).length;
    if (delivering > SENDERS * PATHS.length) this.#add('more in flight than senders', `life ${life}: ${delivering}`);
    const expected = SECRETS[this.#driven.secret]!.slice(-2);
    if (stored > 0 && secret !== expected)
      this.#add('the secret is not the last one that was taken over', `life ${life}: …${secret}, not …${expected}`);
  }

  /** Waits until every message is final. Returns how many milliseconds that took. */
  async settle(): Promise<number> {
    const startedAt = performance.now();
    let limitMs: number | null = null;
    for (;;) {
      const unfinished = this.#reader.unfinished();
      limitMs ??= this.#options.settleMs + unfinished * SETTLE_MS_A_MESSAGE;
      const took = performance.now() - startedAt;
      if (unfinished === 0) return Math.round(took);
      if (took > limitMs) {
        this.#add('not settled', `${unfinished} messages after ${Math.round(took)} ms`);
        return Math.round(took);
      }
      await pause(100);
    }
  }

  async stop(serve: Serve): Promise<void> {
    serve.kill('SIGTERM');
    const [code, signal] = await serve.ended;
    if (code !== 0) this.#add('serve did not stop cleanly', `code ${code}, signal ${signal}: ${serve.errors()}`);
  }

  #add(rule: string, example: string): void {
    this.#broken.push(violation(rule, example));
  }

  seen(): Seen {
    const integrity = this.#reader.integrity();
    if (integrity !== 'ok') this.#add('integrity_check', integrity);
    const version = this.#reader.version();
    if (version !== migrations.length) this.#add('the store was not migrated', `version ${version}`);
    return {
      kills: this.#options.plan.length,
      killsDuringStart: this.#duringStart,
      failpoints: [...this.#failpoints].map(([name, counted]) => ({ name, ...counted })),
      inFlightAtKills: this.#inFlight,
      medianStartMs: median(this.#starts),
      integrity,
      broken: this.#broken,
      finalBeforeLife: this.#finalBeforeLife,
      openAtKills: this.#openAtKills,
      replays: { acknowledged: this.#driven.replays, stored: this.#reader.replays() },
    };
  }
}
