import { useEffect, useRef } from 'react';
import { layerOpen } from '../../../frame/keys.ts';

/** Ctrl S saves, also while a field has the focus. Null: there is nothing to save. */
export function useSaveKey(save: (() => void) | null): void {
  const now = useRef(save);
  now.current = save;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      if (!layerOpen()) now.current?.();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
