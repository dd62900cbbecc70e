import { letterAllowed } from './keys.ts';
import { useWindowKeys } from './use-window-keys.ts';

/** `[` and `]` go to the previous and the next call; in a list of failed calls to the link of the next one. */
export function useBrackets(move: (by: number) => void): void {
  useWindowKeys((event) => {
    if ((event.key !== '[' && event.key !== ']') || !letterAllowed(event)) return;
    event.preventDefault();
    const by = event.key === '[' ? -1 : 1;
    const failed = document.activeElement?.closest('[data-region="failed"]');
    if (failed == null) return move(by);
    const links = [...failed.querySelectorAll<HTMLElement>('a')];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  });
}
