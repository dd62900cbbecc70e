/** What the history makes possible: an audience that was synced once, and a deletion request. */
import type { AudienceRow } from '../../contract/audiences.ts';
import type { DemoCommands, DemoDeps } from './deps.ts';
import { DELETED_USER } from './people.ts';

const AUDIENCE = 'Repeat Buyers';
/** In when the audience is first synced. */
const MEMBERS = ['usr_8f21', 'usr_41c0', 'usr_7d2e', 'usr_5d10', 'usr_c3f5', 'usr_b812', 'usr_9c44', 'usr_f0b6'];
/** Changes that wait for the next sync. */
const JOINS = ['usr_6472', 'usr_b09f', 'usr_1ec3'];
const LEAVES = ['usr_41c0'];

const ASK_AGAIN_MS = 100;
/** How long to wait for the first sync. It goes on if it takes longer. */
const SYNC_LIMIT_MS = 4_000;

type Waiting = Pick<DemoDeps, 'clock' | 'timers'>;

/** Makes what is not there yet. */
export async function furnish(deps: Waiting, commands: DemoCommands): Promise<void> {
  const { audiences } = await commands['audiences.list'](null);
  if (!audiences.some(({ name }) => name === AUDIENCE)) await makeAudience(deps, commands);
  const { rows } = await commands['deletions.list']({ limit: 1 });
  if (rows.length === 0)
    await commands['deletions.create']({ userIds: [DELETED_USER], erase: true, suppress: true, forget: false });
}

async function makeAudience(deps: Waiting, commands: DemoCommands): Promise<void> {
  const { id } = await commands['audiences.save']({ kind: 'audience', name: AUDIENCE });
  await commands['audiences.editMembers']({ id, add: MEMBERS });
  await syncOnce(deps, commands, id);
  await commands['audiences.editMembers']({ id, add: JOINS, remove: LEAVES });
}

async function syncOnce({ clock, timers }: Waiting, commands: DemoCommands, id: AudienceRow['id']): Promise<void> {
  const sync = await commands['audiences.sync']({ id });
  if (sync === null) return;
  const until = clock.mono() + SYNC_LIMIT_MS;
  while (clock.mono() < until) {
    const { state } = await commands['audiences.getSync']({ id, n: sync.n });
    if (state === 'done') return;
    await new Promise<void>((resolve) => timers.after(ASK_AGAIN_MS, resolve));
  }
}
