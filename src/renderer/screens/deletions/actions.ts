/** The commands of this screen. */
import {
  DELETION_LIMITS,
  type DeletionDetail,
  type DeletionInput,
  type DeletionUser,
  type DrillView,
} from '../../../contract/deletions.ts';
import { FINAL_STATES } from '../../../contract/names.ts';
import { plural } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { navigate } from '../../stores/route.ts';
import { tracked } from '../../stores/saves.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import { noticesText } from './words.ts';

/** Runs a command and shows why it failed; `doing` completes "Could not …". Gives null when it failed. */
async function attempt<T>(doing: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    showFailure(doing, error);
    return null;
  }
}

/** Stores a request and shows it. Resolves with whether it was stored. */
export async function sendRequest(input: DeletionInput): Promise<boolean> {
  const made = await attempt('make the deletion request', () => tracked(call('deletions.create', input)));
  if (made === null) return false;
  navigate({ screen: 'deletions', requestId: made.id });
  showToast({ title: 'Deletion request made', body: noticesText(made.notices.total) });
  return true;
}

/** Lifts the suppression of a user, with Undo. */
export const lift = (userId: string, requestId: number | null): Promise<unknown> =>
  attempt('lift the suppression', async () => {
    await tracked(call('deletions.lift', { userIds: [userId] }));
    showToast({
      title: 'Suppression lifted',
      body: userId,
      action: { label: 'Undo', run: () => void suppressAgain(userId, requestId) },
    });
  });

/** Suppresses a user on behalf of a request, or of none. */
export const suppressAgain = (userId: string, requestId: number | null): Promise<unknown> =>
  attempt('suppress the user', () => tracked(call('deletions.suppress', { userIds: [userId], requestId })));

export const forgetIds = ({ id }: DeletionDetail): Promise<unknown> =>
  attempt('forget the ids', async () => {
    await tracked(call('deletions.forget', { id }));
    showToast({ title: 'Ids forgotten', body: `Request ${id} and its notices no longer name anybody.` });
  });

/** Sends one track call of this user. Null when it could not be sent. */
export const drill = (userId: string, event: string): Promise<DrillView | null> =>
  attempt('send this user again', () => call('deletions.drill', { userId, event }));

/** Row ids of the notices that ended without success and are still stored. */
export async function failedNotices(id: number): Promise<number[]> {
  const found: number[] = [];
  for (let after = 0; ; ) {
    const page = await call('deletions.users', { id, after, failedOnly: true, limit: DELETION_LIMITS.rows });
    found.push(...page.rows.flatMap(failedOf));
    if (page.nextAfter === null) return found;
    after = page.nextAfter;
  }
}

const failedOf = ({ cells }: DeletionUser): number[] =>
  cells.flatMap(({ state, message }) =>
    state !== null && state !== 'delivered' && FINAL_STATES.has(state) && message !== null ? [message.id] : [],
  );

/** Replays every failed notice to every webhook that is on. The state of the request stays as it is. */
export const sendFailedAgain = ({ id }: DeletionDetail): Promise<unknown> =>
  attempt('send the failed notices again', async () => {
    const webhookIds = useRecords.getState().webhooks.flatMap((webhook) => (webhook.enabled ? [webhook.id] : []));
    const messages = await failedNotices(id);
    if (webhookIds.length === 0) showToast({ title: 'Every webhook is off.', body: 'Turn one on in Webhooks.' });
    else if (messages.length === 0) showToast({ title: 'The failed notices are no longer stored.' });
    else {
      for (const message of messages) await call('replay.send', { id: message, webhookIds });
      showToast({
        title: `Replayed ${noticesText(messages.length)} to ${plural(webhookIds.length, 'webhook')}`,
        body: 'A replay does not change the state of the request.',
      });
    }
  });
