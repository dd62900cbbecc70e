import { type RefObject, useEffect } from 'react';
import type { LiveStream } from '../../../stores/live/stream.ts';

/** While text in the list is selected the user is reading, so new rows wait (design/ui, section 8, rule 3). */
export function useTextSelection(stream: Pick<LiveStream, 'reading'>, list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let selected = false;
    const onChange = () => {
      const selection = document.getSelection();
      const now = selection !== null && !selection.isCollapsed && list.current?.contains(selection.anchorNode) === true;
      if (now === selected) return;
      selected = now;
      stream.reading({ textSelected: now });
    };
    document.addEventListener('selectionchange', onChange);
    return () => {
      document.removeEventListener('selectionchange', onChange);
      stream.reading({ textSelected: false });
    };
  }, [stream, list]);
}
