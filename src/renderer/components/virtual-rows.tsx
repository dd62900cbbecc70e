import { type ReactNode, useEffect, useRef, useState } from 'react';
import { cx } from '../lib/cx.ts';
import { RowGroup, Table } from './table-parts.tsx';
import css from './virtual-rows.module.css';

/** Rows drawn above and below those in sight. */
const AROUND = 12;
/** Taken until the height is known. */
const FIRST_HEIGHT = 640;

/** A scrolled table of which only the rows in sight are drawn. Asks for more near its end. */
export function VirtualRows({
  label,
  count,
  total,
  rowHeight,
  head,
  row,
  more,
  after,
  className,
  onRange,
}: {
  label: string;
  /** Rows that are there. */
  count: number;
  /** Rows of the whole list, for screen readers. */
  total: number;
  rowHeight: number;
  head: ReactNode;
  row: (index: number) => ReactNode;
  more: (() => void) | null;
  /** Stands under the last row. */
  after?: ReactNode;
  className?: string;
  /** Told which rows are drawn, the last one excluded. */
  onRange?: (first: number, last: number) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: FIRST_HEIGHT });
  useEffect(() => {
    const element = box.current;
    if (element === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setView({ top: element.scrollTop, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - AROUND);
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + AROUND);
  useEffect(() => {
    if (more !== null && last >= count) more();
  }, [more, last, count]);
  useEffect(() => onRange?.(first, last), [onRange, first, last]);
  return (
    <Table aria-label={label} aria-rowcount={total + 1} className={cx(css.table, className)}>
      {head}
      <RowGroup
        ref={box}
        className={css.scroller}
        tabIndex={0}
        onScroll={(event) =>
          setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight || FIRST_HEIGHT })
        }
      >
        <div role="none" style={{ height: first * rowHeight }} />
        {Array.from({ length: Math.max(0, last - first) }, (_, i) => row(first + i))}
        <div role="none" style={{ height: Math.max(0, count - last) * rowHeight }} />
        {after}
      </RowGroup>
    </Table>
  );
}
