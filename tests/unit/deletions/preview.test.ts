import { describe, expect, test } from 'vitest';
import { DELETION_LIMITS } from '../../../src/contract/deletion-limits.ts';
import type { PlannedSource } from '../../../src/core/deletions/plan.ts';
import { linesById, type PreviewFacts, previewOf } from '../../../src/core/deletions/preview.ts';
import { type FoundUser, folded } from '../../../src/core/deletions/user-calls.ts';

const source = (sourceId: number, silent: PlannedSource['silent'] = null): PlannedSource => ({
  sourceId,
  name: `s${sourceId}`,
  kind: 'web',
  destinationOn: silent === null,
  silent,
});
const user = (calls: Record<number, number>, over: Partial<FoundUser> = {}): FoundUser => ({
  calls: new Map(Object.entries(calls).map(([id, n]) => [Number(id), n])),
  messages: [],
  held: 0,
  replays: 0,
  identify: null,
  ...over,
});
const ERASE = { messages: 9, attempts: 8, replays: 7, heldCalls: 6, receiverEntries: 5, memberships: 4 };

function preview(
  lines: readonly string[],
  users: Record<string, FoundUser>,
  near: Record<string, Record<string, number>> = {},
  over: Partial<PreviewFacts> = {},
) {
  const found = {
    users: new Map(Object.entries(users)),
    near: new Map(Object.entries(near).map(([id, others]) => [folded(id), new Map(Object.entries(others))])),
    upTo: 0,
  };
  return previewOf({
    lines,
    found,
    sources: [source(1), source(2, 'destination_off')],
    isSuppressed: (userId) => userId === 'a',
    nameOf: (identify) => `name ${identify}`,
    erase: ERASE,
    ...over,
  });
}

test('lines are collected by id, in the order in which the ids come first', () => {
  expect([...linesById(['b', 'a', 'b', ' b', 'b'])]).toEqual([
    ['b', [1, 3, 5]],
    ['a', [2]],
    [' b', [4]],
  ]);
});

describe('the sums', () => {
  const seen = preview(['a', 'b', 'a', 'c', 'd'], {
    a: user({ 1: 3, 2: 4 }, { messages: [1], identify: 7 }),
    b: user({ 2: 5 }),
    c: user({}, { messages: [2, 3] }),
    d: user({ 1: 1 }),
  });

  test('add up over users and sources', () => {
    expect(seen).toMatchObject({ lines: 5, ids: 4, known: 3, near: 0, unknown: 1, duplicates: 1 });
    expect(seen).toMatchObject({ calls: 13, callsWithDestination: 4, notices: 2, usersErased: 2, erase: ERASE });
    expect(seen.sources.map(({ calls, notices }) => [calls, notices])).toEqual([
      [4, 2],
      [9, 0],
    ]);
    expect('silent' in seen.sources[0]!).toBe(false);
  });

  test('have a row for each user, as given, with a cell for each source', () => {
    expect(seen.users[0]).toEqual({
      userId: 'a',
      lines: [1, 3],
      near: [],
      calls: 7,
      name: 'name 7',
      suppressed: true,
      cells: [
        { sourceId: 1, calls: 3, reason: null },
        { sourceId: 2, calls: 4, reason: 'destination_off' },
      ],
      notices: 1,
    });
    expect(seen.users.map(({ userId, name, suppressed, notices }) => [userId, name, suppressed, notices])).toEqual([
      ['a', 'name 7', true, 1],
      ['b', null, false, 0],
      ['c', null, false, 0],
      ['d', null, false, 1],
    ]);
    expect(seen.users[2]!.cells.map(({ reason }) => reason)).toEqual(['does_not_know', 'does_not_know']);
  });
});

test('a notice goes for each user that a source knows, and each user with a message is erased', () => {
  const known = user({ 1: 1 }, { messages: [1] });
  expect(preview(['a', 'b', 'c'], { a: known, b: known, c: user({}) })).toMatchObject({ notices: 2, usersErased: 2 });
});

describe('near ids', () => {
  test('differ in case, in spaces or in both; the known ones of the store come by calls, then by id', () => {
    const near = { ab: { AB: 2, 'a b': 9, 'A b': 2, ' ab': 1 } };
    const [row] = preview(['ab'], { ab: user({}) }, near).users;
    expect(row!.near).toEqual([
      { userId: 'a b', calls: 9, differsIn: 'spaces' },
      { userId: 'A b', calls: 2, differsIn: 'spaces_and_case' },
      { userId: 'AB', calls: 2, differsIn: 'case' },
    ]);
  });

  test('with as many calls come by id, whatever their order in the store', () => {
    const near = { ab: { 'A b': 2, AB: 2 } };
    expect(preview(['ab'], { ab: user({}) }, near).users[0]!.near.map(({ userId }) => userId)).toEqual(['A b', 'AB']);
  });

  test('differ in spaces too where the spaces are in the given id', () => {
    const [row] = preview(['a  b'], { 'a  b': user({}) }, { ab: { ab: 1 } }).users;
    expect(row!.near).toEqual([{ userId: 'ab', calls: 1, differsIn: 'spaces' }]);
  });

  test('are also known ones among the given, never the id itself, and make an unknown id near', () => {
    const seen = preview(['x', 'X', 'y'], { x: user({ 1: 2, 2: 3 }), X: user({}), y: user({}) });
    expect(seen.users.map(({ near }) => near)).toEqual([[], [{ userId: 'x', calls: 5, differsIn: 'case' }], []]);
    expect(seen).toMatchObject({ known: 1, near: 1, unknown: 1 });
  });

  test('of a known id are shown and do not count', () => {
    const seen = preview(['x', 'X'], { x: user({ 1: 2 }), X: user({ 1: 1 }) });
    expect(seen).toMatchObject({ known: 2, near: 0 });
    expect(seen.users.map(({ near }) => near.length)).toEqual([1, 1]);
  });
});

describe('of many users', () => {
  const ids = (n: number) => Array.from({ length: n }, (_, i) => `u${i}`);
  const known = (id: string) => user(Number(id.slice(1)) % 2 === 0 ? { 1: 1 } : {});
  const of = (n: number) => preview(ids(n), Object.fromEntries(ids(n).map((id) => [id, known(id)])));

  test('all are shown up to the limit, as given', () => {
    expect(of(DELETION_LIMITS.rows).users.map(({ userId }) => userId)).toEqual(ids(DELETION_LIMITS.rows));
  });

  test('over the limit those without calls come first, else as given', () => {
    const seen = of(DELETION_LIMITS.rows + 2);
    expect(seen.ids).toBe(DELETION_LIMITS.rows + 2);
    expect(seen.users).toHaveLength(DELETION_LIMITS.rows);
    const first = seen.users.slice(0, 102).map(({ userId }) => userId);
    expect(first).toEqual([...ids(DELETION_LIMITS.rows + 2).filter((_, i) => i % 2 === 1), 'u0']);
  });
});
