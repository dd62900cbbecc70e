import type { ShortcutGroup } from '../../frame/shortcut-list.tsx';
import { useWindowKeys } from '../../frame/use-window-keys.ts';

/** In a file of its own, because the screen is loaded only when first shown. */
export const REPLAY_SHORTCUTS: ShortcutGroup = {
  title: 'Replay',
  keys: [['Ctrl ↵', 'Send replay']],
};

/** Runs `send` on Ctrl Enter or Command Enter wherever the focus is, unless a dialog or menu is open. */
export function useSendKey(send: () => void): void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || event.defaultPrevented) return;
    if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return;
    event.preventDefault();
    event.stopPropagation();
    send();
  };
  // Runs before the focused button takes Enter as a click.
  useWindowKeys(onKey, { early: true });
}
