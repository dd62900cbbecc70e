/** Keys of the list (design/ui, section 9). The detail has its own while it is open. */
import type { RefObject } from 'react';
import { layerOpen, letterAllowed, typesText } from '../../frame/keys.ts';
import type { ShortcutGroup } from '../../frame/shortcut-list.tsx';
import { useWindowKeys } from '../../frame/use-window-keys.ts';
import { copyBody, copyCurl, copyMessageId, openInReplay } from '../../message/row-actions.ts';
import { isEmpty } from '../../stores/live/filter.ts';
import { useJumpDialog } from '../../stores/live/jump-dialog.ts';
import { liveStream } from '../../stores/live/store.ts';
import type { GridHandle } from './grid/message-grid.tsx';
import { applyNth, useSavedDialog } from './use-saved-filters.ts';

export const LIVE_SHORTCUTS: ShortcutGroup = {
  title: 'Live stream',
  keys: [
    ['/', 'Filter the list'],
    ['Ctrl S', 'Save the filter'],
    ['⇧ 1 … 9', 'Apply a saved filter'],
    ['↑ ↓', 'Move row, also J K'],
    ['Enter', 'Focus the detail'],
    ['Esc', 'Back to the list, or clear the selection'],
    ['X', 'Select the row'],
    ['⇧ ↑ ↓', 'Extend the selection'],
    ['Ctrl A', 'Select all matches'],
    ['T', 'Newest, also Home'],
    ['End', 'Oldest'],
    ['⇧ T', 'Jump to time'],
    ['Space', 'Pause or resume the view'],
    ['R', 'Open in Replay, or replay the selection'],
    ['C', 'Copy body'],
    ['⇧ C', 'Copy as curl'],
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
  if (event.key === 'Escape') return escapeAction(event, selectedId);
  if (isSave(event)) return saveFilter;
  if (isSelectAll(event)) return () => liveStream.selection.selectAll();
  if (!letterAllowed(event)) return null;
  const focused = grid.current?.focusedId() ?? null;
  const nth = event.shiftKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined;
  if (nth !== undefined) return () => applyNth(Number(nth) - 1);
  if (event.shiftKey && event.key === 'T') return () => useJumpDialog.setState({ open: true });
  if (event.shiftKey)
    return event.key === 'C' && selectedId === null && focused !== null ? () => void copyCurl(focused) : null;
  switch (event.key) {
    case '/':
      return () => field.current?.focus();
    case 'j':
      return () => grid.current?.move(1);
    case 'k':
      return () => grid.current?.move(-1);
    case 't':
      return showNewest;
    case 'x': {
      const id = focused ?? selectedId;
      return id === null ? null : () => liveStream.selection.toggle(id);
    }
    case 'r':
      // With a selection the bulk bar takes it.
      if (liveStream.selection.snapshot().count > 0) return null;
      return selectedId === null && focused !== null ? () => openInReplay(focused) : null;
    case 'y':
      return selectedId === null && focused !== null ? () => copyMessageId(focused) : null;
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

/** Clears the selection first, then leaves the row. An open detail takes Escape where no row has the focus. */
function escapeAction(event: KeyboardEvent, openId: number | null): (() => void) | null {
  const { selection } = liveStream;
  const onRows = inList(event.target) || inBulkBar(event.target);
  if (selection.snapshot().count > 0 && (onRows || (isNowhere(event.target) && openId === null)) && !layerOpen())
    return () => selection.clear();
  return inList(event.target) && openId === null ? leaveRow : null;
}

const isSave = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 's';

/** The browser's own Save is of no use here, so nothing happens without a filter. */
function saveFilter(): void {
  if (!isEmpty(liveStream.snapshot().read)) useSavedDialog.setState({ open: true });
}

/** In a field the same keys select its text. */
const isSelectAll = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) &&
  !event.shiftKey &&
  !event.altKey &&
  event.key.toLowerCase() === 'a' &&
  (inList(event.target) || inBulkBar(event.target) || isNowhere(event.target)) &&
  !layerOpen();

const inBulkBar = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[data-region="selection"]') !== null;
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
