/** Keys of the list (design/ui, section 9). The detail has its own while it is open. */
import type { RefObject } from 'react';
import { letterAllowed, typesText } from '../../frame/keys.ts';
import type { ShortcutGroup } from '../../frame/shortcuts-dialog.tsx';
import { useWindowKeys } from '../../frame/use-window-keys.ts';
import { rejectText } from '../../lib/words/rejections.ts';
import { bodyWords } from '../../message/body-words.ts';
import { call } from '../../platform/connect.ts';
import { copyAndSay } from '../../stores/copied.ts';
import { liveStream } from '../../stores/live/store.ts';
import { getRow } from '../../stores/records.ts';
import { navigate } from '../../stores/route.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import type { GridHandle } from './grid/message-grid.tsx';

export const LIVE_SHORTCUTS: ShortcutGroup = {
  title: 'Live stream',
  keys: [
    ['/', 'Filter the list'],
    ['↑ ↓', 'Move row, also J K'],
    ['Enter', 'Focus the detail'],
    ['Esc', 'Back to the list'],
    ['T', 'Newest, also Home'],
    ['End', 'Oldest'],
    ['Space', 'Pause or resume the view'],
    ['R', 'Open in Replay'],
    ['C', 'Copy body'],
    ['Y', 'Copy message id'],
  ],
};

interface Options {
  readonly active: boolean;
  readonly grid: RefObject<GridHandle | null>;
  readonly field: RefObject<HTMLInputElement | null>;
  /** The open message, whose own keys copy it. */
  readonly selectedId: number | null;
  readonly togglePause: () => void;
}

export function useLiveKeys(options: Options): void {
  useWindowKeys((event) => {
    if (!options.active || event.defaultPrevented) return;
    const action = actionOf(event, options);
    if (action === null) return;
    event.preventDefault();
    action();
  });
}

function actionOf(event: KeyboardEvent, { grid, field, selectedId, togglePause }: Options): (() => void) | null {
  if (event.key === 'Escape' && inList(event.target) && selectedId === null) return leaveRow;
  if (!letterAllowed(event) || event.shiftKey) return null;
  const focused = grid.current?.focusedId() ?? null;
  switch (event.key) {
    case '/':
      return () => field.current?.focus();
    case 'j':
      return () => grid.current?.move(1);
    case 'k':
      return () => grid.current?.move(-1);
    case 't':
      return showNewest;
    case 'r':
      return selectedId === null && focused !== null ? () => replay(focused) : null;
    case 'y':
      return selectedId === null && focused !== null ? () => copyId(focused) : null;
    case 'c':
      return selectedId === null && focused !== null ? () => void copyBody(focused) : null;
  }
  // Controls and the detail use the keys below themselves.
  if (!inList(event.target) && !isNowhere(event.target)) return null;
  switch (event.key) {
    case ' ':
      return togglePause;
    case 'Home':
      return showNewest;
    case 'End':
      return () => grid.current?.move(Number.POSITIVE_INFINITY);
    case 'ArrowDown':
      return () => grid.current?.move(1);
    case 'ArrowUp':
      return () => grid.current?.move(-1);
    default:
      return null;
  }
}

const inList = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[role="grid"]') !== null;
const isNowhere = (target: EventTarget | null): boolean =>
  !typesText(target) && (target === document.body || (target instanceof HTMLElement && target.id === 'main'));

function showNewest(): void {
  if (document.activeElement instanceof HTMLElement && inList(document.activeElement)) document.activeElement.blur();
  liveStream.showNewest();
}

/** Removes the keyboard focus from the row, so that new rows enter again. */
function leaveRow(): void {
  (document.activeElement as HTMLElement | null)?.blur();
}

/** Says that a rejected call has no bytes to send. */
function replay(id: number): void {
  const row = getRow(id);
  if (row?.state === 'rejected')
    showToast({ title: 'There is nothing to resend.', body: rejectText(row.reason, row.reasonDetail) });
  else navigate({ screen: 'replay', messageId: id });
}

function copyId(id: number): void {
  const row = getRow(id);
  if (row !== undefined) void copyAndSay(row.messageId, 'Message id copied');
}

async function copyBody(id: number): Promise<void> {
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
