/**
 * Takes erased users out of audiences and their syncs (docs/behaviour.md, Deletions). A row of a sync that was sent stays
 * without the user, so that its ledger and its reasons add up. What was not sent is taken out of the plan.
 */
import { NO_USERS, recounted } from '../model/audience-user.ts';
import type { StoredCall, StoredSync } from '../store/ports/syncs.ts';
import type { ComputedMembers } from './computed-members.ts';
import type { AudiencesDeps, StoredAudience } from './deps.ts';
import type { Imports } from './imports.ts';
import type { Roster } from './roster.ts';
import type { Syncs } from './syncs.ts';

/** Rows that are looked at or written in one turn: about 2 ms. */
const ROWS = 500;
const SWEPT_ROWS = 2_000;
const SYNCS = 100;

export interface ErasingParts {
  readonly roster: Roster;
  readonly syncs: Syncs;
  readonly imports: Imports;
  readonly computed: ComputedMembers;
}

/** How much text was searched, and how many rows mention the users. */
export interface LookedThrough {
  readonly bytes: number;
  readonly rows: number;
}

/** Takes erased users out of audiences, computed traits, syncs and imports, and looks for them afterwards. */
export class UserErasing {
  readonly #deps: AudiencesDeps;
  readonly #parts: ErasingParts;
  #isStopped = false;
  #stopped: () => void = () => {};
  readonly #whenStopped = new Promise<void>((resolve) => {
    this.#stopped = resolve;
  });

  constructor(deps: AudiencesDeps, parts: ErasingParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** An erase under way rejects soon. The next start begins it anew. */
  stop(): void {
    this.#isStopped = true;
    this.#stopped();
  }

  /** In how many audiences and computed traits these users are, each counted once. */
  async count(userIds: readonly string[]): Promise<number> {
    let found = 0;
    for (const { audience } of this.#parts.roster.all)
      for (const part of partsOf(userIds)) {
        for (const userId of part) if (this.#deps.store.user(audience.id, userId) !== undefined) found += 1;
        await this.#pause();
      }
    return found;
  }

  /**
   * Removes them for good. Call it when their calls are gone, while `suppressed` has them: until then a rule finds them,
   * and a sync would tell them. Returns in how many audiences and computed traits they were. Rejects when the store
   * cannot be written; then call it again.
   */
  async erase(users: ReadonlySet<string>): Promise<number> {
    const { roster, imports, computed } = this.#parts;
    imports.forget(users);
    roster.leaveOut(users);
    // This write also waits for the steps of edits that the store has already.
    await this.#sweep();
    // A walk under way may have seen their calls.
    await Promise.race([computed.settled(), this.#whenStopped]);
    let removed = 0;
    for (const { audience } of roster.all) {
      const rows = await this.#removeFrom(audience, [...users]);
      if (rows > 0) computed.recheck(audience.id);
      removed += rows;
    }
    await this.#eachSync((sync) => this.#eraseFrom(sync, users));
    return removed;
  }

  /** Rows of removed audiences go first, because nobody lists them any more. */
  async #sweep(): Promise<void> {
    const { store, write } = this.#deps;
    while (await write((changes) => store.sweep(SWEPT_ROWS, changes), SWEPT_ROWS)) await this.#pause();
  }

  async #removeFrom({ id, kind }: StoredAudience, userIds: readonly string[]): Promise<number> {
    const { store, write } = this.#deps;
    let removed = 0;
    for (const part of partsOf(userIds)) {
      const stored = part.filter((userId) => store.user(id, userId) !== undefined);
      await this.#pause();
      if (stored.length === 0) continue;
      const delta = await write((changes) => {
        let counts = NO_USERS;
        for (const userId of stored) {
          counts = recounted(kind, counts, store.user(id, userId), null);
          store.removeUser(id, userId, changes);
        }
        return counts;
      }, stored.length);
      this.#parts.roster.recount(id, delta);
      removed += stored.length;
    }
    return removed;
  }

  async #eraseFrom(sync: StoredSync, users: ReadonlySet<string>): Promise<void> {
    const { syncs, write } = this.#deps;
    const run = this.#parts.syncs.run(sync.audienceId);
    if (run?.sync.id === sync.id) await run.leaveOut(users);
    await this.#eachCall(sync, async (calls) => {
      const theirs = calls.filter(({ userId }) => users.has(userId));
      if (theirs.length > 0)
        await write((changes) => {
          for (const { position } of theirs) syncs.anonymise({ syncId: sync.id, position }, changes);
        }, theirs.length);
    });
  }

  /** Counts the rows that still mention the users: other users' values and labels, rules, and rows that came meanwhile. */
  async look(mentions: (json: string) => boolean): Promise<LookedThrough> {
    let [bytes, rows] = [0, 0];
    const see = (...texts: readonly (string | null)[]): void => {
      for (const text of texts) bytes += text?.length ?? 0;
      if (texts.some((text) => text !== null && mentions(text))) rows += 1;
    };
    const quoted = (text: string | null): string | null => (text === null ? null : JSON.stringify(text));
    for (const { audience } of this.#parts.roster.all) {
      see(audience.definition, quoted(audience.name));
      await this.#eachUser(audience.id, ({ userId, value, sent, label }) =>
        see(quoted(userId), value, sent, quoted(label)),
      );
    }
    await this.#eachSync((sync) =>
      this.#eachCall(sync, (calls) => {
        for (const { userId, value, before } of calls) see(quoted(userId), value, before);
      }),
    );
    return { bytes, rows };
  }

  // Walks

  async #eachUser(audienceId: number, look: (user: ReturnType<AudiencesDeps['store']['users']>[number]) => void) {
    for (let after: string | null = null; ; await this.#pause()) {
      const users = this.#deps.store.users({ audienceId, after, limit: ROWS, only: 'all' });
      users.forEach(look);
      if (users.length < ROWS) return;
      after = users.at(-1)!.userId;
    }
  }

  async #eachSync(look: (sync: StoredSync) => Promise<void>): Promise<void> {
    for (let before: number | null = null; ; ) {
      const syncs = this.#deps.syncs.list({ audienceId: null, kind: null, before, limit: SYNCS });
      for (const sync of syncs) await look(sync);
      if (syncs.length < SYNCS) return;
      before = syncs.at(-1)!.id;
    }
  }

  async #eachCall({ id: syncId }: StoredSync, look: (calls: readonly StoredCall[]) => Promise<void> | void) {
    for (let after = 0; ; await this.#pause()) {
      const calls = this.#deps.syncs.calls({ syncId, after, limit: ROWS, only: 'all' });
      await look(calls);
      if (calls.length < ROWS) return;
      after = calls.at(-1)!.position;
    }
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => this.#deps.timers.soon(resolve));
    if (this.#isStopped) throw new Error('Hookbench stops.');
  }
}

function* partsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += ROWS) yield all.slice(at, at + ROWS);
}
