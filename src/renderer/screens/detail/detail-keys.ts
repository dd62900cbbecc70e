/** Keys of the message detail (design/ui, section 9). They work wherever the focus is, except in a field. */
import { letterAllowed } from '../../frame/keys.ts';
import type { ShortcutGroup } from '../../frame/shortcut-list.tsx';
import { useWindowKeys } from '../../frame/use-window-keys.ts';
import { TAB_LABELS, TABS } from './detail-tabs.ts';

export const DETAIL_SHORTCUTS: ShortcutGroup = {
  title: 'Message',
  keys: [
    ['R', 'Open in Replay'],
    ['⇧ R', 'Retry now'],
    ['S', 'Stop retries'],
    [TABS.map((_, at) => at + 1).join(' '), TABS.map((tab) => TAB_LABELS[tab]).join(', ')],
    ['V', 'Changed or all fields'],
    ['[ ]', 'Previous, next attempt'],
    ['C', 'Copy body'],
    ['⇧ C', 'Copy as curl'],
    ['Y', 'Copy message id'],
    ['Esc', 'Back to the list'],
  ],
};

/** Handlers by `event.key`, with `Shift+` before a shifted letter. Keys that are missing or undefined are ignored. */
export type KeyActions = Readonly<Record<string, (() => void) | undefined>>;

const nameOf = (event: KeyboardEvent): string =>
  event.shiftKey && /^[a-z]$/i.test(event.key) ? `Shift+${event.key.toUpperCase()}` : event.key.toLowerCase();

/** True while Escape belongs to a dialog, menu or field. */
const escapeTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null ||
  (event.target instanceof HTMLElement && event.target.closest('input, textarea, select, .cm-search') !== null);

export function useKeys(actions: KeyActions): void {
  useWindowKeys((event) => {
    const name = nameOf(event);
    const action = actions[name];
    if (action === undefined) return;
    if (name === 'escape' ? escapeTaken(event) : !letterAllowed(event)) return;
    event.preventDefault();
    action();
  });
}
