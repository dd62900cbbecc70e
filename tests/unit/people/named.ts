import type { NamedCall, UserCall } from '../../../src/core/store/ports/user-calls.ts';

/** Calls that name a user and nobody else. */
export const namedOf = (calls: ReadonlyArray<Pick<UserCall, 'id' | 'userId'>>): NamedCall[] =>
  calls.map(({ id, userId }) => ({ id, userId, anonymousId: null, previousId: null }));
