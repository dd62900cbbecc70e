/** Takes over the users that a rule or a computed trait finds, before a sync looks at what has changed. */
import { IN } from '../model/audience-user.ts';
import type { AudiencesDeps, StoredAudience } from './deps.ts';
import type { ComputedUser } from './members-of.ts';
import type { Roster, UserEdit } from './roster.ts';

const WINDOW = 500;

/** Walks the stored and the found users side by side, both in the order of their bytes. Does nothing for a list. */
export async function takeOverComputed(
  { membersOf, store }: Pick<AudiencesDeps, 'membersOf' | 'store'>,
  roster: Pick<Roster, 'editUsers'>,
  { id, kind, definition }: StoredAudience,
): Promise<void> {
  if (definition === null || membersOf === null) return;
  let after: string | null = null;
  for (;;) {
    const found: readonly ComputedUser[] = await membersOf.window(kind, definition, after, WINDOW);
    const isLast = found.length < WINDOW;
    const upTo = isLast ? null : found.at(-1)!.userId;
    await roster.editUsers(id, [...found, ...gone(found, after, upTo)]);
    if (isLast) return;
    after = upTo;
  }

  /** Stored users of the stretch who have no value any more. */
  function gone(found: readonly ComputedUser[], from: string | null, upTo: string | null): UserEdit[] {
    const kept = new Set(found.map(({ userId }) => userId));
    const edits: UserEdit[] = [];
    let place = from;
    for (;;) {
      const users = store.users({ audienceId: id, after: place, limit: WINDOW, only: 'all' });
      for (const user of users) {
        if (upTo !== null && byBytes(user.userId, upTo) > 0) return edits;
        const has = kind === 'audience' ? user.value === IN : user.value !== null;
        if (has && !kept.has(user.userId)) edits.push({ userId: user.userId, value: null });
      }
      if (users.length < WINDOW) return edits;
      place = users.at(-1)!.userId;
    }
  }
}

/** The order of SQLite and of UTF-8, which differs from that of UTF-16 beyond U+FFFF. */
export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
