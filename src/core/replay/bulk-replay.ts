/**
 * Replays many messages, one after another in the order given, at a steady rate of real time. One job runs at once. The
 * store counts each replay in the transaction that begins it, so after a crash the job still says what it did. A job
 * that Hookbench's end has cut short is not gone on with: a person decides.
 */
import type { ReplayJobRecord } from '../model/stored.ts';
import type { Clock, Timers } from '../ports.ts';
import type { ReplayStore } from '../store/ports/replays.ts';

/** What became of one message. */
export type Replayed = 'begun' | 'removed' | 'damaged';

export interface BulkReplayDeps {
  readonly store: Pick<ReplayStore, 'openJob' | 'skip' | 'endJob' | 'newestJob'>;
  /** Writes what happened. Retried while the store cannot be written. */
  persist<T>(write: () => Promise<T>): Promise<T>;
  /** Resolves when another replay may begin. */
  room(): Promise<void>;
  readonly clock: Clock;
  readonly timers: Timers;
  /** The job or its counts changed. */
  changed(): void;
}

export interface BulkReplayAsk {
  /** Row ids in the order of sending. */
  readonly ids: readonly number[];
  /** How many webhooks and URLs each goes to. */
  readonly targets: number;
  /** Messages a second at most. */
  readonly rate: number;
  /** Begins the replay of one message. Rejects when no further one can be sent either; then the job fails. */
  send(id: number, jobId: number): Promise<Replayed>;
  /** The reason of such a rejection, for a person. */
  problemOf(error: unknown): string;
}

/** A running job; `wake` ends its pause between two messages. */
interface Run {
  isStopped: boolean;
  wake(): void;
}

export class BulkReplay {
  readonly #deps: BulkReplayDeps;
  #job: ReplayJobRecord | null;
  #run: Run | null = null;
  #isClosed = false;

  constructor(deps: BulkReplayDeps) {
    this.#deps = deps;
    this.#job = deps.store.newestJob();
  }

  /** The newest job, running or ended. */
  get job(): ReplayJobRecord | null {
    return this.#job;
  }

  /** After recovery, which ended what a crash left running. */
  refresh(): void {
    this.#job = this.#deps.store.newestJob();
  }

  get isRunning(): boolean {
    return this.#run !== null;
  }

  /** Resolves once the job is stored. Call it only while none runs. */
  async start(ask: BulkReplayAsk): Promise<ReplayJobRecord> {
    const run: Run = { isStopped: false, wake: () => {} };
    this.#run = run;
    const { store, clock, changed } = this.#deps;
    const begin = { createdAt: clock.wall(), total: ask.ids.length, targets: ask.targets, rate: ask.rate };
    try {
      const id = await store.openJob(begin);
      const counts = { begun: 0, removed: 0, damaged: 0 };
      const job = { id, ...begin, ...counts, finishedAt: null, state: 'running' as const, problem: null };
      this.#job = job;
      changed();
      void this.#work(run, ask, id);
      return job;
    } catch (error) {
      this.#run = null;
      throw error;
    }
  }

  /** Begins no further replay. Those under way end by themselves. False when this job does not run. */
  stop(id: number): boolean {
    if (this.#run === null || this.#job?.id !== id) return false;
    this.#run.isStopped = true;
    this.#run.wake();
    return true;
  }

  /** Hookbench ends: the next start calls the job interrupted. */
  close(): void {
    this.#isClosed = true;
    this.#run?.wake();
  }

  async #work(run: Run, ask: BulkReplayAsk, jobId: number): Promise<void> {
    const { clock, room } = this.#deps;
    let next = clock.mono();
    for (const id of ask.ids) {
      await this.#until(next, run);
      await room();
      if (this.#isClosed) return;
      if (run.isStopped) return this.#end(jobId, 'stopped');
      next = Math.max(next, clock.mono() - 1000 / ask.rate) + 1000 / ask.rate;
      try {
        await this.#one(id, jobId, ask);
      } catch (error) {
        return this.#end(jobId, 'failed', ask.problemOf(error));
      }
    }
    return this.#end(jobId, 'done');
  }

  async #one(id: number, jobId: number, ask: BulkReplayAsk): Promise<void> {
    const became = await ask.send(id, jobId);
    const { persist, store, changed } = this.#deps;
    if (became !== 'begun') await persist(() => store.skip(jobId, became));
    const job = this.#job!;
    this.#job = { ...job, [became]: job[became] + 1 };
    changed();
  }

  #until(at: number, run: Run): Promise<void> {
    const wait = at - this.#deps.clock.mono();
    if (wait <= 0 || run.isStopped || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.#deps.timers.after(wait, resolve);
      run.wake = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  async #end(id: number, state: ReplayJobRecord['state'], problem: string | null = null): Promise<void> {
    const { persist, store, clock, changed } = this.#deps;
    const finishedAt = clock.wall();
    this.#job = { ...this.#job!, state, problem, finishedAt };
    this.#run = null;
    changed();
    await persist(() => store.endJob({ id, state, problem, finishedAt })).catch(() => {});
  }
}
