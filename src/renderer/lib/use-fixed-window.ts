/**
 * The visible part of a very long list whose slots have equal height. Plain arithmetic: a general virtual list keeps a
 * measurement per row and recomputes them with each new row, which takes 10 ms at a million rows.
 *
 * The rows are in a layer that sticks to the scroller, not in the scrolled content. The compositor may scroll ahead of
 * the page. Rows in the content would then run out and leave a blank, but the layer waits for the page. The layer also
 * keeps coordinates small; as large floats they would be off by whole pixels.
 */
import { useLayoutEffect, useState } from 'react';
import { ScrolledWindow, type WindowOptions, type WindowSize } from './scrolled-window.ts';
import { baseSlot, type SlotRange, scrollHeight } from './window-geometry.ts';

export interface FixedWindow extends SlotRange {
  /** The slot from which rows count their distance in the layer. Set on the layer as `data-base`. */
  readonly base: number;
  /** Height in px of the element that gives the scroller its length. */
  readonly height: number;
  readonly viewHeight: number;
  readonly viewWidth: number;
}

export interface WindowHandle {
  /** Distance of the view from the top of the list, in px. */
  readonly top: () => number;
  readonly scrollTo: (top: number) => void;
  /** Scrolls just far enough to show the whole slot. */
  readonly reveal: (slot: number) => void;
}

export function useFixedWindow(options: WindowOptions): FixedWindow & WindowHandle {
  const [size, setSize] = useState<WindowSize>({ width: 0, height: 0 });
  const [range, setRange] = useState<SlotRange>({ first: 0, last: 0 });
  const [scrolled] = useState(
    () =>
      new ScrolledWindow(options, {
        draw: (next) => setRange((before) => (sameRange(before, next) ? before : next)),
        resize: setSize,
      }),
  );
  scrolled.options = options;
  useLayoutEffect(() => scrolled.attach(), [scrolled]);
  useLayoutEffect(() => scrolled.rendered());

  const { count, slotHeight } = options;
  const last = Math.min(range.last, count);
  const first = Math.min(range.first, last);
  return {
    first,
    last,
    base: baseSlot(first, count),
    height: scrollHeight(count * slotHeight),
    viewHeight: size.height,
    viewWidth: size.width,
    top: scrolled.top,
    scrollTo: scrolled.scrollTo,
    reveal: scrolled.reveal,
  };
}

const sameRange = (a: SlotRange, b: SlotRange): boolean => a.first === b.first && a.last === b.last;
