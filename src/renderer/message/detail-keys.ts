/** Keys of the message detail (design/ui, section 9). They work wherever the focus is, except in a field. */
import { useLayoutEffect, useReducer } from 'react';
import { letterAllowed } from '../frame/keys.ts';
import type { ShortcutGroup } from '../frame/shortcut-list.tsx';
import { useWindowKeys } from '../frame/use-window-keys.ts';
import { TAB_LABELS, TABS } from './detail-tabs.ts';
import { dropHeldKeys, holdKey, keysWait, takeHeldKey } from './held-keys.ts';

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

/** Names of keys: `event.key`, with `Shift+` before a shifted letter. */
const NAMES: ReadonlySet<string> = new Set([
  ...['r', 'Shift+R', 's', '[', ']', 'v', 'c', 'Shift+C', 'y', 'escape'],
  ...TABS.map((_, at) => String(at + 1)),
]);

/** Handlers by name. Keys that are missing or undefined are ignored, or wait while the message is not there yet. */
export type KeyActions = Readonly<Record<string, (() => void) | undefined>>;

export interface KeysOf {
  /** Row id of the message. */
  readonly id: number;
  /** False while the message is on its way; keys that cannot act yet wait for it. */
  readonly ready: boolean;
}

const nameOf = (event: KeyboardEvent): string =>
  event.shiftKey && /^[a-z]$/i.test(event.key) ? `Shift+${event.key.toUpperCase()}` : event.key.toLowerCase();

/** True while Escape belongs to a dialog, menu or field. */
const escapeTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null ||
  (event.target instanceof HTMLElement && event.target.closest('input, textarea, select, .cm-search') !== null);

export function useKeys(actions: KeyActions, { id, ready }: KeysOf): void {
  const [, goOn] = useReducer((turns: number) => turns + 1, 0);
  useWindowKeys((event) => {
    const name = nameOf(event);
    if (!NAMES.has(name) || (name === 'escape' ? escapeTaken(event) : !letterAllowed(event))) return;
    const action = actions[name];
    if (name === 'escape') dropHeldKeys();
    else if (!ready && (action === undefined || keysWait(id))) {
      event.preventDefault();
      holdKey(id, name);
      return;
    }
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
  // One at a time, because a key may change what the next one does.
  useLayoutEffect(() => {
    const name = ready ? takeHeldKey(id) : undefined;
    if (name === undefined) return;
    actions[name]?.();
    goOn();
  });
}
