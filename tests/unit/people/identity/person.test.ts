import { expect, test } from 'vitest';
import { IdentityIndex } from '../../../../src/core/people/identity/identity-index.ts';
import { personOf } from '../../../../src/core/people/identity/person.ts';
import type { PersonCall } from '../../../../src/core/store/ports/user-calls.ts';

const call = (id: number, userId: string | null, anonymousId: string | null = 'x'): PersonCall => ({
  id,
  type: 'page',
  event: 'Home',
  userId,
  anonymousId,
  sourceId: 1,
  receivedAt: id * 1_000,
  body: {},
});

/** The person `b` over calls of which the store still has those that `isStored`. */
function look(calls: readonly PersonCall[], isStored: (id: number) => boolean = () => true) {
  const index = new IdentityIndex();
  for (const one of calls) index.add({ ...one, previousId: null });
  const personCalls = (ids: readonly number[]) => calls.filter(({ id }) => ids.includes(id) && isStored(id));
  return personOf(index, { personCalls }, 'b')!;
}

test('an id that went over from another person says until when, as long as the last call of that person is stored', () => {
  const calls = [call(1, 'a'), call(2, 'b')];
  expect(look(calls).findings).toEqual([
    { kind: 'shared_anonymous_id', anonymousId: 'x', before: 'a', after: 'b', until: 1_000, call: 2 },
  ]);
  expect(look(calls, (id) => id !== 1).findings).toEqual([]);
});

test('calls with one of its ids are counted once, whoever they belong to', () => {
  const calls = [call(1, 'a'), call(2, 'b'), call(3, null), call(4, 'b', null), call(5, 'c', 'y'), call(6, 'd', 'b')];
  expect(look(calls)).toMatchObject({ calls: 3, callsWithIds: 5 });
});
