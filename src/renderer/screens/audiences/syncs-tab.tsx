import { useState } from 'react';
import type { AudienceRow, SyncListRow, SyncRow } from '../../../contract/audiences.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Glyph } from '../../components/glyph.tsx';
import layoutCss from '../../components/layout.module.css';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';
import { HeadCell, TableCell, TableRow } from '../../components/table-parts.tsx';
import tableCss from '../../components/table-rows.module.css';
import toneCss from '../../components/tone.module.css';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatIso } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { useNow } from '../../stores/ticker.ts';
import { usePages } from '../../stores/use-pages.ts';
import { Failed } from './pending-tab.tsx';
import { ReloadStrip } from './reload-strip.tsx';
import { syncGlyph } from './sync-glyph.ts';
import css from './syncs-tab.module.css';
import { keptText, syncName, syncRoute, whenText } from './words.ts';

const WINDOW = 100;
const ROW_HEIGHT = 32;

/** The syncs that are kept, each with its ledger: expected is delivered, failed and waiting together. */
export function SyncsTab({ audience }: { audience: AudienceRow }) {
  const { id, lastSync, syncs, counts } = audience;
  const now = useNow();
  const [kept, setKept] = useState<number | null>(null);
  const pages = usePages<SyncListRow>(String(id), `${lastSync?.id} ${lastSync?.state}`, async (after) => {
    const before = after === undefined ? undefined : Number(after);
    const page = await call('audiences.syncs', { id, before, limit: WINDOW });
    setKept(page.total);
    return { rows: page.rows, next: page.nextBefore === null ? null : String(page.nextBefore) };
  });
  if (pages.state === 'failed') return <Failed onAgain={pages.reload} />;
  if (syncs === 0) {
    return (
      <EmptyState title="Not synced yet.">
        {`The first sync sends ${formatCount(counts.members)} ${counts.members === 1 ? 'call' : 'calls'}.`}
      </EmptyState>
    );
  }
  if (pages.state === 'loading') return <SkeletonRows rowHeight={ROW_HEIGHT} />;
  return (
    <>
      <VirtualRows
        label="Syncs"
        className={css.syncs}
        count={pages.rows.length}
        total={kept ?? syncs}
        rowHeight={ROW_HEIGHT}
        more={pages.more}
        head={<SyncsHead />}
        row={(index) => {
          const row = pages.rows[index]!;
          // The newest one is as live as the list.
          return <Sync key={row.id} sync={row.id === lastSync?.id ? lastSync : row} index={index} now={now} />;
        }}
      />
      {kept !== null && kept < syncs && <p className={cx('muted small', css.note)}>{keptText(kept, syncs)}</p>}
      <ReloadStrip pages={pages} />
    </>
  );
}

const COLUMNS = ['Expected', 'Delivered', 'Failed', 'Waiting'] as const;

const SyncsHead = () => (
  <TableRow className={cx(tableCss.head, css.row)}>
    <HeadCell>
      <span className="visually-hidden">State</span>
    </HeadCell>
    <HeadCell>Sync</HeadCell>
    <HeadCell>Started</HeadCell>
    {COLUMNS.map((name) => (
      <HeadCell key={name} className={layoutCss.right}>
        {name}
      </HeadCell>
    ))}
  </TableRow>
);

function Sync({ sync, index, now }: { sync: SyncRow; index: number; now: number }) {
  const { expected, delivered, failed, waiting } = sync.ledger;
  const { glyph, word } = syncGlyph(sync);
  const number = cx(layoutCss.right);
  return (
    <TableRow className={cx(tableCss.row, css.row)} aria-rowindex={index + 2}>
      <TableCell title={word}>
        <Glyph name={glyph} />
        <span className="visually-hidden">{word}</span>
      </TableCell>
      <TableCell className={cx('ellipsis', sync.kind === 'first' && 'medium')}>
        <a className={css.link} href={syncRoute(sync)}>
          {syncName(sync)}
        </a>
      </TableCell>
      <TableCell className="secondary ellipsis" title={formatIso(sync.startedAt)}>
        {whenText(sync.startedAt, now)}
      </TableCell>
      <TableCell className={number}>{expected === null ? '' : formatCount(expected)}</TableCell>
      <TableCell className={number}>{formatCount(delivered)}</TableCell>
      <TableCell className={cx(number, failed > 0 ? toneCss.bad : 'muted')}>{formatCount(failed)}</TableCell>
      <TableCell className={cx(number, waiting === 0 && 'muted')}>{formatCount(waiting)}</TableCell>
    </TableRow>
  );
}
