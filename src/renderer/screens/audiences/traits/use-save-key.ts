import { useEffect, useRef } from 'react';

/** Suggestions under a field are no reason to wait. */
const LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Ctrl S saves, also while a field has the focus. Null: there is nothing to save. */
export function useSaveKey(save: (() => void) | null): void {
  const now = useRef(save);
  now.current = save;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      if (document.querySelector(LAYERS) === null) now.current?.();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
