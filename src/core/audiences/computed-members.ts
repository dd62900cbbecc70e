/**
 * Keeps the users of rules and computed traits as stored traffic makes them, so that counts and syncs on change are
 * live: a call, a removed call and the end of a time window all change them.
 */
import type { Logger, Timer, Timers } from '../ports.ts';
import type { AudienceStore } from '../store/ports/audiences.ts';
import { type ComputedAudience, takeOverComputed } from './computed.ts';
import type { MembersOf } from './members-of.ts';
import type { Roster } from './roster.ts';

/** Users are taken over so long after the first change, so that busy traffic makes few transactions. */
const GATHER_MS = 100;

export interface ComputedMembersDeps {
  readonly membersOf: MembersOf;
  readonly store: AudienceStore;
  readonly roster: Roster;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Runs after users of an audience were taken over. */
  taken(audienceId: number): void;
}

export class ComputedMembers {
  readonly #deps: ComputedMembersDeps;
  /** The walk under way of each audience, and the one after it: more would find nothing more. */
  readonly #walking = new Map<number, Promise<void>>();
  readonly #next = new Map<number, Promise<void>>();
  readonly #changed = new Set<string>();
  #gathering: Timer | null = null;
  #isRunning = false;

  constructor(deps: ComputedMembersDeps) {
    this.#deps = deps;
    deps.membersOf.onChanged((key) => this.#noteChange(key));
  }

  /** Begins to follow every definition. */
  start(): void {
    this.#isRunning = true;
    this.keep();
  }

  /** Writes nothing any more, except what is being written. */
  stop(): void {
    this.#isRunning = false;
    this.#gathering?.cancel();
  }

  /** A definition came, changed or went. */
  keep(): void {
    if (this.#isRunning) this.#deps.membersOf.keep(this.#deps.roster.all.flatMap(({ audience }) => computed(audience)));
  }

  #noteChange(key: string): void {
    if (!this.#isRunning) return;
    this.#changed.add(key);
    this.#gathering ??= this.#deps.timers.after(GATHER_MS, () => this.#takeChanges());
  }

  #takeChanges(): void {
    this.#gathering = null;
    const keys = new Set(this.#changed);
    this.#changed.clear();
    const { roster, membersOf, logger } = this.#deps;
    for (const audience of roster.all.flatMap((known) => computed(known.audience))) {
      const key = membersOf.keyOf(audience.kind, audience.definition);
      if (key === null || !keys.has(key)) continue;
      this.upToDate(audience.id).catch((error: unknown) => {
        // A count that failed is repeated, and reports a change then.
        logger.log('warn', 'members_not_taken_over', { audience: audience.id, message: (error as Error).message });
      });
    }
  }

  /**
   * Resolves when the users are those that the calls stored before now make, and at once for a list. Waits while they
   * are counted. Error `people_off`; then the users stay as they were.
   */
  upToDate(audienceId: number): Promise<void> {
    const waiting = this.#next.get(audienceId);
    if (waiting !== undefined) return waiting;
    const under = this.#walking.get(audienceId);
    if (under === undefined) return this.#begin(audienceId);
    // The one under way may have passed by what has changed.
    const next = under.catch(() => {}).then(() => this.#begin(audienceId));
    this.#next.set(audienceId, next);
    return next;
  }

  #begin(audienceId: number): Promise<void> {
    this.#next.delete(audienceId);
    const walk = this.#walk(audienceId).finally(() => this.#walking.delete(audienceId));
    this.#walking.set(audienceId, walk);
    return walk;
  }

  async #walk(audienceId: number): Promise<void> {
    const known = this.#deps.roster.find(audienceId);
    for (const audience of known === undefined ? [] : computed(known.audience)) {
      const isOver = (): boolean =>
        !this.#isRunning || this.#deps.roster.find(audienceId)?.audience.definition !== audience.definition;
      await takeOverComputed(this.#deps, audience, isOver);
      if (!isOver()) this.#deps.taken(audienceId);
    }
  }
}

/** None for a list. */
function computed({ id, kind, definition }: Omit<ComputedAudience, 'definition'> & { definition: string | null }) {
  return definition === null ? [] : [{ id, kind, definition }];
}
