import { type KeyboardEvent, memo, type PointerEvent, useRef, useState } from 'react';
import gridCss from '../../components/grid-row.module.css';
import layoutCss from '../../components/layout.module.css';
import { cx } from '../../lib/cx.ts';
import { zoneMark } from '../../lib/format.ts';
import { resetWidth, type SizedColumn, setWidth } from '../../stores/live/preferences.ts';
import { type Column, isSized, type Layout, MAX_WIDTH, MIN_WIDTHS, pxOf } from './grid/columns.ts';
import liveCss from './live.module.css';
import css from './table-head.module.css';

/** Px of one press of an arrow key. */
const STEP = 8;

export const HEADS: Record<Column, string> = {
  received: 'Received',
  type: 'Type',
  event: 'Event',
  user: 'User',
  source: 'Source',
  size: 'Size',
  round: 'Round',
  messageId: 'Message id',
  hooks: '',
  state: 'State',
};
const SLOTS = [1, 2, 3, 4, 5];

/**
 * The names of the columns, for sighted users only, because each row names all of its cells. Between them are the
 * dividers, which share one stop of the Tab key: arrows up and down go from one to the next.
 */
export const TableHead = memo(function TableHead({ layout, bar }: { layout: Layout; bar: number }) {
  const sized = layout.columns.filter(isSized);
  const [stop, setStop] = useState<SizedColumn>('received');
  const head = useRef<HTMLDivElement>(null);
  const move = (from: SizedColumn, by: number) => {
    const next = sized[sized.indexOf(from) + by];
    if (next === undefined) return;
    setStop(next);
    head.current?.querySelector<HTMLElement>(`[data-column="${next}"]`)?.focus();
  };
  const event = layout.columns.indexOf('event');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own box
    <div
      ref={head}
      className={cx(gridCss.head, liveCss.columns, liveCss.head)}
      role="group"
      aria-label="Column widths"
      style={{ '--cols': layout.template, paddingRight: 16 + bar } as React.CSSProperties}
    >
      {layout.columns.map((column, at) => (
        <span key={column} className={css.cell}>
          <HeadText column={column} tight={layout.tight} />
          {isSized(column) && (
            <Divider
              column={column}
              width={pxOf(layout, column)}
              side={at < event ? 'right' : 'left'}
              tabbable={column === (sized.includes(stop) ? stop : sized[0])}
              onFocus={() => setStop(column)}
              onMove={(by) => move(column, by)}
            />
          )}
        </span>
      ))}
    </div>
  );
});

function HeadText({ column, tight }: { column: Column; tight: boolean }) {
  if (column === 'hooks') {
    return (
      <span className={css.hookNumbers} title="Webhooks 1 to 5" aria-hidden="true">
        {SLOTS.map((n) => (
          <i key={n}>{n}</i>
        ))}
      </span>
    );
  }
  const right = column === 'size' || column === 'round';
  return (
    <span className={cx('ellipsis', css.name, right && layoutCss.right)} aria-hidden="true">
      {column === 'type' && tight ? '' : HEADS[column]}
      {column === 'received' && zoneMark()}
    </span>
  );
}

/** The edge of a column, on the side of the event column, which takes the room that the others leave. */
function Divider({
  column,
  width,
  side,
  tabbable,
  onFocus,
  onMove,
}: {
  column: SizedColumn;
  width: number;
  side: 'left' | 'right';
  tabbable: boolean;
  onFocus: () => void;
  onMove: (by: 1 | -1) => void;
}) {
  const drag = useRef<{ x: number; width: number } | null>(null);
  const choose = (px: number) => setWidth(column, Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTHS[column], px))));
  const onKeyDown = (event: KeyboardEvent) => {
    const wider = { ArrowRight: STEP, ArrowLeft: -STEP }[event.key];
    const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key as 'ArrowDown' | 'ArrowUp'];
    if (wider !== undefined) choose(width + wider);
    else if (by !== undefined) onMove(by);
    else if (event.key === 'Enter') resetWidth(column);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onPointerDown = (event: PointerEvent) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture?.(event.pointerId);
    drag.current = { x: event.clientX, width };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drag.current === null) return;
    const moved = event.clientX - drag.current.x;
    choose(drag.current.width + (side === 'right' ? moved : -moved));
  };
  const onPointerUp = () => {
    drag.current = null;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${HEADS[column]}`}
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTHS[column]}
      aria-valuemax={MAX_WIDTH}
      tabIndex={tabbable ? 0 : -1}
      data-column={column}
      className={cx(css.divider, side === 'left' ? css.left : css.right)}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDoubleClick={() => resetWidth(column)}
    />
  );
}
