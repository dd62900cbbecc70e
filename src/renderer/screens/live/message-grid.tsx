import {
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { formatDay } from '../../lib/format.ts';
import type { LiveSnapshot } from '../../stores/live/snapshot.ts';
import { liveStream } from '../../stores/live/store.ts';
import { getRow } from '../../stores/records.ts';
import { CellPool } from './cells.ts';
import type { Layout } from './columns.ts';
import { MessageRowView, PlaceholderRow } from './message-row.tsx';
import { Slots } from './slots.ts';
import { useFixedWindow, type WindowScroll } from './use-fixed-window.ts';
import { useAnchor, useLastPlace } from './use-place.ts';
import { useTextSelection } from './use-text-selection.ts';

/** A scroll older than this says nothing of where the list is going, in milliseconds. */
const STANDS_AFTER_MS = 150;

export interface GridHandle {
  /** Focuses the selected or first row. */
  focus(): void;
  /** Moves the focused row by so many rows. */
  move(rows: number): void;
  readonly focusedId: () => number | null;
}

/** The rows of the list on screen. */
export function MessageGrid({
  live,
  layout,
  rowHeight,
  selectedId,
  onOpen,
  onMoved,
  onWidth,
  strip,
  handle,
}: {
  live: LiveSnapshot;
  /** Height of what stands between the header and the rows, in px. */
  strip: number;
  layout: Layout;
  rowHeight: number;
  selectedId: number | null;
  /** A row was clicked, or Enter pressed on it (`enter`). */
  onOpen: (id: number, enter: boolean) => void;
  /** The focus moved to another row by keyboard. */
  onMoved: (id: number) => void;
  /** Width of the rows and of the scroll bar beside them, in px. */
  onWidth: (rows: number, bar: number) => void;
  handle: Ref<GridHandle>;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const pool = useRef(new CellPool());
  const [focusedId, setFocusedId] = useState<number | null>(null);
  /** The row to focus once it is drawn. */
  const wantFocus = useRef<number | null>(null);
  /** Where the keyboard went before the row there was fetched. */
  const wantPosition = useRef<number | null>(null);
  const slots = useSlots(live);

  const travel = useRef({ speed: 0, at: 0 });

  const look = (first: number, last: number) => {
    const from = slots.positionNear(first);
    const speed = performance.now() - travel.current.at < STANDS_AFTER_MS ? travel.current.speed : 0;
    liveStream.look({ from, to: Math.max(from, slots.positionNear(last - 1)), speed });
  };
  const win = useFixedWindow({
    scroller,
    layer,
    count: slots.count,
    slotHeight: rowHeight,
    slack: strip,
    onScroll: ({ first, last, speed, atTop }: WindowScroll) => {
      travel.current = { speed, at: performance.now() };
      liveStream.scrolled(atTop ? 0 : Math.max(1, first));
      look(first, last);
    },
  });
  useAnchor(live, slots, rowHeight, strip, win);
  useLastPlace(win);
  useTextSelection(scroller);
  useLayoutEffect(
    () => onWidth(win.viewWidth, (scroller.current?.offsetWidth ?? 0) - win.viewWidth),
    [win.viewWidth, onWidth],
  );

  // New rows or another list: the positions on screen may need other rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again whenever the list changed
  useEffect(() => {
    const first = Math.floor(win.top() / rowHeight);
    look(first, first + Math.ceil(win.viewHeight / rowHeight) + 1);
  }, [live.version, live.listVersion, win.viewHeight]);

  const slotOf = (id: number | null): number | undefined => {
    const position = id === null ? undefined : liveStream.list.positionOf(id);
    return position === undefined ? undefined : slots.ofPosition(position);
  };
  const drawn = drawnSlots(win.first, win.last, slotOf(focusedId));
  const keys = drawn.map((slot) => keyOf(slot, slots));
  const cells = pool.current.assign(keys);
  const tabId = tabbableId(focusedId, selectedId, slotOf, slots, drawn);

  const focusRow = (id: number) => {
    setFocusedId(id);
    wantFocus.current = id;
  };
  useLayoutEffect(() => {
    if (wantFocus.current === null) return;
    const row = layer.current?.querySelector<HTMLElement>(`[data-id="${wantFocus.current}"]`);
    if (row === null || row === undefined) return;
    wantFocus.current = null;
    row.focus({ preventScroll: true });
  });

  const move = (rows: number) => {
    const from = liveStream.list.positionOf(focusedId ?? selectedId ?? 0);
    const start = slots.positionNear(Math.ceil(win.top() / rowHeight));
    const wanted = from === undefined && Number.isFinite(rows) ? start : (from ?? 0) + rows;
    const position = Math.max(0, Math.min(live.count - 1, wanted));
    liveStream.reading({ keyboardFocus: true });
    win.reveal(slots.ofPosition(position));
    arriveAt(position);
  };
  /** Focuses the row at a position: at once, or when it was fetched. */
  const arriveAt = (position: number) => {
    const id = liveStream.list.idAt(position);
    const there = id !== undefined && getRow(id) !== undefined;
    wantPosition.current = there ? null : position;
    if (!there) return;
    focusRow(id);
    onMoved(id);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that came may hold the one that is waited for
  useEffect(() => {
    if (wantPosition.current !== null) arriveAt(Math.min(wantPosition.current, live.count - 1));
  }, [live.version, live.listVersion]);
  useImperativeHandle(handle, () => ({
    focus: () => {
      if (tabId === null) return;
      const slot = slotOf(tabId);
      if (slot !== undefined) win.reveal(slot);
      focusRow(tabId);
    },
    move,
    focusedId: () => focusedId,
  }));

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(win.viewHeight / rowHeight) - 1);
    const rows = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, End: Number.POSITIVE_INFINITY }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && focusedId !== null) {
      event.preventDefault();
      onOpen(focusedId, true);
    } else if (rows !== undefined) {
      event.preventDefault();
      move(rows);
    }
  };
  /** Shift and click is for rows, not for the text between them. */
  const onMouseDown = (event: MouseEvent) => {
    if (event.shiftKey) event.preventDefault();
  };
  const idUnder = (event: { target: EventTarget }): number | null => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-id]');
    return row === null ? null : Number(row.dataset.id);
  };
  const onClick = (event: MouseEvent) => {
    const id = idUnder(event);
    if (id === null || (document.getSelection()?.isCollapsed === false && event.detail > 0)) return;
    if (event.shiftKey) focusRow(id);
    else setFocusedId(id);
    onOpen(id, false);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed freely, a table cannot
    <div
      ref={scroller}
      className="lv-scroll"
      role="grid"
      aria-label="Messages"
      aria-rowcount={live.matching ?? -1}
      aria-readonly="true"
      data-region="list"
      onKeyDown={onKeyDown}
      onMouseDown={onMouseDown}
      onClick={onClick}
      onFocus={(event) => {
        const id = idUnder(event);
        if (id === null) return;
        setFocusedId(id);
        if ((event.target as HTMLElement).matches(':focus-visible')) liveStream.reading({ keyboardFocus: true });
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) liveStream.reading({ keyboardFocus: false });
      }}
    >
      <div className="lv-space" style={{ height: win.height }}>
        <div className="lv-view" style={{ height: Math.min(win.viewHeight, win.height) }}>
          <div
            ref={layer}
            data-base={win.base}
            style={{ '--cols': layout.template, '--row': `${rowHeight}px` } as React.CSSProperties}
          >
            {drawn.map((slot, i) => {
              const at = slots.at(slot);
              const y = (slot - win.base) * rowHeight;
              if (at.kind === 'day') return <DayRow key={`d${cells[i]}`} day={at.day} y={y} />;
              const id = liveStream.list.idAt(at.position);
              const index = at.position + 1;
              if (id === undefined) return <PlaceholderRow key={cells[i]} y={y} index={index} layout={layout} />;
              return (
                <MessageRowView
                  key={cells[i]}
                  id={id}
                  index={index}
                  y={y}
                  layout={layout}
                  selected={id === selectedId}
                  tabbable={id === tabId}
                  dimmed={liveStream.isUnmatched(id)}
                />
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

/** A new day begins under this line. Rows say their day themselves to screen readers. */
function DayRow({ day, y }: { day: string; y: number }) {
  return (
    <div className="tr lv-day" style={{ transform: `translateY(${y}px)` }} aria-hidden="true">
      <span>{day}</span>
    </div>
  );
}

/** Rows and dividers; made anew only when the list changed. */
function useSlots(live: LiveSnapshot): Slots {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes in place and counts its versions
  return useMemo(() => {
    const first = liveStream.list.idAt(0);
    const newest = first === undefined ? undefined : getRow(first);
    const day = newest === undefined ? null : formatDay(newest.receivedAt);
    const leading = day === null || day === formatDay(Date.now()) ? null : day;
    return new Slots(live.count, liveStream.list.breaks(), leading);
  }, [live.version, live.listVersion, live.count]);
}

/** The window's slots, and the focused row wherever it is, so that the focus is not lost. */
function drawnSlots(first: number, last: number, focused: number | undefined): number[] {
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  if (focused !== undefined && (focused < first || focused >= last)) drawn.push(focused);
  return drawn;
}

function keyOf(slot: number, slots: Slots): string {
  const at = slots.at(slot);
  if (at.kind === 'day') return `day ${slot}`;
  return String(liveStream.list.idAt(at.position) ?? `slot ${slot}`);
}

/** Tab reaches one row: the focused, else the selected, else the first that is drawn. */
function tabbableId(
  focusedId: number | null,
  selectedId: number | null,
  slotOf: (id: number | null) => number | undefined,
  slots: Slots,
  drawn: readonly number[],
): number | null {
  if (slotOf(focusedId) !== undefined) return focusedId;
  const selected = slotOf(selectedId);
  if (selected !== undefined && drawn.includes(selected)) return selectedId;
  for (const slot of drawn) {
    const at = slots.at(slot);
    const id = at.kind === 'row' ? liveStream.list.idAt(at.position) : undefined;
    if (id !== undefined) return id;
  }
  return null;
}
