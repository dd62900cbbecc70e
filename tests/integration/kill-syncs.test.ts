/** A sync whose process is killed, once at each of its failpoints, and resumed. */
import { expect, test } from 'vitest';
import { SYNC_FAILPOINTS, type SyncFailpoint } from '../../src/core/failpoint.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';
import { builtCli } from '../kill/built-cli.ts';
import { killSync, memberAt } from '../kill/sync-kills.ts';

interface Case {
  readonly nth: number;
  readonly members: number;
  /** How the next start finds the sync. */
  readonly found: { readonly state: string; readonly sent: number | null };
}

/** Several parts of a plan, or several chunks. */
const CASES: Readonly<Record<SyncFailpoint, Case>> = {
  sync_plan_written: { nth: 1, members: 1_100, found: { state: 'stopped', sent: null } },
  sync_chunk_written: { nth: 2, members: 250, found: { state: 'stopped', sent: 100 } },
  sync_chunk_committed: { nth: 2, members: 250, found: { state: 'stopped', sent: 200 } },
  sync_outcomes_written: { nth: 1, members: 80, found: { state: 'running', sent: 80 } },
  sync_done: { nth: 1, members: 80, found: { state: 'done', sent: 80 } },
};

test.each(SYNC_FAILPOINTS)(
  'a sync that is killed at %s leaves nobody out and tells nobody twice',
  {
    timeout: 300_000,
  },
  async (name) => {
    const { nth, members, found } = CASES[name];
    const after = await killSync({ cli: await builtCli('failpoints'), folder: tempWorkspace(), name, nth, members });
    expect(after.isReached).toBe(true);
    const { expected, unsent } = after.found.ledger;
    const sent = expected === null ? null : expected - unsent;
    // What it had sent may have ended by the time of the look.
    const state = after.found.state === 'done' && sent === members ? found.state : after.found.state;
    expect({ state, sent }).toEqual(found);
    expect(after.done.ledger).toMatchObject({ expected: members, delivered: members, failed: 0, waiting: 0 });
    expect([...after.bodies.keys()].sort()).toEqual(Array.from({ length: members }, (_, i) => memberAt(i)));
    expect([...after.bodies].filter(([, bodies]) => bodies.size !== 1)).toEqual([]);
    expect(after.second).toBeNull();
  },
);
