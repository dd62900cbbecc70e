import { useEffect, useRef } from 'react';
import type { WindowScroll } from '../../../lib/scrolled-window.ts';
import type { FixedWindow, WindowHandle } from '../../../lib/use-fixed-window.ts';
import type { LiveRows } from '../../../stores/live/snapshot.ts';
import type { LiveStream } from '../../../stores/live/stream.ts';
import type { Slots } from './slots.ts';

/** An older scroll does not show where the list is going, in milliseconds. */
const STANDS_AFTER_MS = 150;

type Lookable = Pick<LiveStream, 'look' | 'scrolled'>;

interface Looking {
  readonly onScroll: (scroll: WindowScroll) => void;
  /** Slots from `first` to before `last` are on screen. */
  readonly look: (first: number, last: number) => void;
}

/** Tells the stream which rows are on screen and how fast they move, so that it fetches them and the next ones. */
export function useLooking(stream: Lookable, slots: Slots): Looking {
  const travel = useRef({ speed: 0, at: 0 });
  const look = (first: number, last: number) => {
    const from = slots.positionNear(first);
    const speed = performance.now() - travel.current.at < STANDS_AFTER_MS ? travel.current.speed : 0;
    stream.look({ from, to: Math.max(from, slots.positionNear(last - 1)), speed });
  };
  const onScroll = ({ first, last, speed, atTop }: WindowScroll) => {
    travel.current = { speed, at: performance.now() };
    stream.scrolled(atTop ? 0 : Math.max(1, first));
    look(first, last);
  };
  return { look, onScroll };
}

/** New rows, another list or another size may put other rows on screen. */
export function useLookAgain(
  { list, listVersion }: LiveRows,
  look: Looking['look'],
  { top, viewHeight }: FixedWindow & WindowHandle,
  rowHeight: number,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when one of these changed, and only then
  useEffect(() => {
    const first = Math.floor(top() / rowHeight);
    look(first, first + Math.ceil(viewHeight / rowHeight) + 1);
  }, [list, listVersion, viewHeight]);
}
