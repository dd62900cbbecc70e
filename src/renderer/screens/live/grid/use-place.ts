/** Keeps the scroll position when the list changes and while the user visits another screen. */
import { useLayoutEffect, useRef } from 'react';
import type { WindowHandle } from '../../../lib/use-fixed-window.ts';
import type { LiveRows } from '../../../stores/live/snapshot.ts';
import type { LiveStream } from '../../../stores/live/stream.ts';
import type { Slots } from './slots.ts';

/**
 * Keeps the first row on screen in place when rows enter or leave above it (design/ui, section 8, rule 4), and when the
 * strip above the list appears or disappears.
 */
export function useAnchor(live: LiveRows, slots: Slots, rowHeight: number, strip: number, win: WindowHandle): void {
  const stripBefore = useRef(strip);
  useLayoutEffect(() => {
    const moved = strip - stripBefore.current;
    stripBefore.current = strip;
    if (moved !== 0 && win.top() + moved >= 0) win.scrollTo(win.top() + moved);
  });
  const anchor = useRef<{ id: number; slot: number; listVersion: number } | null>(null);
  const shown = useRef(live.listVersion);
  useLayoutEffect(() => {
    if (shown.current !== live.listVersion) {
      shown.current = live.listVersion;
      anchor.current = null;
      win.scrollTo(0);
    }
    const before = anchor.current;
    const position = before === null ? undefined : live.list.positionOf(before.id);
    if (before !== null && position !== undefined && live.mode !== 'following') {
      const moved = slots.ofPosition(position) - before.slot;
      if (moved !== 0) win.scrollTo(win.top() + moved * rowHeight);
    }
  });
  // The anchor for the next change is the row now drawn at the top edge.
  useLayoutEffect(() => {
    const slot = Math.floor(win.top() / rowHeight);
    const position = slots.positionNear(slot);
    const id = live.list.idAt(position);
    anchor.current = id === undefined ? null : { id, slot: slots.ofPosition(position), listVersion: live.listVersion };
  });
}

/** Restores the scroll position from when the user left the screen. */
export function useLastPlace(stream: Pick<LiveStream, 'left' | 'leftAt'>, { top, scrollTo }: WindowHandle): void {
  useLayoutEffect(() => {
    if (stream.leftAt > 0) scrollTo(stream.leftAt);
    return () => stream.left(top());
  }, [stream, top, scrollTo]);
}
