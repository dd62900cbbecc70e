/** The commands of this screen. */
import type { AudienceInput, AudienceRow, SyncRow } from '../../../contract/audiences.ts';
import { AUDIENCE_LIMITS } from '../../../contract/audiences.ts';
import { ContractError } from '../../../contract/errors.ts';
import { plural } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { applyAnswer, useRecords } from '../../stores/records.ts';
import { navigate } from '../../stores/route.ts';
import { tracked } from '../../stores/saves.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';

/** Shows an answer at once, before its batch arrives. */
function applyAudience(saved: AudienceRow): void {
  const { audiences: view } = useRecords.getState();
  if (view === undefined) return;
  const list = saved.kind === 'trait' ? 'traits' : 'audiences';
  const rows = view[list];
  const next = rows.some(({ id }) => id === saved.id)
    ? rows.map((row) => (row.id === saved.id ? saved : row))
    : [...rows, saved];
  applyAnswer({ audiences: { ...view, [list]: next } });
}

/** Rejects with a ContractError. */
export async function saveAudience(edit: AudienceInput): Promise<AudienceRow> {
  const saved = await tracked(call('audiences.save', edit));
  applyAudience(saved);
  return saved;
}

/** Adds or removes any number of members, in commands of 1,000. Gives how many were changed. Rejects as a command does. */
export async function editMembers(id: number, change: 'add' | 'remove', ids: readonly string[]): Promise<number> {
  let changed = 0;
  for (let from = 0; from < ids.length; from += AUDIENCE_LIMITS.idsAtOnce) {
    const some = ids.slice(from, from + AUDIENCE_LIMITS.idsAtOnce);
    const answer = await tracked(call('audiences.editMembers', { id, [change]: some }));
    applyAudience(answer.audience);
    changed += answer.added + answer.removed;
  }
  return changed;
}

/** Runs a command and shows why it failed; `doing` completes "Could not …". */
async function attempt(doing: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    showFailure(doing, error);
  }
}

export const changePlan = ({ id, kind, name }: AudienceRow, sync: AudienceRow['sync']): Promise<void> =>
  attempt(`save ${name}`, () => saveAudience({ id, kind, name, sync }));

export const removeAudience = ({ id, name, kind }: AudienceRow): Promise<void> =>
  attempt(`remove ${name}`, async () => {
    await tracked(call('audiences.remove', { id }));
    const { audiences: view } = useRecords.getState();
    if (view !== undefined) {
      const others = (rows: AudienceRow[]) => rows.filter((row) => row.id !== id);
      applyAnswer({ audiences: { audiences: others(view.audiences), traits: others(view.traits) } });
    }
    const traits = kind === 'trait' ? { traits: true } : {};
    navigate({ screen: 'audiences', audienceId: null, tab: 'pending', ...traits }, { replace: true });
    showToast({ title: kind === 'trait' ? 'Computed trait removed' : 'Audience removed', body: name });
  });

export const removeMember = ({ id, name }: AudienceRow, userId: string): Promise<void> =>
  attempt(`remove a member of ${name}`, async () => {
    await editMembers(id, 'remove', [userId]);
    showToast({
      title: 'Member removed',
      body: userId,
      action: {
        label: 'Undo',
        run: () => void attempt('put the member back', () => editMembers(id, 'add', [userId])),
      },
    });
  });

/** Resolves with whether a sync was begun. */
export async function startSync({ id, name }: AudienceRow): Promise<boolean> {
  let isBegun = false;
  await attempt(`sync ${name}`, async () => {
    isBegun = (await call('audiences.sync', { id })) !== null;
    if (!isBegun) showToast({ title: 'Nothing to send.', body: name });
  });
  return isBegun;
}

export const stopSync = ({ id }: SyncRow): Promise<void> =>
  attempt('stop the sync', () => call('audiences.stopSync', { sync: id }));

export const resumeSync = ({ id }: SyncRow): Promise<void> =>
  attempt('resume the sync', () => call('audiences.resumeSync', { sync: id }));

const SAMPLE = ['usr_8f21', 'usr_c3f5', 'usr_b812'];

/** An audience to try a sync with. */
export const addSample = (): Promise<void> =>
  attempt('add the sample audience', async () => {
    const { id, name } = await saveAudience({ kind: 'audience', name: 'Sample audience' });
    const added = await editMembers(id, 'add', SAMPLE);
    navigate({ screen: 'audiences', audienceId: id, tab: 'pending' });
    showToast({ title: `${name} added`, body: plural(added, 'member') });
  });

/** A computed trait to try: the orders of each user, or else what stored calls have most of. */
export const addSampleTrait = (): Promise<void> =>
  attempt('add the sample trait', async () => {
    const events = await seenEvents();
    const event = events.find((one) => one.event === 'Order Completed')?.event ?? events[0]?.event ?? null;
    const { id, name } = await saveAudience({
      kind: 'trait',
      name: event === 'Order Completed' ? 'Orders placed' : event === null ? 'Calls made' : `${event} count`,
      source: { by: 'computed', definition: { kind: 'count', event, path: null, where: [], withinMs: null } },
    });
    navigate({ screen: 'audiences', audienceId: id, tab: 'pending', traits: true });
    showToast({ title: 'Sample trait added', body: name });
  });

/** While calls are still read, it is asked again so often, each time after so many real milliseconds. */
const ASK_TIMES = 20;
const ASK_MS = 100;

/** Events of stored calls, most frequent first; none when that cannot be said soon. */
async function seenEvents(): Promise<Array<{ event: string }>> {
  for (let i = 0; i < ASK_TIMES; i += 1) {
    try {
      return (await call('people.fields')).events;
    } catch (error) {
      if (!(error instanceof ContractError) || error.code !== 'people_counting') return [];
      await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    }
  }
  return [];
}
