/** The commands of this screen. */
import type { CommandInput } from '../../../contract/commands.ts';
import type { ReceiverView } from '../../../contract/receivers.ts';
import { call } from '../../platform/connect.ts';
import { inOrder, newest } from '../../stores/edits.ts';
import { applyAnswer, applyWebhook, useRecords } from '../../stores/records.ts';
import { navigate } from '../../stores/route.ts';
import { tracked } from '../../stores/saves.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';

type Edit = Omit<CommandInput<'receivers.save'>, 'id'>;

/** Shows an answer at once, before its batch arrives. */
function applyReceiver(saved: ReceiverView): void {
  const { receivers } = useRecords.getState();
  if (receivers === undefined) return;
  const known = receivers.entries.some(({ id }) => id === saved.id);
  const entries = known
    ? receivers.entries.map((entry) => (entry.id === saved.id ? saved : entry))
    : [...receivers.entries, saved];
  applyAnswer({ receivers: { ...receivers, entries } });
}

/** The fields to change, made of the receiver as it is saved. */
type Change = Partial<Edit> | ((now: ReceiverView) => Partial<Edit>);

/** Saves a receiver with some fields changed. Rejects with a ContractError. */
export const saveReceiver = (receiver: ReceiverView, change: Change): Promise<ReceiverView> =>
  inOrder(async () => {
    const now = newest(useRecords.getState().receivers?.entries, receiver);
    const { id, name, tls, steps, check } = now;
    const part = typeof change === 'function' ? change(now) : change;
    const saved = await tracked(call('receivers.save', { id, name, tls, steps, check, ...part }));
    applyReceiver(saved);
    return saved;
  });

/** Rejects with a ContractError. */
export async function addReceiver(edit: Edit): Promise<ReceiverView> {
  const saved = await tracked(call('receivers.save', edit));
  applyReceiver(saved);
  return saved;
}

/** Runs a command and shows why it failed; `doing` completes "Could not …". False when it failed. */
async function attempt(doing: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    showFailure(doing, error);
    return false;
  }
}

export const changeReceiver = (receiver: ReceiverView, change: Change): Promise<boolean> =>
  attempt(`save ${receiver.name}`, () => saveReceiver(receiver, change));

export const removeReceiver = ({ id, name }: ReceiverView): Promise<boolean> =>
  attempt(`remove ${name}`, async () => {
    await tracked(call('receivers.remove', { id }));
    navigate({ screen: 'receivers', receiverId: null }, { replace: true });
    showToast({ title: 'Receiver removed', body: name });
  });

export const resetReceiver = ({ id, name }: ReceiverView): Promise<boolean> =>
  attempt(`reset ${name}`, async () => {
    applyReceiver(await tracked(call('receivers.reset', { id })));
    showToast({ title: 'Receiver reset' });
  });

export const restartSequence = ({ id, name }: ReceiverView): Promise<boolean> =>
  attempt(`restart ${name}`, () => call('receivers.restart', { id }));

export const clearLog = ({ id, name }: ReceiverView): Promise<boolean> =>
  attempt(`clear the requests of ${name}`, () => call('receivers.clear', { id }));

export const addAsWebhook = ({ id, name }: ReceiverView): Promise<boolean> =>
  attempt(`use ${name} as a webhook`, async () => {
    const webhook = await tracked(call('receivers.useAsWebhook', { id }));
    applyWebhook(webhook);
    showToast({
      title: `Added as webhook ${webhook.slot}`,
      action: { label: 'Show', run: () => navigate({ screen: 'webhooks', slot: webhook.slot }) },
    });
  });

export const listen = (ports: CommandInput<'receivers.listen'>): Promise<boolean> =>
  attempt('start the receivers', async () => applyAnswer({ receivers: await call('receivers.listen', ports) }));
