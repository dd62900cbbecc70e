import { type RefObject, useEffect } from 'react';
import { liveStream } from '../../stores/live/store.ts';

/** Selected text in the list is being read: new rows wait (design/ui, section 8, rule 3). */
export function useTextSelection(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let selected = false;
    const onChange = () => {
      const selection = document.getSelection();
      const now = selection !== null && !selection.isCollapsed && list.current?.contains(selection.anchorNode) === true;
      if (now === selected) return;
      selected = now;
      liveStream.reading({ textSelected: now });
    };
    document.addEventListener('selectionchange', onChange);
    return () => {
      document.removeEventListener('selectionchange', onChange);
      liveStream.reading({ textSelected: false });
    };
  }, [list]);
}
