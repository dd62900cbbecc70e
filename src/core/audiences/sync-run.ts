/**
 * One sync that is not done. It first writes down its plan, then sends it in chunks. A chunk is one transaction:
 * the request, its messages, the calls' row ids, and what the users were told. So a crash at any moment leaves a call
 * either unsent or sent, never twice. Outcomes follow the messages.
 */
import type { SyncEvent, SyncLedger, SyncWait } from '../../contract/audiences.ts';
import { failpoint } from '../failpoint.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { StoredSync } from '../store/ports/syncs.ts';
import type { AudiencesDeps, StoredAudience } from './deps.ts';
import { Course, ledgerOf } from './ledger.ts';
import type { Roster } from './roster.ts';
import { type Chunk, isQueued, storeNext } from './sync-chunk.ts';
import { SyncOutcomes } from './sync-outcomes.ts';
import { doneSync, EMPTY_PLAN, leaveOut, PLAN_ROWS, plannedSync, planStep, unsentOf } from './sync-plan.ts';

const REMOVE_ROWS = 2_000;
/** Calls that one transaction takes out of the plan. */
const TAKEN_OUT = 200;
/** Calls of one chunk. */
export const CHUNK_CALLS = 100;
/**
 * At most this many calls are unsettled, so that live traffic does not queue behind a sync. A chunk begins only when all
 * of it has room: chunks of a few calls would each cost a transaction.
 */
export const MAX_UNSETTLED = 500;
/** How often a sync that waits looks whether it may go on. */
const LOOK_MS = 1_000;

export interface RunDeps extends AudiencesDeps {
  readonly roster: Roster;
  /** Called when the sync is done. */
  ended(run: SyncRun): void;
}

export class SyncRun {
  readonly #deps: RunDeps;
  #sync: StoredSync;
  readonly #outcomes: SyncOutcomes;
  readonly #course: Course;
  #isWriting = false;
  #isFinishing = false;
  /** The step under way: a part of the plan or a chunk. */
  #step: Promise<void> | null = null;
  #isHalted = false;
  #isEnded = false;
  /** Users are being taken out, and nothing else may happen. */
  #holding: Promise<void> | null = null;
  #isLookPlanned = false;

  constructor(deps: RunDeps, sync: StoredSync) {
    this.#deps = deps;
    this.#sync = sync;
    this.#outcomes = new SyncOutcomes(deps, sync.id);
    this.#course = new Course(sync.series);
  }

  get sync(): StoredSync {
    return this.#sync;
  }

  get audience(): StoredAudience {
    return this.#deps.roster.get(this.#sync.audienceId).audience;
  }

  get ledger(): SyncLedger {
    const { expected, sent } = this.#sync;
    const { delivered, failed, openCalls: open } = this.#outcomes;
    return ledgerOf({ expected, sent, delivered, failed, open });
  }

  get series(): Array<[at: number, settled: number]> {
    return this.#course.points();
  }

  get perSecond(): number {
    return this.#course.perSecond(this.#deps.clock.wall(), this.#settled);
  }

  get #settled(): number {
    return this.#outcomes.settled;
  }

  /** Why it sends nothing right now; empty while it sends, and when it does not run or has sent everything. */
  get waitsFor(): SyncWait[] {
    const { state, expected, sent } = this.#sync;
    if (state !== 'running' || sent === expected) return [];
    const standstills = this.#deps.standstills();
    if (standstills.length > 0) return [...standstills];
    // While requests are open it only goes in step with them.
    return !this.#hasRoom && this.ledger.open === 0 ? ['enough_open'] : [];
  }

  get #hasRoom(): boolean {
    return this.#outcomes.open + this.#nextCalls <= MAX_UNSETTLED;
  }

  /** Calls of the next chunk. */
  get #nextCalls(): number {
    const { expected, sent } = this.#sync;
    return Math.min(CHUNK_CALLS, (expected ?? 0) - sent);
  }

  // Beginning, stopping, resuming

  /** Takes over what the store has of it, after a start. Settles what ended meanwhile. */
  restore(): void {
    this.#outcomes.restore();
    // Also without any: a crash may have come between the last outcome and the end of the sync.
    void this.#writeOutcomes();
  }

  /** Sends, or goes on with its plan, as far as it may. Harmless when repeated. */
  advance(): void {
    if (this.#step !== null || this.#isHalted || this.#holding !== null) return;
    const { state, expected, sent } = this.#sync;
    if (state === 'preparing') return this.#begin(() => this.#prepare());
    if (state !== 'running' || sent === expected) return;
    if (!this.#hasRoom || this.#deps.standstills().length > 0) return this.#lookLater();
    this.#begin(() => this.#sendChunk());
  }

  #begin(step: () => Promise<void>): void {
    this.#step = step().then(
      () => this.#stepEnded(),
      (error: unknown) => {
        this.#deps.logger.log('warn', 'sync_step_failed', { sync: this.#sync.id, message: (error as Error).message });
        this.#step = null;
        this.#lookLater();
      },
    );
  }

  #stepEnded(): void {
    this.#step = null;
    if (this.#sync.state === 'done') this.#deps.ended(this);
    this.#deps.changed();
    this.advance();
  }

  #lookLater(): void {
    if (this.#isLookPlanned || this.#isHalted) return;
    this.#isLookPlanned = true;
    this.#deps.timers.after(LOOK_MS, () => {
      this.#isLookPlanned = false;
      this.advance();
    });
  }

  /** Begins nothing until it is resumed. Resolves when the step under way has ended. */
  async halt(): Promise<void> {
    this.#isHalted = true;
    await this.#step;
    await this.#holding;
  }

  async stop(by: SyncEvent['by']): Promise<void> {
    const isStopping = this.#isHalted;
    await this.halt();
    if (isStopping || this.#isFinishing) return;
    try {
      await this.#change('stopped', 'stopped', by);
    } catch (error) {
      // It was not stopped, so it goes on.
      this.#isHalted = this.#isEnded;
      this.advance();
      throw error;
    }
  }

  /** After a start: waits for a person. Sends nothing either when the store refuses to take that down. */
  async stopAtStart(): Promise<void> {
    await this.halt();
    if (!this.#isFinishing) await this.#change('stopped', 'stopped', 'restart');
  }

  /** The engine stops: begins nothing any more. Resolves when the step under way has ended. */
  end(): Promise<void> {
    this.#isEnded = true;
    return this.halt();
  }

  async resume(by: SyncEvent['by']): Promise<void> {
    // A chunk that begins meanwhile would be forgotten by the change.
    await this.halt();
    await this.#change(this.#sync.expected === null ? 'preparing' : 'running', 'resumed', by);
    this.#isHalted = this.#isEnded;
    this.advance();
  }

  async #change(state: 'preparing' | 'running' | 'stopped', what: 'stopped' | 'resumed', by: SyncEvent['by']) {
    const at = this.#deps.clock.wall();
    this.#course.add(at, this.#settled, true);
    const event: SyncEvent = { at, what, by, sent: this.#sync.sent };
    const next = { ...this.#sync, state, events: [...this.#sync.events, event], series: this.#course.points() };
    await this.#deps.write((changes) => this.#deps.syncs.save(next, changes));
    this.#sync = next;
    this.#deps.changed();
  }

  // The plan

  /** A plan that a crash cut off is thrown away and made anew. */
  async #prepare(): Promise<void> {
    const { syncs, write } = this.#deps;
    const { id } = this.#sync;
    await this.#dropPlan();
    let plan = EMPTY_PLAN;
    while (!this.#isHalted) {
      const next = await write((changes) => {
        const step = planStep(this.#deps, { audience: this.audience, syncId: id }, plan, changes);
        if (!step.isLast) return { ...step, sync: null };
        const sync = plannedSync(this.#sync, step.plan, this.#deps.clock.wall(), this.#course.points());
        syncs.save(sync, changes);
        return { ...step, sync };
      }, 2 * PLAN_ROWS);
      failpoint('sync_plan_written');
      if (next.sync !== null) {
        this.#sync = next.sync;
        return this.#course.add(this.#deps.clock.wall(), 0, true);
      }
      plan = next.plan;
    }
  }

  /** Takes users out of what is not sent. A plan that is not whole is thrown away, because it is made anew. */
  async leaveOut(users: ReadonlySet<string>): Promise<void> {
    const work = this.#afterStep(() => (this.#sync.expected === null ? this.#dropPlan() : this.#takeOut(users)));
    this.#holding = work.catch(() => {});
    try {
      await work;
    } finally {
      this.#holding = null;
      this.advance();
    }
    if (this.#sync.expected === this.#settled) void this.#writeOutcomes();
  }

  async #afterStep(work: () => Promise<void>): Promise<void> {
    await this.#step;
    await work();
  }

  async #dropPlan(): Promise<void> {
    const { syncs, write } = this.#deps;
    while (await write((changes) => syncs.removeCalls(this.#sync.id, REMOVE_ROWS, changes), REMOVE_ROWS));
  }

  async #takeOut(users: ReadonlySet<string>): Promise<void> {
    const { syncs, write, clock, timers } = this.#deps;
    const { kind } = this.audience;
    const gone = await unsentOf(syncs, this.#sync, users, timers);
    for (let end = gone.length; end > 0; end -= TAKEN_OUT) {
      const some = gone.slice(Math.max(0, end - TAKEN_OUT), end);
      this.#sync = await write((changes) => {
        const sync = leaveOut(syncs, { sync: this.#sync, kind }, some, clock.wall(), changes);
        syncs.save(sync, changes);
        return sync;
      }, 2 * some.length);
    }
  }

  // Sending

  async #sendChunk(): Promise<void> {
    const { write, clock, retryClock } = this.#deps;
    const limit = this.#nextCalls;
    const sent = await write((changes) => {
      const plan = { sync: this.#sync, audience: this.audience, limit, at: clock.wall(), dueAt: retryClock.now() };
      return storeNext(this.#deps, plan, changes);
    }, 4 * limit);
    failpoint('sync_chunk_committed');
    this.#sync = sent.sync;
    if (sent.chunk !== null) this.#chunkStored(sent.chunk);
    // The calls that were left may all have been left out.
    if (this.#sync.expected === this.#settled) void this.#writeOutcomes();
  }

  #chunkStored({ calls, counts, stored, arrived }: Chunk): void {
    this.#deps.roster.recount(this.#sync.audienceId, counts);
    for (const [i, { position }] of calls.entries())
      this.#outcomes.add(stored[i]!.id, position, arrived.messages[i]!.state);
    this.#deps.stored({ ...arrived, stored });
    this.#outcomes.settleFinal(stored.filter((_, i) => !isQueued(arrived.messages[i]!)).map(({ id }) => id));
    this.#writeSettled();
  }

  // Outcomes

  /** Runs after every commit. */
  committed({ messages }: Pick<Changes, 'messages'>): void {
    this.#outcomes.moved(messages);
    this.#writeSettled();
  }

  #writeSettled(): void {
    if (!this.#outcomes.allWritten) void this.#writeOutcomes();
  }

  async #writeOutcomes(): Promise<void> {
    this.#course.add(this.#deps.clock.wall(), this.#settled);
    this.#deps.changed();
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      await this.#outcomes.write();
      await this.#finish();
    } catch (error) {
      // The next start settles what is not written.
      this.#deps.logger.log('warn', 'outcomes_not_written', { message: (error as Error).message });
    } finally {
      this.#isWriting = false;
    }
    this.advance();
  }

  /** Ends the sync when nothing waits any more. */
  async #finish(): Promise<void> {
    const { syncs, persist, write, clock } = this.#deps;
    if (this.#isFinishing || this.#sync.state === 'done' || this.#sync.expected !== this.#settled) return;
    this.#isFinishing = true;
    const at = clock.wall();
    this.#course.add(at, this.#settled, true);
    const { delivered, failed } = this.#outcomes;
    const done = doneSync(this.#sync, delivered, failed, at, this.#course.points());
    await persist(() => write((changes) => syncs.save(done, changes)));
    failpoint('sync_done');
    this.#sync = done;
    this.#deps.ended(this);
    this.#deps.changed();
  }
}
