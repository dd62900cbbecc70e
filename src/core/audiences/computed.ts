/** Takes over the users that a rule or a computed trait finds. */
import { type AudienceUser, isMember, type Membership } from '../model/audience-user.ts';
import { byCodePoints } from '../model/code-points.ts';
import type { Timers } from '../ports.ts';
import type { AudienceStore, StoredAudience } from '../store/ports/audiences.ts';
import type { ComputedUser, MembersOf } from './members-of.ts';
import type { Roster, UserEdit } from './roster.ts';

const WINDOW = 500;
/** Users of one transaction, so that it holds the engine for a few milliseconds. */
export const EDITS = 100;

export type ComputedAudience = Pick<StoredAudience, 'id' | 'kind'> & { readonly definition: string };

export interface TakeOverDeps {
  readonly membersOf: Pick<MembersOf, 'window'>;
  readonly store: Pick<AudienceStore, 'users'>;
  readonly roster: Pick<Roster, 'editUsers'>;
  readonly timers: Pick<Timers, 'soon'>;
}

/**
 * Walks the stored and the found users side by side, both in the order of their bytes, and writes what differs. Each
 * window has a turn of the engine. Goes no further once `isOver`.
 */
export async function takeOverComputed(
  { membersOf, store, roster, timers }: TakeOverDeps,
  { id, kind, definition }: ComputedAudience,
  isOver: () => boolean,
): Promise<void> {
  const found = new Cursor((after) => membersOf.window(kind, definition, after, WINDOW));
  const stored = new Cursor((after) => store.users({ audienceId: id, after, limit: WINDOW, only: 'all' }));
  do {
    await found.fill();
    await stored.fill();
    if (isOver()) return;
    const end = earlier(found.end, stored.end);
    const edits = differences(kind, stored.take(end), found.take(end));
    for (let at = 0; at < edits.length; at += EDITS) {
      await roster.editUsers(id, edits.slice(at, at + EDITS));
      if (isOver()) return;
    }
    await new Promise<void>((resolve) => timers.soon(resolve));
  } while (!found.isDone || !stored.isDone);
}

/** Both lists have everyone of the same stretch. */
function differences(kind: Membership, stored: readonly AudienceUser[], found: readonly ComputedUser[]): UserEdit[] {
  const before = new Map(stored.flatMap((user) => (isMember(kind, user) ? [[user.userId, user.value] as const] : [])));
  const edits: UserEdit[] = [];
  for (const { userId, value } of found) {
    if (before.get(userId) !== value) edits.push({ userId, value });
    before.delete(userId);
  }
  for (const userId of before.keys()) edits.push({ userId, value: null });
  return edits;
}

/** Users in the order of their bytes, read in windows. */
class Cursor<U extends { readonly userId: string }> {
  readonly #read: (after: string | null) => Promise<readonly U[]> | readonly U[];
  #rest: readonly U[] = [];
  #after: string | null = null;
  #isAtEnd = false;

  constructor(read: (after: string | null) => Promise<readonly U[]> | readonly U[]) {
    this.#read = read;
  }

  /** Reads the next window when nothing is left of the last one. */
  async fill(): Promise<void> {
    if (this.#isAtEnd || this.#rest.length > 0) return;
    this.#rest = await this.#read(this.#after);
    this.#isAtEnd = this.#rest.length < WINDOW;
    this.#after = this.#rest.at(-1)?.userId ?? this.#after;
  }

  /** The last id that has been read; null when that is everyone. */
  get end(): string | null {
    return this.#isAtEnd ? null : this.#after;
  }

  /** Everyone up to and with this id; null takes all that was read. */
  take(upTo: string | null): readonly U[] {
    const place = upTo === null ? -1 : this.#rest.findIndex(({ userId }) => byCodePoints(userId, upTo) > 0);
    const taken = place < 0 ? this.#rest : this.#rest.slice(0, place);
    this.#rest = this.#rest.slice(taken.length);
    return taken;
  }

  get isDone(): boolean {
    return this.#isAtEnd && this.#rest.length === 0;
  }
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return byCodePoints(a, b) <= 0 ? a : b;
}
