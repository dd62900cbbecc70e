import { describe, expect, test } from 'vitest';
import { findingWords } from '../../../../src/contract/finding-words.ts';
import type { Finding } from '../../../../src/contract/persons.ts';
import { type FindingFacts, findingsOf } from '../../../../src/core/people/identity/findings.ts';
import type { PersonCall } from '../../../../src/core/store/ports/user-calls.ts';

let ids = 0;
const call = (given: Partial<PersonCall>): PersonCall => {
  ids += 1;
  return {
    id: ids,
    type: 'track',
    event: 'Order Completed',
    userId: null,
    anonymousId: null,
    sourceId: 1,
    receivedAt: ids * 1_000,
    body: {},
    ...given,
  };
};
const identify = (traits: Record<string, unknown>): PersonCall =>
  call({ type: 'identify', userId: 'usr_8f21', body: { traits } as PersonCall['body'] });
const found = (calls: PersonCall[], more: Partial<FindingFacts> = {}): Finding[] =>
  findingsOf({ calls, handOvers: [], aliases: [], ...more });
const words = (findings: readonly Finding[]) => findings.map((one) => findingWords(one, (at) => `at ${at}`));

describe('identify after track', () => {
  const anonymous = { anonymousId: '5e0c91' };

  test('counts the anonymous calls before the one that ties them', () => {
    const before = [call(anonymous), call({ ...anonymous, type: 'page' }), call(anonymous)];
    const tie = call({ ...anonymous, type: 'identify', userId: 'usr_8f21' });
    expect(found([...before, tie])).toEqual([
      { kind: 'identify_after_track', call: tie.id, anonymousId: '5e0c91', userId: 'usr_8f21', anonymousCalls: 3 },
    ]);
    expect(words(found([...before, tie]))).toEqual([
      {
        title: 'identify after track: 3 calls before were anonymous',
        detail: 'They carry only anonymousId 5e0c91. No receiver can tie them to usr_8f21.',
      },
    ]);
    expect(words(found([before[0]!, tie]))[0]).toEqual({
      title: 'identify after track: 1 call before was anonymous',
      detail: 'It carries only anonymousId 5e0c91. No receiver can tie it to usr_8f21.',
    });
  });

  test('needs a track call, on the same anonymous id, that nothing has tied yet', () => {
    const tie = (): PersonCall => call({ ...anonymous, type: 'identify', userId: 'usr_8f21' });
    expect(found([call({ ...anonymous, type: 'page' }), tie()])).toEqual([]);
    expect(found([call({ anonymousId: 'a91c44' }), tie()])).toEqual([]);
    expect(found([tie(), tie()])).toEqual([]);
    expect(found([call(anonymous), tie(), tie()])).toHaveLength(1);
    expect(found([call({ ...anonymous, userId: 'usr_8f21' }), tie()])).toEqual([]);
  });
});

test('an anonymous id of two people says who had it until when', () => {
  const handOver = { anonymousId: '5e0c91', before: 'usr_41c0', after: 'usr_8f21', until: 77, call: 9 };
  expect(words(found([], { handOvers: [handOver] }))).toEqual([
    {
      title: 'Two users on one anonymousId: no reset at logout',
      detail: '5e0c91 belonged to usr_41c0 until at 77, then to usr_8f21.',
    },
  ]);
});

describe('a trait that changed its type', () => {
  test('says from what to what, after how many calls', () => {
    const calls = [identify({ seats: 12 }), identify({ seats: 13, plan: 'pro' }), identify({ seats: '12' })];
    expect(found(calls)).toEqual([
      { kind: 'trait_type', call: calls[2]!.id, trait: 'seats', was: 13, is: '12', calls: 2 },
    ]);
    expect(words(found(calls))).toEqual([
      {
        title: 'A trait changed its type: seats',
        detail: 'It was a number (13) in 2 calls and is a string ("12") since this one.',
      },
    ]);
  });

  test('lists and objects are types of their own, and null is no value', () => {
    expect(found([identify({ a: [1] }), identify({ a: null }), identify({ a: [2] })])).toEqual([]);
    expect(words(found([identify({ a: [1] }), identify({ a: { b: 1 } })]))[0]?.detail).toBe(
      'It was a list in 1 call and is an object since this one.',
    );
    expect(found([identify({ a: 1 }), identify({ a: '1' }), identify({ a: 1 })])).toHaveLength(2);
  });

  test('traits of a group call are those of the group', () => {
    const group = call({ type: 'group', userId: 'usr_8f21', body: { traits: { a: 'x' } } });
    expect(found([identify({ a: 1 }), group])).toEqual([]);
  });
});

test('a user id that looks like an email is told at its first call', () => {
  const calls = ['petra.novak@example.cz', 'petra.novak@example.cz', 'usr@home', 'a b@c.de'].map((userId) =>
    call({ userId, event: userId }),
  );
  expect(found([call({ userId: 'usr_1' }), ...calls])).toEqual([
    { kind: 'email_as_user_id', call: calls[0]!.id, userId: 'petra.novak@example.cz' },
  ]);
  expect(words(found(calls))[0]?.title).toBe('The userId looks like an email');
});

describe('an event that came twice', () => {
  const at = (ms: number, more: Partial<PersonCall> = {}, properties: object = { total: 5 }): PersonCall =>
    call({ userId: 'u', body: { timestamp: new Date(1_000_000 + ms).toISOString(), properties } as never, ...more });

  test('with its properties in another order', () => {
    const [first, second] = [at(0, {}, { a: 1, b: { c: 2, d: 3 } }), at(50, {}, { b: { d: 3, c: 2 }, a: 1 })];
    expect(found([first, second])).toMatchObject([{ kind: 'twice', ms: 50 }]);
    expect(found([at(0, {}, { a: [1, 2] }), at(50, {}, { a: [2, 1] })])).toEqual([]);
  });

  test('within 100 ms by the time of the client', () => {
    const [first, second] = [at(0), at(100)];
    expect(found([first, second])).toEqual([
      { kind: 'twice', call: second.id, event: 'Order Completed', first: first.id, ms: 100 },
    ]);
    expect(words(found([first, second]))).toEqual([
      {
        title: 'Order Completed came twice within 100 ms',
        detail: 'Both have the same properties, and 100 ms lie between them.',
      },
    ]);
    expect(words(found([at(5), at(5)]))[0]?.detail).toBe('Both have the same properties, and the same time.');
    expect(found([at(0), at(101)])).toEqual([]);
  });

  test('in either order of arrival, and in a third call again', () => {
    expect(found([at(50), at(0)])).toHaveLength(1);
    expect(found([at(0), at(10), at(20)])).toHaveLength(2);
  });

  test('not when anything else differs', () => {
    expect(found([at(0), at(0, { event: 'Order Reviewed' })])).toEqual([]);
    expect(found([at(0), at(0, { userId: 'v' })])).toEqual([]);
    expect(found([at(0), at(0, { anonymousId: 'x' })])).toEqual([]);
    expect(found([at(0), at(0, {}, { total: 6 })])).toEqual([]);
    expect(found([at(0, { type: 'page' }), at(0, { type: 'page' })])).toEqual([]);
    expect(found([at(0, { body: null }), at(0, { body: null })])).toEqual([]);
  });

  test('without a time of the client, by the receipt', () => {
    const late = { body: { properties: {} }, receivedAt: 5_000 };
    expect(found([at(0, late), at(0, late)])).toHaveLength(1);
    expect(found([at(0, late), at(0, { ...late, receivedAt: 5_101 })])).toEqual([]);
  });
});

describe('a loop of aliases', () => {
  test('is told once, at the call that closed it', () => {
    const aliases = [
      { id: 4, from: 'a', to: 'b' },
      { id: 9, from: 'b', to: 'a' },
      { id: 5, from: 'guest', to: 'a' },
    ];
    expect(found([], { aliases })).toEqual([{ kind: 'alias_loop', call: 9, ids: ['a', 'b', 'a'] }]);
    expect(words(found([], { aliases }))[0]?.title).toBe('Aliases form a loop: a → b → a');
  });

  test('is one too when an id was renamed to itself, told at the newest such call', () => {
    const alias = (userId: string, previousId: string, more: Partial<PersonCall> = {}): PersonCall =>
      call({ type: 'alias', event: '', userId, body: { previousId }, ...more });
    const first = alias('a', 'a');
    const newest = alias('a', 'a', { body: { 'Previous ID': 'a', 'User ID': 'a' } });
    expect(found([first])).toEqual([{ kind: 'alias_loop', call: first.id, ids: ['a', 'a'] }]);
    expect(found([first, newest, alias('a', 'b'), alias('a', 'A')])).toEqual([
      { kind: 'alias_loop', call: newest.id, ids: ['a', 'a'] },
    ]);
    expect(words(found([first]))).toEqual([
      {
        title: 'Aliases form a loop: a → a',
        detail: 'The call renames an id to itself, so it ties nothing together.',
      },
    ]);
    expect(found([alias('a', 'a', { userId: null, anonymousId: 'a' }), alias('a', 'a', { body: null })])).toEqual([]);
    expect(found([call({ userId: 'a', body: { previousId: 'a' } })])).toEqual([]);
  });

  test('of several ids says that none is the last', () => {
    const aliases = [
      { id: 1, from: 'a', to: 'b' },
      { id: 2, from: 'b', to: 'a' },
    ];
    expect(words(found([], { aliases }))[0]?.detail).toBe(
      'No id of the loop is the last one, so receivers disagree about who this is.',
    );
  });

  test('a chain is none', () => {
    expect(
      found([], {
        aliases: [
          { id: 1, from: 'a', to: 'b' },
          { id: 2, from: 'b', to: 'c' },
        ],
      }),
    ).toEqual([]);
  });
});

test('the newest call comes first', () => {
  const calls = [identify({ a: 1 }), identify({ a: '1' }), call({ userId: 'x@y.zz' })];
  expect(found(calls).map(({ kind }) => kind)).toEqual(['email_as_user_id', 'trait_type']);
});
