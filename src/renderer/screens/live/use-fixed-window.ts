/**
 * The part of a very long list that is on screen, for slots of one height. Plain arithmetic: a general virtual list
 * keeps a measurement a row and makes them anew with each new row, 10 ms at a million rows.
 *
 * The rows hang in a layer that sticks to the scroller instead of lying in the scrolled content. The compositor may
 * scroll ahead of the page, and what lies in the content would then run out of rows and show blank; the layer waits
 * for the page. It also keeps coordinates small, where a float would be off by whole pixels.
 */
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Slots drawn beyond each edge, so that small scrolls draw nothing new. */
const OVERSCAN = 6;

/** The tallest element that the browser lays out truly: Firefox 17.8, Chromium 33.5 million px. */
const MAX_HEIGHT = globalThis.CSS?.supports?.('-moz-appearance', 'none') ? 15_000_000 : 32_000_000;

export interface FixedWindow {
  /** First and last slot to draw; last is exclusive. */
  readonly first: number;
  readonly last: number;
  /**
   * The slot from which rows count their distance in the layer, to be put on it as `data-base`. It keeps its
   * distance from the end of the list and moves in long steps, so that rows that stay need no new distance when
   * the list scrolls or grows at the top.
   */
  readonly base: number;
  /** Height for the element that gives the scroller its length, in px. */
  readonly height: number;
  readonly viewHeight: number;
  readonly viewWidth: number;
}

export interface WindowHandle {
  /** Distance of the view from the top of the list, in px. */
  readonly top: () => number;
  readonly scrollTo: (top: number) => void;
  /** Scrolls as little as shows the slot whole. */
  readonly reveal: (slot: number) => void;
}

export interface WindowScroll {
  /** First and last slot on screen; last is exclusive. */
  readonly first: number;
  readonly last: number;
  /** Slots since the last frame, positive downwards. 0 for a jump. */
  readonly speed: number;
  readonly atTop: boolean;
}

interface Options {
  readonly scroller: RefObject<HTMLElement | null>;
  /** The layer's content, moved by a transform. */
  readonly layer: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly slotHeight: number;
  /** Up to this distance the list still counts as at the top, in px: room that something above it took. */
  readonly slack: number;
  readonly onScroll: (scroll: WindowScroll) => void;
}

const BASE_STEP = 256;

/** More slots than this in one frame is a jump, not a speed. */
const JUMP_SLOTS = 600;

export function useFixedWindow(options: Options): FixedWindow & WindowHandle {
  const { scroller, count, slotHeight } = options;
  const latest = useRef(options);
  latest.current = options;
  /** The exact place; `physical` is where the scroller stood then. `viewHeight` is kept: to read it is a layout. */
  const place = useRef({ top: 0, physical: 0, viewHeight: 0 });
  const [view, setView] = useState({ width: 0, height: 0 });
  const [range, setRange] = useState({ first: 0, last: 0 });
  const full = count * slotHeight;
  const height = Math.min(full, MAX_HEIGHT);

  /** Draws for the present place; gives the slots on screen. */
  const draw = useCallback((sync: boolean) => {
    const { layer, count, slotHeight } = latest.current;
    const next = rangeAt(place.current.top, place.current.viewHeight, slotHeight, count);
    const put = () => setRange((range) => (range.first === next.first && range.last === next.last ? range : next));
    if (sync) flushSync(put);
    else put();
    if (layer.current === null) return;
    // The attribute says where the drawn rows count from; state may be a render ahead.
    const base = Number(layer.current.dataset.base ?? 0);
    layer.current.style.transform = `translateY(${base * slotHeight - place.current.top}px)`;
  }, []);

  const report = useCallback((speed: number) => {
    const { slotHeight, count, onScroll, slack } = latest.current;
    const { top, viewHeight } = place.current;
    onScroll({
      first: Math.floor(top / slotHeight),
      last: Math.min(count, Math.ceil((top + viewHeight) / slotHeight)),
      speed: Math.abs(speed) > JUMP_SLOTS ? 0 : speed,
      atTop: top < 1 + slack,
    });
  }, []);

  const scrollTo = useCallback(
    (wanted: number) => {
      const element = scroller.current;
      if (element === null) return;
      const { count, slotHeight } = latest.current;
      const whole = count * slotHeight;
      const { viewHeight } = place.current;
      const top = Math.max(0, Math.min(wanted, whole - viewHeight));
      element.scrollTop = top * scale(whole, viewHeight);
      place.current = { top, physical: element.scrollTop, viewHeight };
      draw(false);
      report(0);
    },
    [scroller, draw, report],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = () => {
      const physical = element.scrollTop;
      if (Math.abs(physical - place.current.physical) < 0.5) return;
      const { count, slotHeight } = latest.current;
      const { top: before, viewHeight } = place.current;
      place.current = { top: physical / scale(count * slotHeight, viewHeight), physical, viewHeight };
      draw(true);
      report((place.current.top - before) / slotHeight);
    };
    const measure = () => {
      place.current.viewHeight = element.clientHeight;
      setView({ width: element.clientWidth, height: element.clientHeight });
      draw(false);
      report(0);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, draw, report]);

  // After each render the layer stands for the range that was drawn, and the list may have become shorter.
  useLayoutEffect(() => {
    const most = Math.max(0, count * slotHeight - place.current.viewHeight);
    if (place.current.top > most) scrollTo(most);
    else draw(false);
  });

  const top = useCallback(() => place.current.top, []);
  const reveal = useCallback(
    (slot: number) => {
      const { viewHeight } = place.current;
      const from = slot * latest.current.slotHeight;
      const to = from + latest.current.slotHeight;
      if (from < place.current.top) scrollTo(from);
      else if (to > place.current.top + viewHeight) scrollTo(to - viewHeight);
    },
    [scrollTo],
  );
  const last = Math.min(range.last, count);
  const first = Math.min(range.first, last);
  return {
    first,
    last,
    base: count - Math.ceil((count - first) / BASE_STEP) * BASE_STEP,
    height,
    viewHeight: view.height,
    viewWidth: view.width,
    top,
    scrollTo,
    reveal,
  };
}

function rangeAt(top: number, viewHeight: number, slotHeight: number, count: number): { first: number; last: number } {
  const first = Math.max(0, Math.floor(top / slotHeight) - OVERSCAN);
  const last = Math.min(count, Math.ceil((top + viewHeight) / slotHeight) + OVERSCAN);
  return { first: Math.min(first, last), last };
}

/** Scroller px for one px of the list; below 1 when the list is taller than an element may be. */
function scale(full: number, viewHeight: number): number {
  if (full <= MAX_HEIGHT) return 1;
  return (MAX_HEIGHT - viewHeight) / (full - viewHeight);
}
