import { useState, useSyncExternalStore } from 'react';
import gridCss from '../../../components/grid-row.module.css';
import { cx } from '../../../lib/cx.ts';
import type { Selection } from '../../../stores/live/selection.ts';
import type { ListView } from '../../../stores/live/snapshot.ts';
import css from '../live.module.css';
import { CellPool } from './cell-pool.ts';
import type { Layout } from './columns.ts';
import { MessageRowView, PlaceholderRow } from './message-row.tsx';
import type { Slots } from './slots.ts';

/** The rows and day lines of these slots, each at its place in the layer. */
export function DrawnRows({
  drawn,
  slots,
  list,
  base,
  rowHeight,
  layout,
  openId,
  selection,
  tabId,
}: {
  drawn: readonly number[];
  slots: Slots;
  list: ListView;
  /** The slot at the top of the layer. */
  base: number;
  rowHeight: number;
  layout: Layout;
  openId: number | null;
  selection: Selection;
  /** The only row that Tab reaches. */
  tabId: number | null;
}) {
  const [pool] = useState(() => new CellPool());
  const picked = useSyncExternalStore(selection.subscribe, selection.snapshot);
  const cells = pool.assign(drawn.map((slot) => keyOf(slot, slots, list)));
  return drawn.map((slot, i) => {
    const at = slots.at(slot);
    const y = (slot - base) * rowHeight;
    if (at.kind === 'day') return <DayRow key={`d${cells[i]}`} day={at.day} y={y} />;
    const id = list.idAt(at.position);
    const index = at.position + 1;
    if (id === undefined) return <PlaceholderRow key={cells[i]} y={y} index={index} layout={layout} />;
    return (
      <MessageRowView
        key={cells[i]}
        id={id}
        index={index}
        y={y}
        layout={layout}
        open={id === openId}
        selected={picked.has(id)}
        tabbable={id === tabId}
        dimmed={list.isUnmatched(id)}
        entered={list.justEntered(id)}
      />
    );
  });
}

function keyOf(slot: number, slots: Slots, list: ListView): string {
  const at = slots.at(slot);
  if (at.kind === 'day') return `day ${slot}`;
  return String(list.idAt(at.position) ?? `slot ${slot}`);
}

/** A new day begins below this line. Hidden from screen readers, because each row names its day. */
function DayRow({ day, y }: { day: string; y: number }) {
  return (
    <div className={cx(gridCss.row, css.row, css.day)} style={{ transform: `translateY(${y}px)` }} aria-hidden="true">
      <span>{day}</span>
    </div>
  );
}
