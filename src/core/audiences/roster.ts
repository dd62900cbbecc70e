/** The audiences and traits in memory, and their users in the store. */
import { AUDIENCE_LIMITS, type AudienceInput, type PropertyView, type SyncPlan } from '../../contract/audiences.ts';
import { ContractError } from '../../contract/errors.ts';
import {
  type AudienceUser,
  IN,
  NO_USERS,
  recounted,
  type UserCounts,
  withSent,
  withValue,
} from '../model/audience-user.ts';
import { propertiesLike, propertyOf } from '../model/property-name.ts';
import type { AudienceToSave, StoredAudience } from '../store/ports/audiences.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { AudiencesDeps } from './deps.ts';

/** Rows of one transaction, so that it holds the engine for less than 20 ms. */
const STEP_ROWS = 500;
const SWEEP_ROWS = 2_000;
const SWEEP_PAUSE_MS = 2;

/** So many properties with a number are looked at for a free one. */
const LIKES = 20;

export interface AskedProperty {
  readonly name?: string;
  readonly property?: string;
  /** The audience that would use it. */
  readonly id?: number;
}

/** A user and the value that it is found to have; null for none. */
export interface UserEdit {
  readonly userId: string;
  readonly value: string | null;
  /** Left as it is when absent. */
  readonly label?: string | null;
}

export interface Edited {
  readonly added: number;
  readonly removed: number;
  readonly unchanged: number;
}

const NOTHING_EDITED: Edited = { added: 0, removed: 0, unchanged: 0 };

export interface Known {
  readonly audience: StoredAudience;
  readonly counts: UserCounts;
}

export type SaveAudience = Omit<AudienceInput, 'kind'> & Required<Pick<AudienceInput, 'kind'>>;

export class Roster {
  readonly #deps: AudiencesDeps;
  #known = new Map<number, Known>();
  #isSweeping = false;
  #stopped = false;
  /** For each edit under way, the users whom it leaves out from now on. */
  readonly #leftOut = new Set<Set<string>>();

  constructor(deps: AudiencesDeps) {
    this.#deps = deps;
    for (const audience of deps.store.all())
      this.#known.set(audience.id, { audience, counts: deps.store.counts(audience.id) });
  }

  /** Oldest first. */
  get all(): readonly Known[] {
    return [...this.#known.values()];
  }

  /** Error `audience_not_found`. */
  get(id: number): Known {
    const known = this.#known.get(id);
    if (known === undefined) throw new ContractError('audience_not_found');
    return known;
  }

  find(id: number): Known | undefined {
    return this.#known.get(id);
  }

  // Names

  async propertyView({ name, property, id }: AskedProperty): Promise<PropertyView> {
    const wanted = property ?? propertyOf(name ?? '');
    if (wanted === null) return { property: null, usedBy: null, sentBy: [], free: null };
    const isUsed = (one: string): boolean => this.#userOf(one, id) !== undefined;
    const likes = propertiesLike(wanted, LIKES, isUsed);
    const senders = await this.#deps.sendersOf(likes);
    const user = this.#userOf(wanted, id);
    const sentBy = senders?.[0] ?? null;
    const isClash = user !== undefined || (sentBy !== null && sentBy.length > 0);
    const isFree = (one: string, i: number): boolean => i > 0 && !isUsed(one) && (senders?.[i] ?? []).length === 0;
    return {
      property: wanted,
      usedBy: user === undefined ? null : { id: user.id, kind: user.kind, name: user.name },
      sentBy: sentBy && [...sentBy],
      free: isClash ? (likes.find(isFree) ?? null) : null,
    };
  }

  #userOf(property: string, except: number | undefined): StoredAudience | undefined {
    return this.all.map(({ audience }) => audience).find((one) => one.property === property && one.id !== except);
  }

  // Saving and removing

  /**
   * Errors `audience_not_found`, `audience_name_taken`, `property_taken`, `property_needed`, `property_locked`,
   * `source_fixed`, `too_many_audiences`. `isLocked` says whether it was synced.
   */
  async save(edit: SaveAudience, isLocked: boolean): Promise<StoredAudience> {
    const row = await this.#deps.write((changes) => {
      const next = this.#edited(edit, isLocked);
      return { ...next, id: this.#deps.store.save(next, changes) };
    });
    this.#known.set(row.id, { audience: row, counts: this.#known.get(row.id)?.counts ?? NO_USERS });
    return row;
  }

  #edited(edit: SaveAudience, isLocked: boolean): AudienceToSave {
    const before = edit.id === undefined ? undefined : this.get(edit.id).audience;
    // Read from the store, because another edit of the same turn may have come first.
    const others = this.#deps.store.all().filter(({ id }) => id !== edit.id);
    if (before === undefined && others.length >= AUDIENCE_LIMITS.audiences)
      throw new ContractError('too_many_audiences');
    const kind = before?.kind ?? edit.kind;
    if (others.some((one) => one.kind === kind && one.name === edit.name))
      throw new ContractError('audience_name_taken', undefined, 'name');
    const property = this.#propertyFor(edit, before, others);
    if (before !== undefined && isLocked && property !== before.property)
      throw new ContractError('property_locked', undefined, 'property');
    return {
      id: before?.id,
      kind,
      name: edit.name,
      property,
      definition: this.#definitionOf(edit, before),
      ...this.#planOf(edit.sync, before),
      track: kind === 'audience' && (edit.track ?? before?.track ?? false),
      createdAt: before?.createdAt ?? this.#deps.clock.wall(),
    };
  }

  #propertyFor(edit: SaveAudience, before: StoredAudience | undefined, others: readonly StoredAudience[]): string {
    const property = edit.property ?? before?.property ?? propertyOf(edit.name);
    if (property === null) throw new ContractError('property_needed', undefined, 'property');
    const user = others.find((one) => one.property === property);
    if (user !== undefined)
      throw new ContractError('property_taken', `The ${user.kind} ${user.name} sends ${property} already.`, 'property');
    return property;
  }

  #definitionOf({ kind, source }: SaveAudience, before: StoredAudience | undefined): string | null {
    if (source === undefined && before !== undefined) return before.definition;
    const isList = source === undefined || source.by === 'hand';
    if (before !== undefined && isList !== (before.definition === null))
      throw new ContractError('source_fixed', undefined, 'source');
    if (isList && kind === 'trait')
      throw new ContractError('invalid_argument', 'A computed trait needs a definition.', 'source');
    if (isList) return null;
    const definition = JSON.stringify(source.definition);
    const problem = this.#deps.membersOf.problemOf(before?.kind ?? kind, definition);
    if (problem !== null) throw new ContractError('invalid_argument', problem, 'source.definition');
    return definition;
  }

  #planOf(plan: SyncPlan | undefined, before: StoredAudience | undefined) {
    if (plan === undefined && before !== undefined) {
      const { syncWhen, everyMs, nextSyncAt } = before;
      return { syncWhen, everyMs, nextSyncAt };
    }
    if (plan?.when !== 'every') return { syncWhen: plan?.when ?? ('hand' as const), everyMs: null, nextSyncAt: null };
    const { everyMs } = plan;
    const isSame = before?.everyMs === everyMs;
    const nextSyncAt = isSame ? before.nextSyncAt : this.#deps.retryClock.now() + everyMs;
    return { syncWhen: 'every' as const, everyMs, nextSyncAt };
  }

  /** Moves the next scheduled sync. */
  async setNextSync(id: number, nextSyncAt: number): Promise<void> {
    const known = this.get(id);
    const audience = { ...known.audience, nextSyncAt };
    await this.#deps.write((changes) => this.#deps.store.save(audience, changes));
    const now = this.#known.get(id);
    if (now !== undefined) this.#known.set(id, { ...now, audience: { ...now.audience, nextSyncAt } });
  }

  /** Error `audience_not_found`. Its rows are removed in steps. */
  async remove(id: number): Promise<void> {
    this.get(id);
    if (!(await this.#deps.write((changes) => this.#deps.store.remove(id, changes))))
      throw new ContractError('audience_not_found');
    this.#known.delete(id);
    this.sweep();
  }

  /** Removes what belongs to removed audiences, in steps with a pause between them. */
  sweep(): void {
    if (this.#isSweeping || this.#stopped) return;
    this.#isSweeping = true;
    this.#deps
      .write((changes) => this.#deps.store.sweep(SWEEP_ROWS, changes), SWEEP_ROWS)
      .then(
        (more) => {
          this.#isSweeping = false;
          if (more) this.#deps.timers.after(SWEEP_PAUSE_MS, () => this.sweep());
        },
        () => {
          // The next start goes on.
          this.#isSweeping = false;
        },
      );
  }

  stop(): void {
    this.#stopped = true;
  }

  // Users

  /** Errors `audience_not_found`, `not_by_hand`. */
  byHand(id: number): Known {
    const known = this.get(id);
    if (known.audience.definition !== null) throw new ContractError('not_by_hand');
    return known;
  }

  /** Works in steps; a crash leaves the steps before it done. */
  async editUsers(id: number, edits: readonly UserEdit[]): Promise<Edited> {
    const leftOut = new Set<string>();
    this.#leftOut.add(leftOut);
    try {
      let done = NOTHING_EDITED;
      for (let at = 0; at < edits.length; at += STEP_ROWS) {
        const some = edits.slice(at, at + STEP_ROWS).filter(({ userId }) => !leftOut.has(userId));
        const step = await this.#step(id, some);
        done = {
          added: done.added + step.added,
          removed: done.removed + step.removed,
          unchanged: done.unchanged + step.unchanged,
        };
      }
      return done;
    } finally {
      this.#leftOut.delete(leftOut);
    }
  }

  /** Edits under way leave these users out of the steps that they have not handed to the store yet. */
  leaveOut(users: ReadonlySet<string>): void {
    for (const leftOut of this.#leftOut) for (const userId of users) leftOut.add(userId);
  }

  async #step(id: number, edits: readonly UserEdit[]): Promise<Edited> {
    const { store, clock, write } = this.#deps;
    const { audience } = this.get(id);
    const { kind } = audience;
    const at = clock.wall();
    const { delta, ...edited } = await write((changes) => {
      // A removed audience gets no rows any more.
      if (this.#known.get(id) === undefined) throw new ContractError('audience_not_found');
      let counts = NO_USERS;
      const n = { added: 0, removed: 0, unchanged: 0 };
      for (const { userId, value, label } of edits) {
        const before = store.user(id, userId);
        const after = withValue(kind, userId, before, value, at, label ?? before?.label ?? null);
        this.#put(id, userId, before, after, changes);
        counts = recounted(kind, counts, before, after);
        n[changeBy(before, after)] += 1;
      }
      return { ...n, delta: counts };
    }, edits.length * 2);
    this.recount(id, delta);
    return edited;
  }

  #put(
    id: number,
    userId: string,
    before: AudienceUser | undefined,
    after: AudienceUser | null,
    changes: Changes,
  ): void {
    if (after === null) {
      if (before !== undefined) this.#deps.store.removeUser(id, userId, changes);
    } else if (before === undefined || !isSame(before, after)) this.#deps.store.putUser(id, after, changes);
  }

  /** Writes down what a user was told, in the caller's transaction. Returns what it changes in the counts. */
  told(
    { id, kind }: StoredAudience,
    told: { readonly userId: string; readonly value: string },
    at: number,
    changes: Changes,
  ): UserCounts {
    const before = this.#deps.store.user(id, told.userId);
    const after = withSent(kind, told.userId, before, told.value, at);
    this.#put(id, told.userId, before, after, changes);
    return recounted(kind, NO_USERS, before, after);
  }

  /** Adds to the counts what a committed transaction changed. */
  recount(id: number, delta: UserCounts): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#known.set(id, { ...known, counts: summed(known.counts, delta) });
    this.#deps.changed();
  }
}

export const summed = (a: UserCounts, b: UserCounts): UserCounts => ({
  members: a.members + b.members,
  toAdd: a.toAdd + b.toAdd,
  toRemove: a.toRemove + b.toRemove,
  toChange: a.toChange + b.toChange,
});

export const pendingOf = ({ toAdd, toRemove, toChange }: UserCounts): number => toAdd + toRemove + toChange;

const isSame = (a: AudienceUser, b: AudienceUser): boolean =>
  a.value === b.value && a.sent === b.sent && a.since === b.since && a.label === b.label;

const isIn = (user: AudienceUser | null | undefined): boolean => user?.value === IN;

function changeBy(before: AudienceUser | undefined, after: AudienceUser | null): keyof Edited {
  if (isIn(before) === isIn(after)) return 'unchanged';
  return isIn(after) ? 'added' : 'removed';
}
