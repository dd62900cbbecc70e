import { useEffect, useRef } from 'react';
import type { ShortcutGroup } from '../../frame/shortcuts-dialog.tsx';

/** In a file of its own, because the screen is loaded only when first shown. */
export const REPLAY_SHORTCUTS: ShortcutGroup = {
  title: 'Replay',
  keys: [['Ctrl ↵', 'Send replay']],
};

/** Runs `send` on Ctrl Enter or Command Enter wherever the focus is, unless a dialog or menu is open. */
export function useSendKey(send: () => void): void {
  const current = useRef(send);
  useEffect(() => {
    current.current = send;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat || event.defaultPrevented) return;
      if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return;
      event.preventDefault();
      event.stopPropagation();
      current.current();
    };
    // Runs before the focused button takes Enter as a click.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
