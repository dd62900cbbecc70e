/** A deletion request whose process is killed, once at each of its failpoints, and goes on. */
import { expect, test } from 'vitest';
import { DELETION_FAILPOINTS, type DeletionFailpoint } from '../../src/core/failpoint.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';
import { builtCli } from '../kill/built-cli.ts';
import { killDeletion, userAt } from '../kill/deletion-kills.ts';

const USERS = 120;
/** The second step where there are several. */
const NTH: Readonly<Partial<Record<DeletionFailpoint, number>>> = {
  deletion_notices_written: 2,
  deletion_step_written: 2,
  deletion_step_committed: 2,
};

test.each(DELETION_FAILPOINTS)(
  'a deletion that is killed at %s sends each notice once and erases everything',
  { timeout: 300_000 },
  async (name) => {
    const nth = NTH[name] ?? 1;
    const after = await killDeletion({
      cli: await builtCli('failpoints'),
      folder: tempWorkspace(),
      name,
      nth,
      users: USERS,
    });
    expect(after.isReached).toBe(true);
    expect(after.done).toMatchObject({
      state: 'done',
      notices: { total: USERS, delivered: USERS },
      erased: { messages: 2 * USERS, cutCalls: 2 * USERS },
      search: { found: 0, files: 'cleared' },
      suppressed: USERS,
    });
    const users = Array.from({ length: USERS }, (_, i) => userAt(i));
    const stored = after.rows.filter(({ type }) => type === 'delete').map(({ userId }) => userId);
    expect(stored.toSorted()).toEqual(users);
    expect(new Set(after.rows.filter(({ type }) => type !== 'delete').map(({ userId }) => userId))).toEqual(
      new Set(['kept']),
    );
    expect([...after.notices.keys()].toSorted()).toEqual(users);
    expect([...after.notices.values()].every((bodies) => bodies === 1)).toBe(true);
    expect([after.members, after.suppressed, after.traces]).toEqual([1, USERS, []]);
  },
);
