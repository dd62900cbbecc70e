import { memo, type ReactNode, useMemo, useRef } from 'react';
import { FINAL_STATES } from '../../../../contract/names.ts';
import type { MessageRow, SourceView } from '../../../../contract/values.ts';
import { HookCells, StateText } from '../../../components/glyph.tsx';
import gridCss from '../../../components/grid-row.module.css';
import layoutCss from '../../../components/layout.module.css';
import { Text } from '../../../components/text.tsx';
import { TypeLabel } from '../../../components/type-icon.tsx';
import { wallTime } from '../../../lib/clock.ts';
import { cx } from '../../../lib/cx.ts';
import {
  formatDay,
  formatExactSize,
  formatIso,
  formatSize,
  formatTime,
  sameDay,
  shortId,
} from '../../../lib/format.ts';
import { userText } from '../../../lib/words/calls.ts';
import { cellsSentence } from '../../../lib/words/cells.ts';
import { rejectText } from '../../../lib/words/rejections.ts';
import { notSelectedText } from '../../../lib/words/selection.ts';
import { stateSentence } from '../../../lib/words/states.ts';
import { useRecords, useRow } from '../../../stores/records.ts';
import liveCss from '../live.module.css';
import type { Column, Layout } from './columns.ts';
import css from './message-row.module.css';

/** Longer than the widest row shows and than a tooltip should be. */
const MAX_NAME = 300;
const MAX_TITLE = 500;

export interface MessageRowProps {
  readonly id: number;
  /** From 1, as `aria-rowindex` counts. */
  readonly index: number;
  /** Distance from the top of the layer, in px. */
  readonly y: number;
  readonly layout: Layout;
  /** It is shown in the detail. */
  readonly open: boolean;
  /** It is among the messages that the bulk bar acts on. */
  readonly selected: boolean;
  /** The only row of the list that Tab reaches. */
  readonly tabbable: boolean;
  /** It no longer matches the filter. */
  readonly dimmed: boolean;
  /** It entered at the top a moment ago. */
  readonly entered: boolean;
}

/** One message. While its content is fetched again, the old content stays. */
export const MessageRowView = memo(function MessageRowView(props: MessageRowProps) {
  const { id, index, y, layout, open, selected, tabbable, dimmed, entered } = props;
  const cached = useRow(id);
  const last = useRef<MessageRow | undefined>(undefined);
  if (cached !== undefined) last.current = cached;
  const row = last.current?.id === id ? last.current : undefined;
  const sentence = useMemo(() => (row === undefined ? '' : rowSentence(row)), [row]);
  if (row === undefined) return <PlaceholderRow y={y} index={index} layout={layout} />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed freely, a table cannot
    <div
      role="row"
      className={cx(
        gridCss.row,
        liveCss.row,
        liveCss.columns,
        dimmed && liveCss.dimmed,
        row.state === 'not_selected' && liveCss.deselected,
      )}
      style={{ transform: `translateY(${y}px)` }}
      data-id={id}
      aria-rowindex={index}
      aria-current={open ? 'true' : undefined}
      aria-selected={selected}
      aria-label={sentence}
      tabIndex={tabbable ? 0 : -1}
    >
      {entered && <span key={id} className={css.arrived} role="none" />}
      <Cells row={row} layout={layout} open={open} />
    </div>
  );
});

/** Separate from the row, whose position and index change with every arrival. */
const Cells = memo(function Cells({ row, layout, open }: { row: MessageRow; layout: Layout; open: boolean }) {
  const source = useRecords((state) => state.sources.find((one) => one.id === row.sourceId));
  return layout.columns.map((column) => (
    // biome-ignore lint/a11y: a row is the stop for keys, its cells are not; a table cannot be placed freely
    <span
      key={column}
      role="gridcell"
      className={CELL_CLASS[column]}
      data-checkbox={column === 'type' ? '' : undefined}
      title={cellTitle(column, row, source)}
    >
      {cellContent(column, row, source, layout, open)}
    </span>
  ));
});

const CELL_CLASS: Record<Column, string | undefined> = {
  received: 'mono secondary',
  type: css.type,
  event: cx('ellipsis', liveCss.event),
  user: 'mono secondary ellipsis',
  source: 'secondary ellipsis',
  size: cx('secondary', layoutCss.right),
  round: cx('secondary', layoutCss.right),
  messageId: 'mono secondary ellipsis',
  hooks: css.hooks,
  state: 'ellipsis',
};

function cellContent(
  column: Column,
  row: MessageRow,
  source: SourceView | undefined,
  { tight, stateWidth }: Layout,
  open: boolean,
): ReactNode {
  switch (column) {
    case 'received': {
      const time = formatTime(row.receivedAt);
      return (
        <>
          {time.slice(0, 8)}
          {!tight && <span className="muted">{time.slice(8)}</span>}
        </>
      );
    }
    case 'type':
      return <TypeLabel type={row.type} tight={tight} />;
    case 'event':
      return row.name === '' ? <span className="muted">No name</span> : <Text>{row.name.slice(0, MAX_NAME)}</Text>;
    case 'user':
      return <Text ltr>{userText(row)}</Text>;
    case 'source':
      return source === undefined ? <span className="muted">none</span> : <Text>{source.name}</Text>;
    case 'size':
      return formatSize(row.size);
    case 'round':
      return row.round === 0 ? '' : String(row.round);
    case 'messageId':
      return <Text ltr>{shortId(row.messageId)}</Text>;
    case 'hooks':
      // In the colours of the detail beside it.
      return <HookCells cells={row.cells} quiet={row.state === 'delivered' && !open} />;
    case 'state':
      return <StateText row={row} width={stateWidth} />;
  }
}

/** The full text of a cell that may be cut. */
function cellTitle(column: Column, row: MessageRow, source: SourceView | undefined): string | undefined {
  switch (column) {
    case 'received':
      return formatIso(row.receivedAt);
    case 'type':
      return row.type;
    case 'event':
      return row.name.slice(0, MAX_TITLE);
    case 'user':
      return userTitle(row);
    case 'source':
      return source?.name;
    case 'size':
      return formatExactSize(row.size);
    case 'messageId':
      return row.messageId;
    case 'state':
      if (row.state === 'rejected') return rejectText(row.reason, row.reasonDetail);
      if (row.state === 'not_selected') return notSelectedText(row.reason, source?.name ?? null, row.notes);
      return undefined;
    default:
      return undefined;
  }
}

const userTitle = (row: MessageRow): string | undefined =>
  row.userId ?? (row.anonymousId === null ? undefined : `anonymousId ${row.anonymousId}`);

/** A row for a screen reader. */
function rowSentence(row: MessageRow): string {
  const { clock } = useRecords.getState();
  const at = sameDay(row.receivedAt, Date.now())
    ? formatTime(row.receivedAt)
    : `${formatDay(row.receivedAt)}, ${formatTime(row.receivedAt)}`;
  const user = userText(row);
  const next = row.state === 'retrying' && row.nextDueAt !== null ? wallTime(clock, row.nextDueAt) : null;
  const hooks = FINAL_STATES.has(row.state) && /^\.*$/.test(row.cells) ? '' : ` ${cellsSentence(row.cells)}.`;
  return `${at}, ${row.type}, ${row.name.slice(0, MAX_NAME)}${user === '' ? '' : `, user ${user}`}, ${stateSentence(row, next)}.${hooks}`;
}

/** Placeholder for a row that is being fetched. `index` as in a row. */
export function PlaceholderRow({ y, index, layout }: { y: number; index: number; layout: Layout }) {
  return (
    // biome-ignore lint/a11y: as the rows it stands for
    <div
      role="row"
      className={cx(gridCss.row, liveCss.row, liveCss.columns)}
      style={{ transform: `translateY(${y}px)` }}
      aria-rowindex={index}
      aria-busy="true"
      aria-label="Loading"
    >
      {layout.columns.map((column) => (
        // biome-ignore lint/a11y: as the cells it stands for
        <span key={column} role="gridcell" className={css.bone} />
      ))}
    </div>
  );
}

/** One of the rows shown before anything is known. */
export const SkeletonRow = ({ layout }: { layout: Layout }) => (
  <div className={cx(gridCss.row, liveCss.row, liveCss.columns)}>
    {layout.columns.map((column) => (
      <span key={column} className={css.bone} />
    ))}
  </div>
);
