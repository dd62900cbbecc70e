/** Audiences and computed traits of a workspace: the commands of clients and the live part. */
import type {
  AudienceDetail,
  AudienceKind,
  AudienceRow,
  AudiencesView,
  DryRun,
  MemberRow,
  MembersChanged,
  MembershipRow,
  Page,
  PendingRow,
  SyncDetail,
  SyncListRow,
} from '../../contract/audiences.ts';
import { ContractError } from '../../contract/errors.ts';
import { IN, isMember } from '../model/audience-user.ts';
import { idProblem } from '../model/member-rows.ts';
import type { Timer } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { PlannedCall, StoredSync } from '../store/ports/syncs.ts';
import type { SettingsOwner } from '../workspace/settings-owner.ts';
import { ComputedMembers } from './computed-members.ts';
import { AudiencesConfig } from './config.ts';
import type { AudiencesDeps, StoredAudience } from './deps.ts';
import { UserErasing } from './erasing.ts';
import { Imports } from './imports.ts';
import { membershipsOf } from './memberships.ts';
import { type AskedProperty, type Edited, pendingOf, Roster, type SaveAudience } from './roster.ts';
import { nextCallOf, typesOf } from './sync-plan.ts';
import { CHUNK_CALLS } from './sync-run.ts';
import { Syncs } from './syncs.ts';
import { audienceRow, dryCalls, eventsOf, matches, memberRow, pendingRow, syncRow } from './views.ts';

/** Clients hear of a running sync at most this often. */
const TELL_MS = 250;
/** Users that one command looks through for a search. */
const SEARCH_USERS = 5_000;
const HISTORY = 12;

export class Audiences {
  readonly #deps: AudiencesDeps;
  readonly #roster: Roster;
  readonly #computed: ComputedMembers;
  readonly syncs: Syncs;
  readonly imports: Imports;
  readonly config: SettingsOwner;
  readonly erasing: UserErasing;
  #told: Timer | null = null;
  #isStopped = false;

  constructor(given: AudiencesDeps) {
    const deps: AudiencesDeps = { ...given, changed: () => this.#tell() };
    this.#deps = given;
    this.#roster = new Roster(deps);
    this.#computed = new ComputedMembers({
      ...deps,
      roster: this.#roster,
      taken: (id) => {
        this.syncs.usersChanged(id);
        this.#tell();
      },
    });
    this.syncs = new Syncs(deps, this.#roster, this.#computed);
    this.imports = new Imports(deps, this.#roster);
    this.config = new AudiencesConfig({
      roster: this.#roster,
      store: deps.store,
      isSynced: (id) => this.syncs.isSynced(id),
      save: (edit) => this.save(edit),
    });
    const { syncs, imports } = this;
    this.erasing = new UserErasing(deps, { roster: this.#roster, computed: this.#computed, syncs, imports });
  }

  #tell(): void {
    if (this.#told !== null || this.#isStopped) return;
    this.#told = this.#deps.timers.after(TELL_MS, () => {
      this.#told = null;
      this.#deps.changed();
    });
  }

  /** Takes up open syncs and begins with the schedule. */
  async start(): Promise<void> {
    this.#roster.sweep();
    this.#computed.start();
    try {
      await this.syncs.start();
    } catch (error) {
      // Everything else goes on; a sync that could not be taken up is at the next start.
      this.#deps.logger.log('error', 'syncs_not_taken_up', { message: (error as Error).message });
    }
  }

  /** Resolves when nothing is being written any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#told?.cancel();
    this.imports.stop();
    this.erasing.stop();
    this.#computed.stop();
    this.#roster.stop();
    await this.syncs.stop();
  }

  committed(changes: Changes): void {
    this.syncs.committed(changes);
  }

  // What clients see

  view(): AudiencesView {
    const rows = this.#roster.all.map(({ audience }) => this.row(audience.id));
    const of = (kind: AudienceKind): AudienceRow[] => rows.filter((row) => row.kind === kind);
    return { audiences: of('audience'), traits: of('trait') };
  }

  /** Error `audience_not_found`. */
  row(id: number): AudienceRow {
    const synced = this.syncs.newest(id)?.n ?? 0;
    return audienceRow(this.#roster.get(id), this.syncs, { synced, isCounted: this.#computed.isCounted(id) });
  }

  /** Error `audience_not_found`. */
  detail(id: number): AudienceDetail {
    const { audience } = this.#roster.get(id);
    const { definition } = audience;
    return {
      ...this.row(id),
      source: definition === null ? { by: 'hand' } : { by: 'computed', definition: JSON.parse(definition) },
      history: this.#list(id, null, null, HISTORY).map((sync) => syncRow(sync, this.syncs.run(id))),
    };
  }

  propertyView(asked: AskedProperty) {
    return this.#roster.propertyView(asked);
  }

  // Saving

  /** Errors as those of {@link Roster.save}. */
  async save(edit: SaveAudience): Promise<AudienceRow> {
    const isLocked = edit.id !== undefined && this.syncs.isSynced(edit.id);
    const { id } = await this.#roster.save(edit, isLocked);
    this.#computed.keep();
    this.syncs.reschedule();
    this.syncs.usersChanged(id);
    this.#deps.changed();
    return this.row(id);
  }

  /** Errors `audience_not_found`, `sync_running`. */
  async remove(id: number): Promise<void> {
    this.#roster.get(id);
    const run = this.syncs.run(id);
    if (run !== undefined && run.sync.state !== 'stopped') throw new ContractError('sync_running');
    this.syncs.forget(id);
    await this.#roster.remove(id);
    this.#computed.keep();
    this.#deps.changed();
  }

  // Users

  /** Errors `audience_not_found`, `not_by_hand`, `invalid_argument`. */
  async editMembers(id: number, add: readonly string[], remove: readonly string[]): Promise<MembersChanged> {
    this.#roster.byHand(id);
    for (const [i, userId] of add.entries())
      if (idProblem(userId) !== null)
        throw new ContractError('invalid_argument', `add.${i} is not a user id.`, `add.${i}`);
    const edits = [
      ...add.map((userId) => ({ userId, value: IN })),
      ...remove.map((userId) => ({ userId, value: null })),
    ];
    return this.edited(id, await this.#roster.editUsers(id, edits));
  }

  edited(id: number, edited: Edited): MembersChanged {
    this.syncs.usersChanged(id);
    return { ...edited, audience: this.row(id) };
  }

  /** Error `audience_not_found`. */
  pending(id: number, after: string | null, limit: number): Page<PendingRow> {
    const { kind } = this.#roster.get(id).audience;
    const users = this.#deps.store.users({ audienceId: id, after, limit, only: 'pending' });
    return { rows: users.map(pendingRow(kind)), next: users.length === limit ? users.at(-1)!.userId : null };
  }

  /** Looks through a bounded number of users. Error `audience_not_found`. */
  members(id: number, after: string | null, limit: number, search = ''): Page<MemberRow> {
    const { kind } = this.#roster.get(id).audience;
    const isShown = search === '' ? (user: Parameters<typeof isMember>[1]) => isMember(kind, user) : undefined;
    const fits = isShown ?? matches(kind, search);
    const users = this.#deps.store.users({ audienceId: id, after, limit: SEARCH_USERS, only: 'all' });
    const rows: MemberRow[] = [];
    for (const user of users) {
      if (rows.length === limit) return { rows, next: rows.at(-1)!.userId };
      if (fits(user as never)) rows.push(memberRow(kind)(user));
    }
    return { rows, next: users.length === SEARCH_USERS ? users.at(-1)!.userId : null };
  }

  /** The audiences in which one of these users is now. */
  withUser(userIds: readonly string[]): MembershipRow[] {
    const isCounted = (id: number): boolean => this.#computed.isCounted(id);
    return membershipsOf(userIds, { all: this.#roster.all, store: this.#deps.store, isCounted });
  }

  // Syncs

  /** Sends nothing. Brings computed users up to date first. Errors `audience_not_found`, `people_off`. */
  async dryRun(id: number, after: string | null, limit: number): Promise<DryRun> {
    if (after === null) await this.#computed.upToDate(id);
    const left = await this.syncs.suppressedOf(id);
    const { audience, counts } = this.#roster.get(id);
    const [place, rest] = placeOf(after);
    const types = typesOf(audience);
    const users = this.#deps.store.users({ audienceId: id, after: rest, limit, only: 'pending' });
    const told = users.filter(({ userId }) => !this.#deps.suppressed().has(userId));
    const calls: PlannedCall[] = told.flatMap(({ userId, value, sent: before }, i) =>
      types.map((type, k) => ({
        position: place + i * types.length + k + 1,
        userId,
        type,
        value: value!,
        before,
      })),
    );
    const last = users.at(-1)?.userId;
    return {
      total: (pendingOf(counts) - pendingOf(left)) * types.length,
      kind: this.syncs.isSynced(id) ? 'changes' : 'first',
      added: counts.toAdd - left.toAdd,
      removed: counts.toRemove - left.toRemove,
      changed: counts.toChange - left.toChange,
      suppressed: pendingOf(left),
      rows: this.#dry(audience, 'next', calls),
      next: users.length === limit && last !== undefined ? `${place + calls.length} ${last}` : null,
    };
  }

  #dry(audience: StoredAudience, token: string, calls: readonly PlannedCall[]) {
    const { clock, destination } = this.#deps;
    const at = clock.wall();
    return dryCalls(calls, { audience, token, at, destination: destination() });
  }

  /** Error `sync_not_found`. */
  syncDetail(audienceId: number, n: number): SyncDetail {
    const run = this.syncs.run(audienceId);
    const stored = this.#deps.syncs.byNumber(audienceId, n);
    if (stored === undefined) throw new ContractError('sync_not_found');
    const own = run?.sync.id === stored.id ? run : undefined;
    const sync = own?.sync ?? stored;
    const { audience, counts } = this.#roster.get(audienceId);
    const next =
      sync.state === 'done' || sync.expected === null ? undefined : nextCallOf(this.#deps, sync, CHUNK_CALLS);
    const unsent = own === undefined ? 0 : own.ledger.unsent / typesOf(audience).length;
    return {
      ...syncRow(sync, own),
      audienceName: audience.name,
      property: audience.property,
      events: eventsOf(sync),
      series: own?.series ?? (sync.series as SyncDetail['series']),
      perSecond: own?.perSecond ?? 0,
      failures: this.#deps.syncs.failures(sync.id),
      callsRemoved: sync.state === 'done' && sync.expected !== 0 && !this.#hasCalls(sync.id),
      nextCall: next === undefined ? null : this.#dry(audience, sync.token, [next])[0]!,
      changedMeanwhile: Math.max(0, pendingOf(counts) - (sync.expected === null ? pendingOf(counts) : unsent)),
    };
  }

  #hasCalls(syncId: number): boolean {
    return this.#deps.syncs.calls({ syncId, after: 0, limit: 1, only: 'all' }).length > 0;
  }

  list(asked: { id: number | null; kind: AudienceKind | null; before: number | null; limit: number }) {
    const { id, kind, before, limit } = asked;
    const rows = this.#list(id, kind, before, limit).map((sync) => this.#listRow(sync));
    const nextBefore = rows.length === limit ? rows.at(-1)!.id : null;
    return { rows, total: this.#deps.syncs.count({ audienceId: id, kind }), nextBefore };
  }

  #list(id: number | null, kind: AudienceKind | null, before: number | null, limit: number): StoredSync[] {
    return this.#deps.syncs.list({ audienceId: id, kind, before, limit });
  }

  #listRow(sync: StoredSync): SyncListRow {
    const { audience } = this.#roster.get(sync.audienceId);
    const run = this.syncs.run(sync.audienceId);
    const own = run?.sync.id === sync.id ? run.sync : sync;
    return { ...syncRow(own, run), audienceName: audience.name, kindOfAudience: audience.kind };
  }

  syncRow(sync: StoredSync) {
    return syncRow(sync, this.syncs.run(sync.audienceId));
  }

  /** Error `sync_not_found`. */
  calls(syncId: number, only: 'all' | 'failed', after: number, limit: number) {
    const sync = this.#deps.syncs.sync(syncId);
    if (sync === undefined) throw new ContractError('sync_not_found');
    const { kind } = this.#roster.get(sync.audienceId).audience;
    return { kind, calls: this.#deps.syncs.calls({ syncId, after, limit, only }) };
  }
}

/** A cursor of a dry run: calls before it, and the user id that they end with. */
function placeOf(after: string | null): [place: number, userId: string | null] {
  const [, place, userId] = /^(\d+) (.*)$/s.exec(after ?? '') ?? [];
  return place === undefined ? [0, null] : [Number(place), userId!];
}
