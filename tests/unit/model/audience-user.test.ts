import { describe, expect, test } from 'vitest';
import {
  type AudienceUser,
  changeOf,
  countsOf,
  type Membership,
  NO_USERS,
  recounted,
  withSent,
  withValue,
} from '../../../src/core/model/audience-user.ts';
import { seededRandom } from '../../helpers/sim-ports.ts';

const row = (value: string | null, sent: string | null): AudienceUser => ({
  userId: 'u',
  value,
  sent,
  since: 1,
  label: 'L',
});
const valued = (kind: Membership, before: AudienceUser | undefined, value: string | null) =>
  withValue(kind, 'u', before, value, 9);
const told = (kind: Membership, before: AudienceUser | undefined, value: string) =>
  withSent(kind, 'u', before, value, 9);

describe('a member of an audience', () => {
  test('who joins is told so, once', () => {
    const joined = valued('audience', undefined, 'true')!;
    expect([joined, changeOf('audience', joined)]).toEqual([
      { userId: 'u', value: 'true', sent: null, since: 9, label: null },
      'add',
    ]);
    const sent = told('audience', joined, 'true')!;
    expect([sent.sent, changeOf('audience', sent)]).toEqual(['true', null]);
  });

  test('who joins and leaves before a sync was never there', () => {
    expect(valued('audience', row('true', null), null)).toBeNull();
  });

  test('who leaves is told so, and is then forgotten', () => {
    const left = valued('audience', row('true', 'true'), null)!;
    expect([left.value, left.since, changeOf('audience', left)]).toEqual(['false', 9, 'remove']);
    expect(told('audience', left, 'false')).toBeNull();
  });

  test('who leaves and comes back before a sync is told nothing', () => {
    const back = valued('audience', row('false', 'true'), 'true')!;
    expect(changeOf('audience', back)).toBeNull();
  });

  test('who leaves while a call that says true is on its way must be told again', () => {
    const gone = told('audience', undefined, 'true')!;
    expect([gone.value, gone.sent, changeOf('audience', gone)]).toEqual(['false', 'true', 'remove']);
  });

  test('who comes back while a call that says false is on its way must be told again', () => {
    expect(changeOf('audience', told('audience', row('true', 'true'), 'false')!)).toBe('add');
  });

  test('who comes back and leaves after a call that said false is forgotten', () => {
    expect(valued('audience', row('true', 'false'), null)).toBeNull();
  });

  test('keeps the time of joining and the label when nothing changes', () => {
    expect(valued('audience', row('true', null), 'true')).toEqual(row('true', null));
    expect(withValue('audience', 'u', row('true', null), 'true', 9, 'M')).toEqual({ ...row('true', null), label: 'M' });
  });
});

describe('a user with a computed trait', () => {
  test('is told a first value and another value, and not the same value again', () => {
    expect(changeOf('trait', valued('trait', undefined, '5')!)).toBe('add');
    expect(changeOf('trait', valued('trait', row('5', '5'), '6')!)).toBe('change');
    expect(changeOf('trait', valued('trait', row('5', '5'), '5')!)).toBeNull();
  });

  test('who loses the value is told nothing, nor when the same value comes back', () => {
    const lost = valued('trait', row('5', '5'), null)!;
    expect([lost.value, changeOf('trait', lost)]).toEqual([null, null]);
    expect(changeOf('trait', valued('trait', lost, '5')!)).toBeNull();
    expect(valued('trait', row('5', null), null)).toBeNull();
  });

  test('who loses the value true while a call that says it is on its way still has none', () => {
    expect(told('trait', row(null, '5'), 'true')).toEqual(row(null, 'true'));
  });

  test('may have false as its value', () => {
    expect(changeOf('trait', valued('trait', undefined, 'false')!)).toBe('add');
    expect(told('trait', row('false', null), 'false')).toEqual(row('false', 'false'));
  });
});

test('nobody counts as nothing', () => {
  expect(countsOf('audience', null)).toEqual({ members: 0, toAdd: 0, toRemove: 0, toChange: 0 });
});

test('after any changes and calls, what is sent makes the receiver know what is so', () => {
  const random = seededRandom(7);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random.next() * all.length)]!;
  for (const kind of ['audience', 'trait'] as const)
    for (let run = 0; run < 2_000; run++) {
      let user: AudienceUser | null = null;
      let received: string | null = null;
      let planned: string | null = null;
      let wanted: string | null = null;
      for (let step = 0; step < 12; step++) {
        const action = pick(['value', 'value', 'plan', 'send'] as const);
        if (action === 'value') {
          wanted = pick(kind === 'audience' ? ['true', null] : ['1', '2', null]);
          user = withValue(kind, 'u', user ?? undefined, wanted, step);
        } else if (action === 'plan') {
          planned = user !== null && changeOf(kind, user) !== null ? user.value : null;
        } else if (planned !== null) {
          received = planned;
          user = withSent(kind, 'u', user ?? undefined, planned, step);
          planned = null;
        }
        const isTold = kind === 'audience' ? (wanted ?? 'false') === (received ?? 'false') : wanted === received;
        const isLost = kind === 'trait' && wanted === null;
        const sends = user !== null && changeOf(kind, user) !== null;
        expect(sends, `${kind} wants ${wanted}, received ${received}: ${JSON.stringify(user)}`).toBe(
          !isTold && !isLost,
        );
      }
    }
});

test('counts move with a row as they are counted anew', () => {
  const rows = [null, row('true', null), row('true', 'true'), row('false', 'true'), row('true', 'false')];
  for (const before of rows)
    for (const now of rows) {
      const others = { members: 5, toAdd: 4, toRemove: 3, toChange: 2 };
      const had = recounted('audience', others, null, before);
      expect(recounted('audience', had, before, now)).toEqual(recounted('audience', others, null, now));
    }
  expect(countsOf('audience', null)).toEqual(NO_USERS);
  const traits = { members: 5, toAdd: 4, toRemove: 3, toChange: 2 };
  expect(recounted('trait', traits, row('1', '1'), row('2', '1'))).toEqual({ ...traits, toChange: 3 });
  expect(recounted('trait', traits, row('2', '1'), row(null, '1'))).toEqual({ ...traits, members: 4, toChange: 1 });
});

test.each([
  ['audience', null, null, [0, 0, 0, 0]],
  ['audience', 'true', null, [1, 1, 0, 0]],
  ['audience', 'true', 'true', [1, 0, 0, 0]],
  ['audience', 'false', 'true', [0, 0, 1, 0]],
  ['audience', 'true', 'false', [1, 1, 0, 0]],
  ['trait', null, '1', [0, 0, 0, 0]],
  ['trait', '1', null, [1, 1, 0, 0]],
  ['trait', '2', '1', [1, 0, 0, 1]],
  ['trait', 'false', 'false', [1, 0, 0, 0]],
] as const)('a row of an %s with %j, told %j, counts as %j', (kind, value, sent, counts) => {
  const [members, toAdd, toRemove, toChange] = counts;
  expect(countsOf(kind, row(value, sent))).toEqual({ members, toAdd, toRemove, toChange });
  expect(countsOf(kind, undefined)).toEqual(NO_USERS);
});

test('a call about a user without a row makes one, and keeps what a row says', () => {
  expect(told('trait', undefined, '1')).toEqual({ userId: 'u', value: null, sent: '1', since: 9, label: null });
  expect(told('audience', undefined, 'false')).toBeNull();
  expect(told('trait', row('2', '1'), '2')).toEqual(row('2', '2'));
});
