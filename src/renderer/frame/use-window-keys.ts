import { useLayoutEffect, useRef } from 'react';

/**
 * Hears every key of the window. From the moment when something is drawn, `onKey` acts on that: an ordinary effect runs
 * after the browser has drawn, when a key may have come already. `early` hears a key before the focused control does.
 */
export function useWindowKeys(onKey: (event: KeyboardEvent) => void, { early = false } = {}): void {
  const current = useRef(onKey);
  useLayoutEffect(() => {
    current.current = onKey;
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => current.current(event);
    window.addEventListener('keydown', listen, { capture: early });
    return () => window.removeEventListener('keydown', listen, { capture: early });
  }, [early]);
}
