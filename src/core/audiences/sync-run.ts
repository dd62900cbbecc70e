/**
 * One sync that is not done. It first writes down its plan, then sends it in chunks. A chunk is one transaction:
 * the request, its messages, the calls' row ids, and what the users were told. So a crash at any moment leaves a call
 * either unsent or sent, never twice. Outcomes follow the messages.
 */
import type { SyncEvent, SyncLedger, SyncWait } from '../../contract/audiences.ts';
import { failpoint } from '../failpoint.ts';
import { NO_USERS, type UserCounts } from '../model/audience-user.ts';
import type { NewMessage, StoredMessage } from '../model/records.ts';
import { FINAL_STATES, type MessageState } from '../model/vocabulary.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { Arrived } from '../store/ports/ingest.ts';
import type { PlannedCall, SettledCall, StoredSync } from '../store/ports/syncs.ts';
import { makeCalls } from './calls.ts';
import type { AudiencesDeps, StoredAudience } from './deps.ts';
import { failureReason } from './failure-reason.ts';
import { Course, ledgerOf, type OpenCall } from './ledger.ts';
import { type Roster, summed } from './roster.ts';
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
  readonly #open = new Map<number, OpenCall>();
  #delivered = 0;
  #failed = 0;
  readonly #course: Course;
  /** Outcomes that are not written yet. */
  #unwritten: SettledCall[] = [];
  #isWriting = false;
  #isFinishing = false;
  /** The step under way: a part of the plan or a chunk. */
  #step: Promise<void> | null = null;
  #isHalted = false;
  /** Users are being taken out, and nothing else may happen. */
  #holding: Promise<void> | null = null;
  #isLookPlanned = false;

  constructor(deps: RunDeps, sync: StoredSync) {
    this.#deps = deps;
    this.#sync = sync;
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
    return ledgerOf({ expected, sent, delivered: this.#delivered, failed: this.#failed, open: this.#open.values() });
  }

  get series(): Array<[at: number, settled: number]> {
    return this.#course.points();
  }

  get perSecond(): number {
    return this.#course.perSecond(this.#deps.clock.wall(), this.#settled);
  }

  get #settled(): number {
    return this.#delivered + this.#failed;
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
    return this.#open.size + this.#nextCalls <= MAX_UNSETTLED;
  }

  /** Calls of the next chunk. */
  get #nextCalls(): number {
    const { expected, sent } = this.#sync;
    return Math.min(CHUNK_CALLS, (expected ?? 0) - sent);
  }

  // Beginning, stopping, resuming

  /** Takes over what the store has of it, after a start. Settles what ended meanwhile. */
  restore(): void {
    const { syncs } = this.#deps;
    const { id } = this.#sync;
    const { delivered, failed } = syncs.outcomes(id);
    this.#delivered = delivered;
    this.#failed = failed;
    const calls = syncs.openCalls(id);
    const states = syncs.statesOf(calls.map(({ messageId }) => messageId));
    for (const { position, messageId } of calls)
      this.#open.set(messageId, { position, state: states.get(messageId) ?? 'failed' });
    this.#settleFinal(calls.map(({ messageId }) => messageId));
    // A crash may have come between the last outcome and the end of the sync.
    if (this.#unwritten.length === 0) void this.#writeOutcomes();
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

  /** Begins nothing any more. Resolves when the step under way has ended. */
  async halt(): Promise<void> {
    this.#isHalted = true;
    await this.#step;
    await this.#holding;
  }

  async stop(by: SyncEvent['by']): Promise<void> {
    const isStopping = this.#isHalted;
    await this.halt();
    if (!isStopping && !this.#isFinishing) await this.#change('stopped', 'stopped', by);
  }

  async resume(by: SyncEvent['by']): Promise<void> {
    // A chunk that begins meanwhile would be forgotten by the change.
    await this.halt();
    await this.#change(this.#sync.expected === null ? 'preparing' : 'running', 'resumed', by);
    this.#isHalted = false;
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
    const sent = await write((changes) => this.#storeNext(limit, clock.wall(), retryClock.now(), changes), 4 * limit);
    failpoint('sync_chunk_committed');
    this.#sync = sent.sync;
    if (sent.chunk !== null) this.#chunkStored(sent.chunk);
    // The calls that were left may all have been left out.
    if (this.#sync.expected === this.#settled) void this.#writeOutcomes();
  }

  #chunkStored({ calls, counts, stored, arrived }: Chunk): void {
    this.#deps.roster.recount(this.#sync.audienceId, counts);
    for (const [i, { position }] of calls.entries())
      this.#open.set(stored[i]!.id, { position, state: arrived.messages[i]!.state });
    this.#deps.stored({ ...arrived, stored });
    this.#settleFinal(stored.filter((_, i) => !isQueued(arrived.messages[i]!)).map(({ id }) => id));
  }

  /** Users who were suppressed since the plan was made are left out. */
  #storeNext(limit: number, at: number, dueAt: number, changes: Changes): { sync: StoredSync; chunk: Chunk | null } {
    const { syncs, suppressed } = this.#deps;
    const { kind } = this.audience;
    const next = () => syncs.calls({ syncId: this.#sync.id, after: this.#sync.sent, limit, only: 'all' });
    let sync = this.#sync;
    let calls = next();
    for (;;) {
      const gone = calls.filter(({ userId }) => suppressed().has(userId));
      if (gone.length === 0) break;
      sync = leaveOut(syncs, { sync, kind }, gone, at, changes);
      calls = next();
    }
    if (calls.length > 0) return this.#storeChunk(sync, calls, at, dueAt, changes);
    syncs.save(sync, changes);
    return { sync, chunk: null };
  }

  #storeChunk(
    begun: StoredSync,
    calls: readonly PlannedCall[],
    at: number,
    dueAt: number,
    changes: Changes,
  ): { sync: StoredSync; chunk: Chunk } {
    const { ingest, syncs, roster } = this.#deps;
    const { audience } = this;
    const { token, id: syncId } = begun;
    const made = makeCalls(calls, { audience, token, at, destination: this.#deps.destination() });
    const arrived: Arrived = { ...made, dedupe: false, dueAt };
    const stored = ingest.storeIn(arrived, changes);
    let counts = NO_USERS;
    for (const [i, call] of calls.entries()) {
      syncs.sent({ syncId, position: call.position, messageId: stored[i]!.id }, changes);
      if (call.type === 'identify') counts = summed(counts, roster.told(audience, call, at, changes));
    }
    const sync = { ...begun, sent: begun.sent + calls.length };
    syncs.save(sync, changes);
    failpoint('sync_chunk_written');
    return { sync, chunk: { calls, arrived, stored, counts } };
  }

  // Outcomes

  /** Runs after every commit. */
  committed({ messages }: Pick<Changes, 'messages'>): void {
    if (this.#open.size === 0) return;
    const moved: number[] = [];
    for (const id of messages) if (this.#open.has(id)) moved.push(id);
    if (moved.length === 0) return;
    for (const [id, state] of this.#deps.syncs.statesOf(moved)) this.#open.get(id)!.state = state;
    this.#settleFinal(moved);
  }

  #settleFinal(messageIds: readonly number[]): void {
    const { details } = this.#deps;
    for (const id of messageIds) {
      const call = this.#open.get(id);
      if (call === undefined || !FINAL_STATES.has(call.state)) continue;
      this.#open.delete(id);
      const isDelivered = call.state === 'delivered';
      if (isDelivered) this.#delivered += 1;
      else this.#failed += 1;
      const reason = isDelivered ? null : failureReason(call.state as MessageState, details.attemptsOf(id));
      const outcome = isDelivered ? 'delivered' : 'failed';
      this.#unwritten.push({ syncId: this.#sync.id, position: call.position, outcome, reason });
    }
    if (this.#unwritten.length > 0) void this.#writeOutcomes();
  }

  async #writeOutcomes(): Promise<void> {
    this.#course.add(this.#deps.clock.wall(), this.#settled);
    this.#deps.changed();
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      while (this.#unwritten.length > 0) {
        const outcomes = this.#unwritten;
        this.#unwritten = [];
        await this.#deps.persist(() => this.#deps.write((changes) => this.#settle(outcomes, changes), outcomes.length));
        failpoint('sync_outcomes_written');
      }
      await this.#finish();
    } catch (error) {
      // The next start settles what is not written.
      this.#deps.logger.log('warn', 'outcomes_not_written', { message: (error as Error).message });
    } finally {
      this.#isWriting = false;
    }
    this.advance();
  }

  #settle(outcomes: readonly SettledCall[], changes: Changes): void {
    for (const outcome of outcomes) this.#deps.syncs.settle(outcome, changes);
  }

  /** Ends the sync when nothing waits any more. */
  async #finish(): Promise<void> {
    const { syncs, persist, write, clock } = this.#deps;
    if (this.#isFinishing || this.#sync.state === 'done' || this.#sync.expected !== this.#settled) return;
    this.#isFinishing = true;
    const at = clock.wall();
    this.#course.add(at, this.#settled, true);
    const done = doneSync(this.#sync, this.#delivered, this.#failed, at, this.#course.points());
    await persist(() => write((changes) => syncs.save(done, changes)));
    failpoint('sync_done');
    this.#sync = done;
    this.#deps.ended(this);
    this.#deps.changed();
  }
}

interface Chunk {
  readonly calls: readonly PlannedCall[];
  readonly arrived: Arrived;
  readonly stored: readonly StoredMessage[];
  readonly counts: UserCounts;
}

const isQueued = ({ state }: NewMessage): boolean => state === 'queued';
