import { EyeOff, Inbox } from 'lucide-react';
import { type Ref, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import layoutCss from '../../components/layout.module.css';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { scrollbarWidth } from '../../lib/scrollbar.ts';
import { isEmpty } from '../../stores/live/filter.ts';
import { ROW_HEIGHTS, useLivePreferences } from '../../stores/live/preferences.ts';
import type { LiveRows, LiveSnapshot } from '../../stores/live/snapshot.ts';
import { liveStream, useLive } from '../../stores/live/store.ts';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type Layout, layoutOf } from './grid/columns.ts';
import type { RowAt } from './grid/grid-events.ts';
import { type GridHandle, MessageGrid } from './grid/message-grid.tsx';
import { SkeletonRow } from './grid/message-row.tsx';
import liveCss from './live.module.css';
import css from './message-list.module.css';
import { Strips, stripHeight } from './new-rows-strip.tsx';
import { NoMatch } from './no-match.tsx';
import { RowMenu } from './row-menu.tsx';
import { StateChips } from './state-chips.tsx';
import { TableHead } from './table-head.tsx';

const SKELETON_ROWS = 12;
/** Of the rows, in px, until they are measured, and of the scroll bar beside them. */
const UNKNOWN = { width: 720, bar: 0 };

/** Filter, chips, table header, strips and rows. */
export function MessageList({
  selectedId,
  onOpen,
  onMoved,
  grid,
  field,
}: {
  selectedId: number | null;
  onOpen: (id: number, enter: boolean) => void;
  onMoved: (id: number) => void;
  grid: Ref<GridHandle>;
  field: Ref<HTMLInputElement>;
}) {
  const live = useLive();
  const { columns: chosen, widths, density } = useLivePreferences();
  const [menu, setMenu] = useState<RowAt | null>(null);
  const [{ width, bar }, setRoom] = useState(UNKNOWN);
  const list = useRef<HTMLElement>(null);
  // Before there are rows, as if they had a scroll bar: most often they do, and then they are laid out once.
  useLayoutEffect(() => {
    const room = { width: (list.current?.clientWidth ?? 0) - scrollbarWidth(), bar: scrollbarWidth() };
    if (room.width > 0) setRoom((before) => (before === UNKNOWN ? room : before));
  }, []);
  const onWidth = useCallback((rows: number, bar: number) => {
    if (rows > 0) setRoom({ width: rows, bar });
  }, []);
  const rows = useRows(live);
  const layout = useMemo(() => layoutOf(width, chosen, widths), [width, chosen, widths]);
  return (
    <section ref={list} className={cx(css.list, layoutCss.column)} aria-label="Messages">
      <FilterBar live={live} shown={layout.columns} field={field} />
      <StateChips live={live} />
      <TableHead layout={layout} bar={bar} />
      <Strips live={live} />
      <ListBody live={live} layout={layout}>
        <MessageGrid
          live={rows}
          stream={liveStream}
          strip={stripHeight(live)}
          layout={layout}
          rowHeight={ROW_HEIGHTS[density]}
          selectedId={selectedId}
          selection={liveStream.selection}
          onOpen={onOpen}
          onMenu={setMenu}
          onMoved={onMoved}
          onWidth={onWidth}
          handle={grid}
        />
      </ListBody>
      {menu !== null && <RowMenu key={menu.id} at={menu} onOpen={onOpen} onClose={() => setMenu(null)} />}
      <BulkBar live={live} />
      <News />
    </section>
  );
}

/** The same object as long as none of it changes, so that a key of the filter does not draw the rows again. */
const useRows = ({ list, listVersion, mode, count, matching }: LiveSnapshot): LiveRows =>
  useMemo(() => ({ list, listVersion, mode, count, matching }), [list, listVersion, mode, count, matching]);

function ListBody({ live, layout, children }: { live: LiveSnapshot; layout: Layout; children: React.ReactNode }) {
  if (live.phase === 'loading') return <Loading live={live} layout={layout} />;
  if (live.count > 0) return children;
  if (live.hidden > 0) {
    return (
      <EmptyState
        icon={EyeOff}
        title="You have hidden every message of this list."
        actions={<Button onClick={() => liveStream.unhide()}>Show {plural(live.hidden, 'message')}</Button>}
      >
        Nothing was deleted.
      </EmptyState>
    );
  }
  if (!isEmpty(live.read) && live.cleared === 0) return <NoMatch live={live} />;
  if (live.cleared > 0) {
    return (
      <EmptyState
        icon={Inbox}
        title="The list was cleared."
        actions={
          <Button onClick={() => liveStream.unclear()}>
            Show {live.cleared === 1 ? '1 message' : `${formatCount(live.cleared)} messages`}
          </Button>
        }
      >
        New messages appear here. Nothing was deleted.
      </EmptyState>
    );
  }
  return <EmptyState icon={Inbox} title="No messages." />;
}

function Loading({ live, layout }: { live: LiveSnapshot; layout: Layout }) {
  if (live.failure !== null) {
    return (
      <EmptyState title="Could not read the messages.">
        {live.failure.message} Hookbench tries again by itself.
      </EmptyState>
    );
  }
  return (
    <div className={liveCss.skeleton} aria-busy="true" style={{ '--cols': layout.template } as React.CSSProperties}>
      {Array.from({ length: SKELETON_ROWS }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <SkeletonRow key={i} layout={layout} />
      ))}
    </div>
  );
}

/** Announces new messages to screen readers, at most every ten seconds. The list itself is silent. */
function News() {
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setInterval(() => {
      const next = liveStream.announcer.take(Date.now());
      if (next !== null) setText(next);
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
}
