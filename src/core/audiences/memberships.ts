import type { MembershipRow } from '../../contract/audiences.ts';
import { isMember } from '../model/audience-user.ts';
import type { AudienceStore } from '../store/ports/audiences.ts';
import type { Known } from './roster.ts';

/** The audiences in which one of these users is now, in the given order. Computed traits are no audiences. */
export function membershipsOf(
  userIds: readonly string[],
  {
    all,
    store,
    isCounted,
  }: {
    readonly all: readonly Known[];
    readonly store: Pick<AudienceStore, 'user'>;
    readonly isCounted: (audienceId: number) => boolean;
  },
): MembershipRow[] {
  const isIn = (audienceId: number) => (userId: string) => {
    const user = store.user(audienceId, userId);
    return user !== undefined && isMember('audience', user);
  };
  return all
    .filter(({ audience, counts }) => audience.kind === 'audience' && counts.members > 0)
    .filter(({ audience }) => userIds.some(isIn(audience.id)))
    .map(({ audience: { id, name } }) => ({ id, name, isCounted: isCounted(id) }));
}
