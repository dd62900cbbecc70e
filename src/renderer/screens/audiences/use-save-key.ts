import { useWindowKeys } from '../../frame/use-window-keys.ts';

/** Suggestions under a field are no reason to wait. */
const LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Ctrl S saves, also while a field has the focus. Null: there is nothing to save. */
export function useSaveKey(save: (() => void) | null): void {
  useWindowKeys((event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    event.preventDefault();
    if (document.querySelector(LAYERS) === null) save?.();
  });
}
