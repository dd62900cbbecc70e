/** What the first calls make possible: an audience and a computed trait, both synced once, and a deletion request. */
import type { AudienceKind, AudienceRow } from '../../contract/audiences.ts';
import type { AudienceRuleInput, ComputedTraitInput } from '../../contract/people.ts';
import type { DemoCommands, DemoDeps } from './deps.ts';
import { DELETED_USER } from './people.ts';

const WEEK_MS = 7 * 86_400_000;
const ORDER = 'Order Completed';

const RECENT_BUYERS: AudienceRuleInput = {
  match: 'all',
  of: [
    { kind: 'event', event: ORDER, op: 'at_least', times: 1, withinMs: WEEK_MS },
    {
      kind: 'trait',
      path: 'address.country',
      test: { op: 'is_one_of', values: ['AT', 'DE', 'FR', 'IT', 'ES', 'PT', 'PL', 'IE', 'NL', 'DK', 'FI', 'BE', 'CZ'] },
    },
  ],
};
const LIFETIME_VALUE: ComputedTraitInput = { kind: 'sum', event: ORDER, path: 'properties.total' };

type Definition = Readonly<Record<string, never>>;

const FOLLOWED: ReadonlyArray<{ readonly kind: AudienceKind; readonly name: string; readonly definition: Definition }> =
  [
    { kind: 'audience', name: 'Recent Buyers EU', definition: RECENT_BUYERS as unknown as Definition },
    { kind: 'trait', name: 'Lifetime Value', definition: LIFETIME_VALUE as unknown as Definition },
  ];

const ASK_AGAIN_MS = 100;
/** How long to wait for a first sync. It goes on if it takes longer. */
const SYNC_LIMIT_MS = 3_000;

type Waiting = Pick<DemoDeps, 'clock' | 'timers'>;

/** Makes and syncs what is not there yet. What the calls after it change waits for the next sync. */
export async function furnishAudiences(deps: Waiting, commands: DemoCommands): Promise<void> {
  const { audiences, traits } = await commands['audiences.list'](null);
  const known = [...audiences, ...traits].map(({ name }) => name);
  await Promise.all(
    FOLLOWED.filter(({ name }) => !known.includes(name)).map(async ({ kind, name, definition }) => {
      const { id } = await commands['audiences.save']({ kind, name, source: { by: 'computed', definition } });
      await syncOnce(deps, commands, id);
    }),
  );
}

/** Makes the deletion request, unless there is one. */
export async function furnishDeletion(commands: DemoCommands): Promise<void> {
  const { rows } = await commands['deletions.list']({ limit: 1 });
  if (rows.length > 0) return;
  await commands['deletions.create']({ userIds: [DELETED_USER], erase: true, suppress: true, forget: false });
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
