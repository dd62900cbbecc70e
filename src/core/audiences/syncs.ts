/** All syncs: starts them by hand, on change and by the retry clock, and takes them up again after a start. */
import type { SyncEvent, SyncStarter } from '../../contract/audiences.ts';
import { ContractError } from '../../contract/errors.ts';
import type { UserCounts } from '../model/audience-user.ts';
import { isPassing, type Timer } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { StoredSync, SyncToSave } from '../store/ports/syncs.ts';
import type { ComputedMembers } from './computed-members.ts';
import type { AudiencesDeps, StoredAudience } from './deps.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { pendingOf, type Roster } from './roster.ts';
import { doneSync, suppressedCounts } from './sync-plan.ts';
import { SyncPruner } from './sync-pruner.ts';
import { SyncRun } from './sync-run.ts';

/** A change of members starts a sync after this rest, so that an edit in pieces makes one sync. */
const REST_MS = 500;
/** The wait before a write that the store refused is tried again. */
const AGAIN_MS = 5_000;
/** No timer is trusted for longer. */
const MAX_TIMER_MS = 15_000;

export class Syncs {
  readonly #deps: AudiencesDeps;
  readonly #roster: Roster;
  readonly #computed: Pick<ComputedMembers, 'upToDate'>;
  /** Those that are not done, by audience. */
  readonly #runs = new Map<number, SyncRun>();
  /** The newest sync of each audience, done or not. */
  readonly #newest = new Map<number, StoredSync>();
  /** Audiences for which a sync is being started. */
  readonly #starting = new Set<number>();
  readonly #prunes: OneAtATime<number>;
  readonly #rests = new Map<number, Timer>();
  #timer: Timer | null = null;
  #isRunning = false;

  constructor(deps: AudiencesDeps, roster: Roster, computed: Pick<ComputedMembers, 'upToDate'>) {
    this.#deps = deps;
    this.#roster = roster;
    this.#computed = computed;
    const pruner = new SyncPruner(deps);
    this.#prunes = new OneAtATime((id) =>
      pruner.prune(id, this.newest(id)?.n ?? 0, () => !this.#isRunning || roster.find(id) === undefined),
    );
    for (const { audience } of roster.all) {
      const [newest] = deps.syncs.list({ audienceId: audience.id, kind: null, before: null, limit: 1 });
      if (newest !== undefined) this.#newest.set(audience.id, newest);
    }
  }

  /** Undefined before the first. */
  newest(audienceId: number): StoredSync | undefined {
    return this.#runs.get(audienceId)?.sync ?? this.#newest.get(audienceId);
  }

  run(audienceId: number): SyncRun | undefined {
    return this.#runs.get(audienceId);
  }

  /** True once a sync was begun; then the property stays. */
  isSynced(audienceId: number): boolean {
    return this.newest(audienceId) !== undefined;
  }

  /** Removed with its audience. */
  forget(audienceId: number): void {
    this.#runs.delete(audienceId);
    this.#newest.delete(audienceId);
  }

  // The life of the engine

  /**
   * Takes up the syncs that the last run left open. One that is by hand stops and waits for a person; others go on by
   * themselves.
   */
  async start(): Promise<void> {
    this.#isRunning = true;
    for (const sync of this.#deps.syncs.open()) await this.#takeUp(sync);
    this.allChanged();
    for (const { audience } of this.#roster.all) this.#prune(audience.id);
    this.#plan();
  }

  async #takeUp(sync: StoredSync): Promise<void> {
    const known = this.#roster.find(sync.audienceId);
    if (known === undefined) return;
    const run = this.#newRun(sync);
    run.restore();
    if (sync.state === 'stopped' || sync.sent === sync.expected) return;
    await this.#goOn(run);
  }

  /** Until the store takes that down, the sync sends nothing. */
  async #goOn(run: SyncRun): Promise<void> {
    const { id, audienceId } = run.sync;
    const isOpen = (): boolean => this.#isRunning && this.#runs.get(audienceId) === run;
    try {
      if (run.audience.syncWhen === 'hand') await run.stopAtStart();
      else await run.resume('restart');
    } catch (error) {
      this.#deps.logger.log('warn', 'sync_not_taken_up', { sync: id, message: (error as Error).message });
      if (!isPassing(error)) return;
      this.#deps.timers.after(AGAIN_MS, () => {
        if (isOpen()) void this.#goOn(run);
      });
    }
  }

  /** Begins nothing any more. Resolves when no step is under way. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#timer?.cancel();
    for (const rest of this.#rests.values()) rest.cancel();
    await Promise.all([...this.#runs.values()].map((run) => run.end()));
  }

  #newRun(sync: StoredSync): SyncRun {
    const run = new SyncRun({ ...this.#deps, roster: this.#roster, ended: (one) => this.#ended(one) }, sync);
    this.#runs.set(sync.audienceId, run);
    return run;
  }

  #ended({ sync }: SyncRun): void {
    this.#newest.set(sync.audienceId, sync);
    this.#runs.delete(sync.audienceId);
    this.usersChanged(sync.audienceId);
    this.#prune(sync.audienceId);
  }

  #prune(audienceId: number): void {
    this.#prunes.run(audienceId).catch((error: unknown) => {
      // The end of the next sync goes on.
      this.#deps.logger.log('warn', 'syncs_not_pruned', { message: (error as Error).message });
    });
  }

  committed(changes: Changes): void {
    for (const run of this.#runs.values()) run.committed(changes);
  }

  /** Delivery may send again, or may not any more. */
  deliveryChanged(): void {
    for (const run of this.#runs.values()) run.advance();
  }

  // Starting

  /** Null when there is nothing to send. Errors `audience_not_found`, `sync_running`, `sync_stopped`, `people_off`. */
  async begin(audienceId: number, by: SyncStarter): Promise<StoredSync | null> {
    const { audience } = this.#roster.get(audienceId);
    const open = this.#runs.get(audienceId);
    if (open !== undefined) throw new ContractError(open.sync.state === 'stopped' ? 'sync_stopped' : 'sync_running');
    if (this.#starting.has(audienceId)) throw new ContractError('sync_running');
    this.#starting.add(audienceId);
    try {
      return await this.#begin(audience, by);
    } finally {
      this.#starting.delete(audienceId);
    }
  }

  async #begin(audience: StoredAudience, by: SyncStarter): Promise<StoredSync | null> {
    const { id: audienceId } = audience;
    await this.#computed.upToDate(audienceId);
    const left = await this.suppressedOf(audienceId);
    if (!this.#isRunning) throw new ContractError('stopped');
    const isEmpty = pendingOf(this.#roster.get(audienceId).counts) === pendingOf(left);
    // The history shows that a scheduled sync had nothing to send.
    if (isEmpty && !(by === 'clock' && this.isSynced(audienceId))) return null;
    const at = this.#deps.clock.wall();
    const event: SyncEvent = { at, what: 'started', by, sent: null };
    const sync = await this.#deps.write((changes) => {
      const begun = this.#first(audienceId, by, at, event);
      const saved = isEmpty ? doneSync({ ...begun, expected: 0, id: 0 }, 0, 0, at, []) : { ...begun, id: 0 };
      const id = this.#deps.syncs.save({ ...saved, id: undefined }, changes);
      return { ...saved, id };
    });
    this.#newest.set(audienceId, sync);
    if (sync.state !== 'done') this.#newRun(sync).advance();
    else this.#prune(audienceId);
    this.#deps.changed();
    return sync;
  }

  #first(audienceId: number, by: SyncStarter, at: number, event: SyncEvent): Omit<SyncToSave, 'id'> {
    return {
      audienceId,
      n: (this.newest(audienceId)?.n ?? 0) + 1,
      state: 'preparing',
      token: this.#deps.ids.hex(8),
      startedBy: by,
      startedAt: at,
      endedAt: null,
      expected: null,
      sent: 0,
      added: 0,
      removed: 0,
      changed: 0,
      delivered: null,
      failed: null,
      events: [event],
      series: [],
    };
  }

  /** Errors `sync_not_found`, `sync_not_running`. */
  async stopSync(id: number): Promise<StoredSync> {
    const run = this.#runOf(id);
    if (run === undefined || run.sync.state === 'stopped') throw new ContractError('sync_not_running');
    await run.stop('person');
    return run.sync;
  }

  /** Errors `sync_not_found`, `sync_not_stopped`. */
  async resumeSync(id: number): Promise<StoredSync> {
    const run = this.#runOf(id);
    if (run?.sync.state !== 'stopped') throw new ContractError('sync_not_stopped');
    await run.resume('person');
    return run.sync;
  }

  #runOf(id: number): SyncRun | undefined {
    const run = [...this.#runs.values()].find(({ sync }) => sync.id === id);
    if (run === undefined && this.#deps.syncs.sync(id) === undefined) throw new ContractError('sync_not_found');
    return run;
  }

  /** Pending users who are told nothing, because they are suppressed. */
  suppressedOf(audienceId: number): Promise<UserCounts> {
    const { audience, counts } = this.#roster.get(audienceId);
    const { store, suppressed, timers } = this.#deps;
    return suppressedCounts(store, audience, { suppressed: suppressed(), pending: counts }, timers);
  }

  // By themselves

  /** Users of any audience may have something to be told. */
  allChanged(): void {
    for (const { audience } of this.#roster.all) this.usersChanged(audience.id);
  }

  /** Starts a sync on change after a rest. */
  usersChanged(audienceId: number): void {
    const known = this.#roster.find(audienceId);
    if (!this.#isRunning || known?.audience.syncWhen !== 'change' || this.#rests.has(audienceId)) return;
    if (pendingOf(known.counts) === 0) return;
    this.#beginIn(REST_MS, audienceId, 'change');
  }

  #beginIn(ms: number, audienceId: number, by: SyncStarter): void {
    this.#rests.get(audienceId)?.cancel();
    const rest = this.#deps.timers.after(ms, () => {
      this.#rests.delete(audienceId);
      this.#beginAlone(audienceId, by);
    });
    this.#rests.set(audienceId, rest);
  }

  #beginAlone(audienceId: number, by: SyncStarter): void {
    if (!this.#isRunning || this.#roster.find(audienceId) === undefined || this.#runs.has(audienceId)) return;
    this.begin(audienceId, by).catch((error: unknown) => {
      this.#deps.logger.log('warn', 'sync_not_started', { audience: audienceId, message: (error as Error).message });
      if (isPassing(error) && this.#isRunning) this.#beginIn(AGAIN_MS, audienceId, by);
    });
  }

  /** The retry clock or a schedule has changed. */
  reschedule(): void {
    if (this.#isRunning) this.#plan();
  }

  /** The next look comes after `restMs` at the earliest. */
  #plan(restMs = 0): void {
    this.#timer?.cancel();
    const next = Math.min(...this.#roster.all.map(({ audience }) => audience.nextSyncAt ?? Number.POSITIVE_INFINITY));
    if (next === Number.POSITIVE_INFINITY) return;
    const delay = Math.min(this.#deps.retryClock.realDelay(next), MAX_TIMER_MS);
    this.#timer = this.#deps.timers.after(Math.max(restMs, delay), () => void this.#runDue());
  }

  /** A sync that is due while another one is open is left out; the one after it sends what is pending then. */
  async #runDue(): Promise<void> {
    const now = this.#deps.retryClock.now();
    let restMs = 0;
    for (const { audience } of this.#roster.all) {
      const { id, nextSyncAt, everyMs } = audience;
      if (nextSyncAt === null || everyMs === null || nextSyncAt > now) continue;
      const missed = Math.floor((now - nextSyncAt) / everyMs);
      try {
        await this.#roster.setNextSync(id, nextSyncAt + (missed + 1) * everyMs);
      } catch (error) {
        this.#deps.logger.log('warn', 'sync_not_started', { audience: id, message: (error as Error).message });
        restMs = AGAIN_MS;
        continue;
      }
      this.#beginAlone(id, 'clock');
    }
    if (this.#isRunning) this.#plan(restMs);
  }
}
