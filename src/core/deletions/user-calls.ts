/**
 * Finds what the store has of some users: one walk through the messages, in steps. The last result is kept, so that the
 * same ids cost only what came since. Ids are compared as they are; those that differ only in spaces or case are
 * reported beside.
 */
import type { Timers } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { ErasureStore, UserCall } from '../store/ports/erasure.ts';

/** Rows in one step: about 3 ms. Other work runs between two steps. */
const STEP = 500;

/** What the store has of one user. */
export interface FoundUser {
  /** Calls by source: what makes a source know the user. */
  readonly calls: Map<number, number>;
  /** Row ids of what an erase would take. */
  readonly messages: number[];
  held: number;
  replays: number;
  /** Row id of the newest identify call, or null. */
  identify: number | null;
}

export interface Found {
  /** By id, for each that was asked for. */
  readonly users: ReadonlyMap<string, FoundUser>;
  /** Other ids and their calls, by what spaces and case leave of them. */
  readonly near: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The newest message that was looked at. */
  readonly upTo: number;
}

interface Search extends Found {
  readonly key: string;
  readonly users: Map<string, FoundUser>;
  readonly near: Map<string, Map<string, number>>;
  upTo: number;
}

export interface UserCallsDeps {
  readonly store: Pick<ErasureStore, 'calls' | 'newest'>;
  readonly timers: Pick<Timers, 'soon'>;
}

/** What is left of an id without spaces and case. */
export const folded = (userId: string): string => userId.replace(/\s+/gu, '').toLowerCase();

/** A call that a source sent, and that was not rejected. */
const isCall = ({ origin, state }: UserCall): boolean =>
  state !== 'rejected' && origin !== 'deletion' && origin !== 'audience';

/** Notices are the proof of a deletion and stay. */
export const isErasable = ({ origin }: Pick<UserCall, 'origin'>): boolean => origin !== 'deletion';

const isHeld = ({ state, reason }: UserCall): boolean => state === 'rejected' && reason === 'unknown_source';

export class UserCalls {
  readonly #deps: UserCallsDeps;
  #last: Search | null = null;

  constructor(deps: UserCallsDeps) {
    this.#deps = deps;
  }

  /** Runs after each commit: what was found may be gone. */
  committed({ removed, emptied }: Changes): void {
    if (removed.length + emptied.length > 0) this.#last = null;
  }

  /** `userIds` are different from each other. */
  async find(userIds: readonly string[]): Promise<Found> {
    for (;;) {
      const search = this.#begun(userIds);
      while (this.#step(search)) await new Promise<void>((resolve) => this.#deps.timers.soon(resolve));
      if (this.#last === search) return search;
    }
  }

  /** Looks at what came since, in this turn. For a few rows only. */
  catchUp(found: Found): void {
    while (this.#step(found as Search));
  }

  #begun(userIds: readonly string[]): Search {
    const key = JSON.stringify(userIds);
    if (this.#last?.key === key) return this.#last;
    const users = new Map(userIds.map((userId) => [userId, nothing()]));
    const near = new Map(userIds.map((userId) => [folded(userId), new Map<string, number>()]));
    this.#last = { key, users, near, upTo: 0 };
    return this.#last;
  }

  /** False at the end. */
  #step(search: Search): boolean {
    const { store } = this.#deps;
    const upTo = store.newest().message;
    if (search.upTo >= upTo) return false;
    const rows = store.calls({ after: search.upTo, upTo, limit: STEP });
    for (const row of rows) add(search, row);
    search.upTo = rows.length < STEP ? upTo : rows.at(-1)!.id;
    return search.upTo < upTo;
  }
}

const nothing = (): FoundUser => ({ calls: new Map(), messages: [], held: 0, replays: 0, identify: null });

function add({ users, near }: Search, row: UserCall): void {
  const user = users.get(row.userId);
  if (user === undefined) {
    if (!isCall(row)) return;
    const others = near.get(folded(row.userId));
    others?.set(row.userId, (others.get(row.userId) ?? 0) + 1);
    return;
  }
  if (isErasable(row)) {
    user.messages.push(row.id);
    user.replays += row.replays;
    if (isHeld(row)) user.held += 1;
  }
  if (!isCall(row)) return;
  if (row.type === 'identify') user.identify = row.id;
  if (row.sourceId !== null) user.calls.set(row.sourceId, (user.calls.get(row.sourceId) ?? 0) + 1);
}
