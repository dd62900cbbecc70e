import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeOverComputed } from '../../../src/core/audiences/computed.ts';
import type { UserEdit } from '../../../src/core/audiences/roster.ts';
import { type AudienceUser, IN, OUT } from '../../../src/core/model/audience-user.ts';

type Kind = 'audience' | 'trait';

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function windowOf<U extends { readonly userId: string }>(
  users: readonly U[],
  after: string | null,
  limit: number,
): U[] {
  const sorted = [...users].sort((a, b) => byBytes(a.userId, b.userId));
  return sorted.filter(({ userId }) => after === null || byBytes(userId, after) > 0).slice(0, limit);
}

/** Walks, and gives the edits that were written, with the size of the largest window read at once. */
async function walked(
  kind: Kind,
  stored: ReadonlyArray<readonly [userId: string, value: string | null]>,
  found: ReadonlyArray<readonly [userId: string, value: string]>,
  isOver: () => boolean = () => false,
): Promise<{ edits: UserEdit[]; turns: number }> {
  const edits: UserEdit[] = [];
  let turns = 0;
  const users = stored.map(([userId, value]): AudienceUser => ({ userId, value, sent: IN, since: 0, label: null }));
  await takeOverComputed(
    {
      membersOf: {
        window: (_kind, _definition, after, limit) =>
          Promise.resolve(
            windowOf(
              found.map(([userId, value]) => ({ userId, value })),
              after,
              limit,
            ),
          ),
      },
      store: { users: ({ after, limit }) => windowOf(users, after, limit) },
      roster: {
        editUsers: (_id, more) => {
          turns += 1;
          edits.push(...more);
          return Promise.resolve({ added: 0, removed: 0, unchanged: 0 });
        },
      },
      timers: {
        soon: (run) => {
          turns += 1;
          queueMicrotask(run);
        },
      },
    },
    { id: 1, kind, definition: '{}' },
    isOver,
  );
  return { edits, turns };
}

const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `u${String(i).padStart(5, '0')}`);

describe('users that a definition finds', () => {
  test('are written where they differ from the stored ones, and no others', async () => {
    const { edits } = await walked(
      'audience',
      [
        ['gone', IN],
        ['out', OUT],
        ['stays', IN],
        ['back', OUT],
        ['told', null],
      ],
      [
        ['new', IN],
        ['stays', IN],
        ['back', IN],
      ],
    );
    expect(edits.sort((a, b) => byBytes(a.userId, b.userId))).toEqual([
      { userId: 'back', value: IN },
      { userId: 'gone', value: null },
      { userId: 'new', value: IN },
    ]);
  });

  test('have the values of a trait, of which a lost one is taken away', async () => {
    const { edits } = await walked(
      'trait',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
        ['d', null],
      ],
      [
        ['a', '1'],
        ['b', '5'],
      ],
    );
    expect(edits).toEqual([
      { userId: 'b', value: '5' },
      { userId: 'c', value: null },
    ]);
  });

  test('are compared in the order of their bytes, also beyond U+FFFF', async () => {
    // By UTF-16 units the emoji comes before the tilde, by bytes after it. The first windows end with one and the other.
    const found = [...ids(499), '\uFF5E', '\u{1F600}', '\u{1F601}'].map((userId) => [userId, IN] as const);
    expect((await walked('audience', found.slice(1), found)).edits).toEqual([{ userId: 'u00000', value: IN }]);
    expect((await walked('audience', found, found.slice(1))).edits).toEqual([{ userId: 'u00000', value: null }]);
  });

  test.each([
    [0, 1_200],
    [1_200, 0],
    [500, 500],
    [1_000, 1_001],
  ])('%i stored and %i found are walked to the end, a window a turn', async (stored, found) => {
    const all = ids(1_500);
    const { edits, turns } = await walked(
      'audience',
      all.slice(0, stored).map((userId) => [userId, IN] as const),
      all.slice(1_500 - found).map((userId) => [userId, IN] as const),
    );
    const kept = Math.max(0, stored + found - 1_500);
    expect(edits).toHaveLength(stored + found - 2 * kept);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(Math.max(stored, found) / 500));
  });

  test('any two lists become equal', async () => {
    const userId = fc.oneof(
      fc.constantFrom('\uFF5E', '\u{1F600}', 'é', ' a', 'A', 'a'),
      fc.integer({ min: 0, max: 1_400 }).map((n) => `u${n}`),
    );
    const list = fc.uniqueArray(userId, { maxLength: 1_400 });
    await fc.assert(
      fc.asyncProperty(list, list, async (stored, found) => {
        const { edits } = await walked(
          'audience',
          stored.map((id) => [id, IN] as const),
          found.map((id) => [id, IN] as const),
        );
        const members = new Set(stored);
        for (const { userId: id, value } of edits) {
          expect(members.has(id)).toBe(value === null);
          if (value === null) members.delete(id);
          else members.add(id);
        }
        expect([...members].sort()).toEqual([...found].sort());
      }),
      { numRuns: 30 },
    );
  });

  test('are left as they are once it is over', async () => {
    expect((await walked('audience', [['a', IN]], [], () => true)).edits).toEqual([]);
  });
});
