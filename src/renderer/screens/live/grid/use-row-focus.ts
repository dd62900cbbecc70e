/** Which row has the focus, and how the keyboard moves it (design/ui, section 9). */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { LiveSnapshot } from '../../../stores/live/snapshot.ts';
import type { LiveStream } from '../../../stores/live/stream.ts';
import { getRow } from '../../../stores/records.ts';
import type { Slots } from './slots.ts';
import type { WindowHandle } from './use-fixed-window.ts';

interface Options {
  readonly live: LiveSnapshot;
  readonly stream: Pick<LiveStream, 'reading'>;
  readonly slots: Slots;
  readonly win: WindowHandle;
  readonly layer: RefObject<HTMLElement | null>;
  readonly rowHeight: number;
  readonly selectedId: number | null;
  readonly onMoved: (id: number) => void;
}

export interface RowFocus {
  readonly focusedId: number | null;
  /** The browser focused the row: by a click or Tab. */
  readonly took: (id: number) => void;
  /** Gives a row the focus, once it is drawn. */
  readonly focusRow: (id: number) => void;
  /** Moves the focus by this many rows. Infinity goes to the oldest. */
  readonly move: (rows: number) => void;
}

export function useRowFocus({ live, stream, slots, win, layer, rowHeight, selectedId, onMoved }: Options): RowFocus {
  const [focusedId, setFocusedId] = useState<number | null>(null);
  const focusRow = useFocusOnceDrawn(layer, setFocusedId);
  /** The position that the keyboard went to before its row was fetched. */
  const wantPosition = useRef<number | null>(null);

  /** Focuses the row at a position, at once or when it is fetched. */
  const arriveAt = (position: number) => {
    const id = live.list.idAt(position);
    const there = id !== undefined && getRow(id) !== undefined;
    wantPosition.current = there ? null : position;
    if (!there) return;
    focusRow(id);
    onMoved(id);
  };
  const move = (rows: number) => {
    const from = live.list.positionOf(focusedId ?? selectedId ?? 0);
    const firstOnScreen = slots.positionNear(Math.ceil(win.top() / rowHeight));
    const wanted = from === undefined && Number.isFinite(rows) ? firstOnScreen : (from ?? 0) + rows;
    const position = Math.max(0, Math.min(live.count - 1, wanted));
    stream.reading({ keyboardFocus: true });
    win.reveal(slots.ofPosition(position));
    arriveAt(position);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that came may hold the one that is waited for
  useEffect(() => {
    if (wantPosition.current !== null) arriveAt(Math.min(wantPosition.current, live.count - 1));
  }, [live.list, live.listVersion]);
  return { focusedId, took: setFocusedId, focusRow, move };
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
