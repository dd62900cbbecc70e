import { memo, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { useFixedWindow } from '../../../lib/use-fixed-window.ts';
import type { Selection } from '../../../stores/live/selection.ts';
import type { ListView, LiveRows } from '../../../stores/live/snapshot.ts';
import type { LiveStream } from '../../../stores/live/stream.ts';
import liveCss from '../live.module.css';
import type { Layout } from './columns.ts';
import { DrawnRows } from './drawn-rows.tsx';
import { gridEvents, type RowAt } from './grid-events.ts';
import css from './message-grid.module.css';
import { type Slots, slotOf, useSlots } from './slots.ts';
import { useLookAgain, useLooking } from './use-looking.ts';
import { useAnchor, useLastPlace } from './use-place.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useTextSelection } from './use-text-selection.ts';

export interface GridHandle {
  /** Focuses the selected or first row. */
  focus(): void;
  /** Moves the focused row by so many rows. */
  move(rows: number): void;
  /** Shows and focuses the row at this position. */
  goTo(position: number): void;
  readonly focusedId: () => number | null;
}

interface GridProps {
  readonly live: LiveRows;
  /** Receives what the grid shows and what the user does in it. */
  readonly stream: Pick<LiveStream, 'look' | 'scrolled' | 'reading' | 'left' | 'leftAt'>;
  readonly layout: Layout;
  readonly rowHeight: number;
  /** Height in px of the strips between the header and the rows. */
  readonly strip: number;
  readonly selectedId: number | null;
  readonly selection: Selection;
  /** A row was clicked, or Enter pressed on it (`enter`). */
  readonly onOpen: (id: number, enter: boolean) => void;
  readonly onMenu: (at: RowAt) => void;
  /** The focus moved to another row by keyboard. */
  readonly onMoved: (id: number) => void;
  /** Width of the rows and of the scroll bar beside them, in px. */
  readonly onWidth: (rows: number, bar: number) => void;
  readonly handle: Ref<GridHandle>;
}

/** The rows of the list on screen. */
export const MessageGrid = memo(function MessageGrid(props: GridProps) {
  const { live, stream, layout, rowHeight, strip, selectedId, selection, onOpen, onMenu, onMoved, onWidth, handle } =
    props;
  const scroller = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const slots = useSlots(live);
  const { look, onScroll } = useLooking(stream, slots);
  const { count } = slots;
  const win = useFixedWindow({ scroller, layer, count, slotHeight: rowHeight, slack: strip, onScroll });
  useAnchor(live, slots, rowHeight, strip, win);
  useLastPlace(stream, win);
  useTextSelection(stream, scroller);
  useLookAgain(live, look, win, rowHeight);
  useLayoutEffect(
    () => onWidth(win.viewWidth, (scroller.current?.offsetWidth ?? 0) - win.viewWidth),
    [win.viewWidth, onWidth],
  );
  const focus = useRowFocus({ live, stream, slots, win, layer, rowHeight, selectedId, selection, onMoved });

  const drawn = drawnSlots(win.first, win.last, slotOf(slots, live.list, focus.focusedId));
  const tabId = tabbableId(focus.focusedId, selectedId, live.list, slots, drawn);
  useImperativeHandle(handle, () => ({
    focus: () => {
      if (tabId === null) return;
      const slot = slotOf(slots, live.list, tabId);
      if (slot !== undefined) win.reveal(slot);
      focus.focusRow(tabId);
    },
    move: focus.move,
    goTo: focus.goTo,
    focusedId: () => focus.focusedId,
  }));
  const pageRows = Math.max(1, Math.floor(win.viewHeight / rowHeight) - 1);
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed freely, a table cannot
    <div
      ref={scroller}
      className={css.scroll}
      role="grid"
      aria-label="Messages"
      aria-rowcount={live.matching ?? -1}
      aria-multiselectable="true"
      aria-readonly="true"
      data-region="list"
      {...gridEvents({ focus, stream, selection, openId: selectedId, pageRows, onOpen, onMenu })}
    >
      <div style={{ height: win.height }}>
        <div className={liveCss.view} style={{ height: Math.min(win.viewHeight, win.height) }}>
          <div
            ref={layer}
            data-base={win.base}
            style={{ '--cols': layout.template, '--row': `${rowHeight}px` } as React.CSSProperties}
          >
            <DrawnRows
              drawn={drawn}
              slots={slots}
              list={live.list}
              base={win.base}
              rowHeight={rowHeight}
              layout={layout}
              openId={selectedId}
              selection={selection}
              tabId={tabId}
            />
          </div>
        </div>
      </div>
    </div>
  );
});

/** The window's slots, and the focused row wherever it is, so that the focus is not lost. */
function drawnSlots(first: number, last: number, focused: number | undefined): number[] {
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  if (focused !== undefined && (focused < first || focused >= last)) drawn.push(focused);
  return drawn;
}

/** Tab reaches a single row: the focused, else the selected, else the first drawn row. */
function tabbableId(
  focusedId: number | null,
  selectedId: number | null,
  list: ListView,
  slots: Slots,
  drawn: readonly number[],
): number | null {
  if (slotOf(slots, list, focusedId) !== undefined) return focusedId;
  const selected = slotOf(slots, list, selectedId);
  if (selected !== undefined && drawn.includes(selected)) return selectedId;
  for (const slot of drawn) {
    const at = slots.at(slot);
    const id = at.kind === 'row' ? list.idAt(at.position) : undefined;
    if (id !== undefined) return id;
  }
  return null;
}
