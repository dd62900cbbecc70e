/** Which row has the focus, and how the keyboard moves it (design/ui, section 9). */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { WindowHandle } from '../../../lib/use-fixed-window.ts';
import type { Selection } from '../../../stores/live/selection.ts';
import type { LiveRows } from '../../../stores/live/snapshot.ts';
import type { LiveStream } from '../../../stores/live/stream.ts';
import { getRow } from '../../../stores/records.ts';
import type { Slots } from './slots.ts';

interface Options {
  readonly live: LiveRows;
  readonly stream: Pick<LiveStream, 'reading'>;
  readonly slots: Slots;
  readonly win: WindowHandle;
  readonly layer: RefObject<HTMLElement | null>;
  readonly rowHeight: number;
  readonly selectedId: number | null;
  readonly selection: Selection;
  readonly onMoved: (id: number) => void;
}

export interface RowFocus {
  readonly focusedId: number | null;
  /** The browser focused the row: by a click or Tab. */
  readonly took: (id: number) => void;
  /** Gives a row the focus, once it is drawn. */
  readonly focusRow: (id: number) => void;
  /** Moves the focus by this many rows. Infinity goes to the oldest. `extend` selects the rows on the way. */
  readonly move: (rows: number, extend?: boolean) => void;
  /** Shows the row at this position and gives it the focus. */
  readonly goTo: (position: number) => void;
}

export function useRowFocus(options: Options): RowFocus {
  const { live, stream, slots, win, layer, rowHeight, selectedId, selection, onMoved } = options;
  const [focusedId, setFocusedId] = useState<number | null>(null);
  const focusRow = useFocusOnceDrawn(layer, setFocusedId);
  /** Where the keyboard went before the row was fetched. */
  const wanted = useRef<{ position: number; extendFrom: number | null } | null>(null);

  /** Focuses the row at a position, at once or when it is fetched. */
  const arriveAt = (position: number, extendFrom: number | null) => {
    const id = live.list.idAt(position);
    const there = id !== undefined && getRow(id) !== undefined;
    wanted.current = there ? null : { position, extendFrom };
    if (!there) return;
    focusRow(id);
    if (extendFrom === null) selection.anchorAt(id);
    else selection.extendTo(id, extendFrom);
    onMoved(id);
  };
  const goTo = (position: number, extendFrom: number | null = null) => {
    stream.reading({ keyboardFocus: true });
    win.reveal(slots.ofPosition(position));
    arriveAt(position, extendFrom);
  };
  const move = (rows: number, extend = false) => {
    const from = live.list.positionOf(focusedId ?? selectedId ?? 0);
    const firstOnScreen = slots.positionNear(Math.ceil(win.top() / rowHeight));
    const to = from === undefined && Number.isFinite(rows) ? firstOnScreen : (from ?? 0) + rows;
    const position = Math.max(0, Math.min(live.count - 1, to));
    goTo(position, extend ? (focusedId ?? selectedId ?? live.list.idAt(position) ?? null) : null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that came may hold the one that is waited for
  useEffect(() => {
    if (wanted.current !== null) arriveAt(Math.min(wanted.current.position, live.count - 1), wanted.current.extendFrom);
  }, [live.list, live.listVersion]);
  return { focusedId, took: setFocusedId, focusRow, move, goTo };
}

function useFocusOnceDrawn(layer: Options['layer'], focused: (id: number) => void): (id: number) => void {
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const row = layer.current?.querySelector<HTMLElement>(`[data-id="${wanted.current}"]`);
    if (row === null || row === undefined) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });
  return (id) => {
    focused(id);
    wanted.current = id;
  };
}
