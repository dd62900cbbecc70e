/**
 * Keeps the users of rules and computed traits as stored traffic makes them, so that counts and syncs on change are
 * live: a call, a removed call and the end of a time window all change them. Only who changed is looked at; where that is
 * not known, everyone is.
 */
import type { Logger, Timer, Timers } from '../ports.ts';
import type { AudienceStore, StoredAudience } from '../store/ports/audiences.ts';
import { type ComputedAudience, EDITS, takeOverComputed } from './computed.ts';
import type { MembersOf } from './members-of.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type { Roster, UserEdit } from './roster.ts';

/** Changed users are gathered for this long, so that busy traffic makes few transactions (docs/benchmarks.md, Rules). */
const GATHER_MS = 15;
/** The wait before a failed write is tried again. */
const RETRY_MS = 5_000;

export interface ComputedMembersDeps {
  readonly membersOf: MembersOf;
  readonly store: Pick<AudienceStore, 'users'>;
  readonly roster: Pick<Roster, 'all' | 'find' | 'editUsers'>;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Runs after users of an audience were taken over. */
  taken(audienceId: number): void;
}

/** Definitions of the same key have the same users. */
interface Keyed extends ComputedAudience {
  readonly key: string;
}

export class ComputedMembers {
  readonly #deps: ComputedMembersDeps;
  readonly #refreshes = new OneAtATime((key: string) => this.#refresh(key));
  /** Audiences whose users are those of this key, but for changes that are still to be taken. */
  readonly #whole = new Map<number, string>();
  readonly #changed = new Set<string>();
  readonly #timers = new Set<Timer>();
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
    for (const timer of this.#timers) timer.cancel();
  }

  /** Resolves when every walk that has begun is over. */
  async settled(): Promise<void> {
    await this.#refreshes.settled();
  }

  /** Whether its users are those that the stored calls make, but for changes of the last moment. True for a list. */
  isCounted(audienceId: number): boolean {
    const known = this.#deps.roster.find(audienceId);
    return known === undefined || this.#keyed(known.audience).every(({ key }) => this.#whole.get(audienceId) === key);
  }

  /** Users were taken out of an audience by an erase. Calls that came meanwhile may bring them in again. */
  recheck(audienceId: number): void {
    this.#whole.delete(audienceId);
    const known = this.#deps.roster.find(audienceId);
    for (const { key } of known === undefined ? [] : this.#keyed(known.audience)) this.#noteChange(key);
  }

  /** A definition came, changed or went. */
  keep(): void {
    if (!this.#isRunning) return;
    const audiences = this.#deps.roster.all.flatMap(({ audience }) => this.#keyed(audience));
    this.#deps.membersOf.keep(audiences);
    for (const { id, key } of audiences) {
      if (this.#whole.get(id) === key) continue;
      this.#whole.delete(id);
      // It may be counted already, for another audience or a person who looked at it.
      this.#noteChange(key);
    }
  }

  #noteChange(key: string): void {
    if (!this.#isRunning) return;
    if (this.#changed.size === 0) this.#later(GATHER_MS, () => this.#takeChanges());
    this.#changed.add(key);
  }

  #later(ms: number, run: () => void): void {
    const timer = this.#deps.timers.after(ms, () => {
      this.#timers.delete(timer);
      run();
    });
    this.#timers.add(timer);
  }

  #takeChanges(): void {
    const keys = [...this.#changed];
    this.#changed.clear();
    for (const key of keys)
      this.#refreshes.run(key).catch((error: Error & { readonly code?: unknown }) => {
        this.#deps.logger.log('warn', 'members_not_taken_over', { message: error.message });
        // People report a change as soon as they are counted again.
        if (error.code !== 'people_off' && this.#isRunning) this.#later(RETRY_MS, () => this.#noteChange(key));
      });
  }

  /**
   * Resolves when the users are those that the calls stored before now make, and at once for a list. Waits while they
   * are counted. Error `people_off`; then the users stay as they were.
   */
  async upToDate(audienceId: number): Promise<void> {
    const known = this.#deps.roster.find(audienceId);
    for (const { key } of known === undefined ? [] : this.#keyed(known.audience)) await this.#refreshes.run(key);
  }

  async #refresh(key: string): Promise<void> {
    for (;;) {
      const audiences = this.#deps.roster.all.flatMap(({ audience }) => this.#keyed(audience));
      const own = audiences.filter((audience) => audience.key === key);
      const [first] = own;
      if (first === undefined || !this.#isRunning) return;
      const { everyone, users, more } = await this.#deps.membersOf.moved(first.kind, first.definition, EDITS);
      if (everyone) for (const { id } of own) this.#whole.delete(id);
      await this.#takeAll(own, users);
      if (!more) return;
    }
  }

  /** Each change is given once, so a failure of one audience keeps no other from it. */
  async #takeAll(audiences: readonly Keyed[], users: readonly UserEdit[]): Promise<void> {
    let failure: unknown = null;
    for (const audience of audiences) {
      try {
        await this.#take(audience, users);
      } catch (error) {
        this.#whole.delete(audience.id);
        failure = error;
      }
    }
    if (failure !== null) throw failure;
  }

  async #take(audience: Keyed, users: readonly UserEdit[]): Promise<void> {
    const { id, key } = audience;
    const isOver = (): boolean => !this.#isRunning || !this.#has(audience);
    if (isOver()) return;
    if (this.#whole.get(id) !== key) {
      this.#whole.delete(id);
      await takeOverComputed(this.#deps, audience, isOver);
      if (isOver()) return;
      this.#whole.set(id, key);
    } else if (users.length > 0) await this.#deps.roster.editUsers(id, users);
    this.#deps.taken(id);
  }

  /** False when it was removed or got another definition. */
  #has({ id, definition }: Keyed): boolean {
    return this.#deps.roster.find(id)?.audience.definition === definition;
  }

  /** None for a list, and for a definition that an earlier version could compute and this one cannot. */
  #keyed({ id, kind, definition }: StoredAudience): Keyed[] {
    const key = definition === null ? null : this.#deps.membersOf.keyOf(kind, definition);
    return key === null ? [] : [{ id, kind, definition: definition!, key }];
  }
}
