import { useLayoutEffect } from 'react';
import { letterAllowed } from './keys.ts';

/** `[` and `]` go to the previous and the next call; in a list of failed calls to the link of the next one. */
export function useBrackets(move: (by: number) => void): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.key !== '[' && event.key !== ']') || !letterAllowed(event)) return;
      event.preventDefault();
      const by = event.key === '[' ? -1 : 1;
      const failed = document.activeElement?.closest('[data-region="failed"]');
      if (failed == null) return move(by);
      const links = [...failed.querySelectorAll<HTMLElement>('a')];
      const at = links.indexOf(document.activeElement as HTMLElement);
      links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}
