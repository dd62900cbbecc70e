/**
 * Kill runs (reliability, K1): a producer, `hookbench serve` and a receiver, three processes. `serve` is killed at
 * random and started again on the same workspace; the producer's and the receiver's logs are the judges.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AttemptView, MessageRow } from '../../src/contract/values.ts';
import { duplicates, judge, type Violation } from './judge.ts';
import { type FromProducer, type FromReceiver, PATHS, readArrival } from './messages.ts';
import { type Serve, type ServeSetup, startServe, workspaceOf } from './serve.ts';
import { StoreReader } from './store-reader.ts';

export interface KillOptions {
  readonly runs: number;
  /** Calls a second that the producer makes. */
  readonly perSecond: number;
  /** Of the times at which it is killed. */
  readonly seed: number;
  /** Path of the built command line. */
  readonly cli: string;
  /** Longest time for everything to end delivered after the last kill. */
  readonly settleMs: number;
  readonly say: (line: string) => void;
}

export interface KillReport {
  readonly kills: number;
  readonly killsDuringStart: number;
  readonly seed: number;
  readonly seconds: number;
  readonly sent: number;
  readonly acknowledged: number;
  readonly sentPerSecond: number;
  readonly acknowledgedPerSecond: number;
  readonly stored: number;
  readonly arrivals: number;
  readonly inFlightAtKills: { readonly total: number; readonly most: number };
  readonly duplicates: number;
  readonly medianStartMs: number;
  readonly settledMs: number;
  readonly integrity: string;
  readonly violations: readonly Violation[];
}

/** Longest time after the ready line at which it is killed. */
const LATEST_KILL_MS = 400;
/** Every fifth kill comes while it starts: in the middle of recovery, or before. */
const START_KILL_EVERY = 5;
/** One life in ten is longer, so that the backlog of the short ones is delivered and much is final. */
const isLong = (life: number): boolean => life % 10 === 7;
const LONG_LIFE_MS = 2_000;
const LEAST_PER_SECOND = 300;
/** Senders of a webhook (decisions, Delivery). */
const SENDERS = 16;

/** Uniform in [0, 1), from one seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const median = (numbers: readonly number[]): number =>
  Math.round([...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0);

/** Free now, and below the ports that the system gives to connections while `serve` is down. */
async function freePort(random: () => number): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(random() * 10_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

async function startChild<T>(file: string, args: readonly string[]): Promise<{ child: ChildProcess; first: T }> {
  const child = fork(join(import.meta.dirname, file), [...args], { execArgv: [] });
  const [first] = (await once(child, 'message')) as [T];
  return { child, first };
}

async function stopChild<T>(child: ChildProcess): Promise<T> {
  child.send({ type: 'stop' });
  const [done] = (await once(child, 'message')) as [T];
  child.disconnect();
  return done;
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);

/** What the command line lists of the workspace. */
async function listed<T>(cli: string, command: 'messages' | 'attempts', workspace: string): Promise<T[]> {
  const run = promisify(execFile);
  const args = [cli, command, '--workspace', workspace, '--json'];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 2 ** 31 - 1 });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

class KillRun {
  readonly #options: KillOptions;
  readonly #setup: ServeSetup;
  readonly #random: () => number;
  readonly #reader: StoreReader;
  readonly #starts: number[] = [];
  readonly #finalBeforeLife = new Map<string, { life: number; state: string }>();
  readonly #openAtKills = new Map<string, number>();
  readonly #broken: Violation[] = [];
  #inFlight = { total: 0, most: 0 };
  #duringStart = 0;
  #stored = 0;
  #current: Serve | null = null;

  constructor(options: KillOptions, setup: ServeSetup, random: () => number) {
    this.#options = options;
    this.#setup = setup;
    this.#random = random;
    this.#reader = new StoreReader(workspaceOf(setup.folder));
  }

  /** Leaves nothing running, however far it came. */
  abandon(): void {
    this.#current?.kill('SIGKILL');
  }

  #start(life: number): Serve {
    this.#current = startServe(this.#setup, life);
    return this.#current;
  }

  /** Kills it `runs` times, then starts it once more. */
  async killAll(): Promise<Serve> {
    const { runs, say } = this.#options;
    for (let life = 1; life <= runs; life++) {
      await this.#oneLife(life);
      if (life % 10 === 0 || life === runs)
        say(
          `kills ${life}/${runs}  stored ${this.#stored}  final ${this.#finalBeforeLife.size}  ` +
            `in flight at a kill ${this.#inFlight.most} at most  start ${median(this.#starts)} ms`,
        );
    }
    const last = this.#start(runs + 1);
    const readyAfter = await last.ready;
    if (readyAfter === null) {
      this.#add('serve did not start after the last kill', last.errors());
      throw new Error(JSON.stringify(this.#broken, null, 2));
    }
    this.#starts.push(readyAfter);
    return last;
  }

  async #oneLife(life: number): Promise<void> {
    const serve = this.#start(life);
    const delayMs = this.#random() * LATEST_KILL_MS;
    if (life % START_KILL_EVERY === 0) {
      this.#duringStart += 1;
      await pause(delayMs);
    } else {
      const readyAfter = await serve.ready;
      if (readyAfter !== null) this.#starts.push(readyAfter);
      await pause(delayMs + (isLong(life) ? LONG_LIFE_MS : 0));
    }
    serve.kill('SIGKILL');
    const [code, signal] = await serve.ended;
    if (signal !== 'SIGKILL') this.#add('serve ended by itself', `life ${life}, code ${code}: ${serve.errors()}`);
    this.#look(life);
  }

  /** What the kill left, before anything touches it. */
  #look(life: number): void {
    const { final, open, stored } = this.#reader.afterKill();
    this.#stored = stored;
    for (const { messageId, state } of final) this.#finalBeforeLife.set(messageId, { life: life + 1, state });
    for (const { messageId, slot } of open) {
      const key = `${messageId} ${slot}`;
      this.#openAtKills.set(key, (this.#openAtKills.get(key) ?? 0) + 1);
    }
    this.#inFlight = { total: this.#inFlight.total + open.length, most: Math.max(this.#inFlight.most, open.length) };
    if (open.length > SENDERS * PATHS.length) this.#add('more in flight than senders', `life ${life}: ${open.length}`);
  }

  /** Waits until every message is final; gives the milliseconds that took. */
  async settle(): Promise<number> {
    const startedAt = performance.now();
    for (;;) {
      const unfinished = this.#reader.unfinished();
      const took = performance.now() - startedAt;
      if (unfinished === 0) return Math.round(took);
      if (took > this.#options.settleMs) {
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
    this.#broken.push({ rule, count: 1, examples: [example] });
  }

  async report(more: {
    /** Until everything was acknowledged. */
    readonly seconds: number;
    /** While calls were made. */
    readonly loadSeconds: number;
    readonly settledMs: number;
    readonly produced: Extract<FromProducer, { type: 'done' }>;
    readonly received: Extract<FromReceiver, { type: 'done' }>;
    readonly logs: { readonly acknowledged: string; readonly arrivals: string };
  }): Promise<KillReport> {
    const { cli } = this.#options;
    const workspace = workspaceOf(this.#setup.folder);
    const rows = await listed<MessageRow>(cli, 'messages', workspace);
    const attempts = await listed<AttemptView & { message: string }>(cli, 'attempts', workspace);
    const acknowledged = linesOf(more.logs.acknowledged);
    const arrivals = linesOf(more.logs.arrivals).map(readArrival);
    const integrity = this.#reader.integrity();
    const perSecond = Math.round(more.produced.sent / more.loadSeconds);
    if (integrity !== 'ok') this.#add('integrity_check', integrity);
    if (perSecond < LEAST_PER_SECOND) this.#add('too few messages a second', `${perSecond}`);
    if (more.received.badSignatures > 0) this.#add('a signature was wrong', `${more.received.badSignatures} times`);
    if (more.produced.otherAnswers > 0) this.#add('a call was refused', `${more.produced.otherAnswers} answers`);
    const finalBeforeLife = this.#finalBeforeLife;
    const openAtKills = this.#openAtKills;
    return {
      kills: this.#options.runs,
      killsDuringStart: this.#duringStart,
      seed: this.#options.seed,
      seconds: Math.round(more.seconds),
      sent: more.produced.sent,
      acknowledged: acknowledged.length,
      sentPerSecond: perSecond,
      acknowledgedPerSecond: Math.round(acknowledged.length / more.seconds),
      stored: rows.length,
      arrivals: arrivals.length,
      inFlightAtKills: this.#inFlight,
      duplicates: [...duplicates(arrivals).values()].reduce((sum, n) => sum + n, 0),
      medianStartMs: median(this.#starts),
      settledMs: more.settledMs,
      integrity,
      violations: [...this.#broken, ...judge({ acknowledged, arrivals, rows, attempts, finalBeforeLife, openAtKills })],
    };
  }
}

/** Runs it all and removes every trace. A run without violations has proven what the judge says. */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const random = randomOf(options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-kill-'));
  const logs = { acknowledged: join(folder, 'acknowledged.log'), arrivals: join(folder, 'arrivals.log') };
  const children: ChildProcess[] = [];
  let run: KillRun | null = null;
  try {
    const receiver = await startChild<Extract<FromReceiver, { type: 'port' }>>('receiver.ts', [logs.arrivals]);
    children.push(receiver.child);
    const ingestPort = await freePort(random);
    const setup = { cli: options.cli, folder, ingestPort, receiverPort: receiver.first.port };
    const producer = await startChild<FromProducer>('producer.ts', [
      logs.acknowledged,
      String(ingestPort),
      String(options.perSecond),
    ]);
    children.push(producer.child);
    const startedAt = performance.now();
    run = new KillRun(options, setup, random);
    const last = await run.killAll();
    const loadSeconds = (performance.now() - startedAt) / 1000;
    const produced = await stopChild<Extract<FromProducer, { type: 'done' }>>(producer.child);
    const seconds = (performance.now() - startedAt) / 1000;
    const settledMs = await run.settle();
    await run.stop(last);
    const received = await stopChild<Extract<FromReceiver, { type: 'done' }>>(receiver.child);
    return await run.report({ seconds, loadSeconds, settledMs, produced, received, logs });
  } finally {
    run?.abandon();
    for (const child of children) if (child.connected) child.disconnect();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
