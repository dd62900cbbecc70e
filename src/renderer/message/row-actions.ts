/** What can be done with a message from a list: by key, by menu or from the palette. Each says what it did. */
import { ContractError } from '../../contract/errors.ts';
import { call } from '../platform/connect.ts';
import { copyAndSay } from '../stores/copied.ts';
import { cacheRows, getRow, useRecords } from '../stores/records.ts';
import { navigate } from '../stores/route.ts';
import { showFailure, showToast } from '../stores/toasts.ts';
import { useView } from '../stores/view.ts';
import { bodyWords } from './body-words.ts';
import { curlOfMessage } from './copies.ts';

export const openInReplay = (id: number): void => navigate({ screen: 'replay', messageId: id });

export function copyMessageId(id: number): void {
  const row = getRow(id);
  if (row !== undefined) void copyAndSay(row.messageId, 'Message id copied');
}

export async function copyBody(id: number): Promise<void> {
  try {
    const detail = await call('messages.get', { id });
    const { deliveredJson, callJson } = detail;
    const body = deliveredJson ?? callJson;
    if (body === null) showToast({ title: 'This message has no body to copy' });
    else await copyAndSay(body, `${deliveredJson === null ? 'Received body' : bodyWords(detail).body} copied`);
  } catch (error) {
    showFailure('copy the body', error);
  }
}

export async function copyCurl(id: number): Promise<void> {
  try {
    const curl = await curlOfId(id);
    if (curl === null) showToast({ title: 'This message has nothing to send, so there is no curl command' });
    else await copyAndSay(curl, 'curl command copied');
  } catch (error) {
    showFailure('copy as curl', error);
  }
}

/** Its next round begins at once. */
export const retryNow = (id: number): Promise<void> => move('messages.retryNow', 'retry now', id);
export const stopRetries = (id: number): Promise<void> => move('messages.stop', 'stop the retries', id);

/** The answer is shown at once. */
async function move(name: 'messages.retryNow' | 'messages.stop', doing: string, id: number): Promise<void> {
  try {
    cacheRows([await call(name, { id })]);
  } catch (error) {
    const movedOn = error instanceof ContractError ? MOVED_ON[error.code] : undefined;
    if (movedOn === undefined) showFailure(doing, error);
    else showToast({ title: movedOn });
  }
}

/** The message moved on while the button was pressed. That is not a failure; the row shows the new state. */
const MOVED_ON: Partial<Record<ContractError['code'], string>> = {
  not_waiting: 'The message is not waiting any more',
  already_final: 'The message is final already',
};

/** Null when the message has nothing to send. */
export async function curlOfId(id: number): Promise<string | null> {
  const detail = await call('messages.get', { id });
  const { webhooks, status } = useRecords.getState();
  return curlOfMessage(detail, webhooks, status?.listener.port ?? 0, useView.getState().curlShell);
}
