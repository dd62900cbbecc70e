import { useEffect, useRef } from 'react';
import type { ShortcutGroup } from '../../frame/shortcuts-dialog.tsx';

/** Here and not on the screen, which is loaded when it is first shown. */
export const REPLAY_SHORTCUTS: ShortcutGroup = {
  title: 'Replay',
  keys: [['Ctrl ↵', 'Send replay']],
};

/** Runs `send` on Ctrl Enter or Command Enter, wherever the focus is, but under a dialog or menu. */
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
    // Before the focused button takes Enter as a click.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
