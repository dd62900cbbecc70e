import { useState } from 'react';
import type { AudienceRow, SyncListRow, SyncRow } from '../../../../contract/audiences.ts';
import { Button } from '../../../components/button.tsx';
import { Seg } from '../../../components/controls.tsx';
import { Glyph } from '../../../components/glyph.tsx';
import layoutCss from '../../../components/layout.module.css';
import { SkeletonRows } from '../../../components/skeleton-rows.tsx';
import { HeadCell, Table, TableCell, TableRow } from '../../../components/table-parts.tsx';
import tableCss from '../../../components/table-rows.module.css';
import { Text } from '../../../components/text.tsx';
import toneCss from '../../../components/tone.module.css';
import { cx } from '../../../lib/cx.ts';
import { formatClock, formatCount, formatDateTime, sameDay, upperFirst } from '../../../lib/format.ts';
import { call } from '../../../platform/connect.ts';
import { useRecords } from '../../../stores/records.ts';
import { useNow } from '../../../stores/ticker.ts';
import { usePages } from '../../../stores/use-pages.ts';
import { Failed } from '../pending-tab.tsx';
import { syncGlyph } from '../sync-glyph.ts';
import { keptText, syncName, syncRoute, whenText } from '../words.ts';
import css from './sync-history.module.css';

const WINDOW = 50;
const ROW_HEIGHT = 32;
type Whose = 'this' | 'all';

/** The syncs of this audience, or of all audiences and traits, each with its ledger. */
export function SyncHistory({ audience, shown }: { audience: AudienceRow; shown: SyncRow }) {
  const [whose, setWhose] = useState<Whose>('this');
  const newest = useNewest();
  const own = audience.kind === 'trait' ? 'trait' : 'audience';
  const [total, setTotal] = useState<number | null>(null);
  const [kept, setKept] = useState<number | null>(null);
  const id = whose === 'this' ? audience.id : undefined;
  const version = [...newest.values()].map((sync) => `${sync.id} ${sync.state}`).join();
  const pages = usePages<SyncListRow>(whose === 'this' ? String(audience.id) : whose, version, async (after) => {
    const before = after === undefined ? undefined : Number(after);
    const page = await call('audiences.syncs', { id, before, limit: WINDOW });
    if (id === undefined) setTotal(page.total);
    else setKept(page.total);
    return { rows: page.rows, next: page.nextBefore === null ? null : String(page.nextBefore) };
  });
  return (
    <section className={css.history} aria-label="Sync history">
      <header className={css.head}>
        <h3>Sync history</h3>
        <span className="spacer" />
        <Seg<Whose>
          label="Whose syncs"
          value={whose}
          options={[
            {
              value: 'this',
              label: `This ${own}`,
              extra: formatCount(audience.syncs),
            },
            { value: 'all', label: total === null ? 'All' : `All ${formatCount(total)}` },
          ]}
          onChange={setWhose}
        />
      </header>
      {pages.state === 'failed' ? (
        <Failed onAgain={pages.reload} />
      ) : pages.state === 'loading' ? (
        <SkeletonRows rowHeight={ROW_HEIGHT} />
      ) : (
        <Table aria-label="Syncs">
          <Head of={whose === 'all' ? 'Audience or trait' : upperFirst(own)} />
          {pages.rows.map((row) => (
            <Row
              key={row.id}
              row={{ ...row, ...(row.id === shown.id ? shown : newest.get(row.id)) }}
              isShown={row.id === shown.id}
            />
          ))}
        </Table>
      )}
      {whose === 'this' && kept !== null && kept < audience.syncs && (
        <p className={cx('muted small', css.note)}>{keptText(kept, audience.syncs)}</p>
      )}
      {pages.more !== null && (
        <div className={css.more}>
          <Button size="sm" variant="ghost" onClick={pages.more}>
            Show more
          </Button>
        </div>
      )}
    </section>
  );
}

/** The newest sync of each audience and trait by its id: as live as the list. */
function useNewest(): ReadonlyMap<number, SyncRow> {
  const view = useRecords((state) => state.audiences);
  const rows = [...(view?.audiences ?? []), ...(view?.traits ?? [])];
  return new Map(rows.flatMap(({ lastSync }) => (lastSync === null ? [] : [[lastSync.id, lastSync]])));
}

const Head = ({ of }: { of: string }) => (
  <TableRow className={cx(tableCss.head, css.row)}>
    <HeadCell>
      <span className="visually-hidden">State</span>
    </HeadCell>
    <HeadCell>{of}</HeadCell>
    <HeadCell>Sync</HeadCell>
    <HeadCell>Started</HeadCell>
    {['Expected', 'Delivered', 'Failed', 'Waiting'].map((name) => (
      <HeadCell key={name} className={layoutCss.right}>
        {name}
      </HeadCell>
    ))}
  </TableRow>
);

function Row({ row, isShown }: { row: SyncListRow; isShown: boolean }) {
  const now = useNow();
  const { expected, delivered, failed, waiting } = row.ledger;
  const { glyph, word } = syncGlyph(row);
  const started = sameDay(row.startedAt, now)
    ? formatClock(row.startedAt).slice(0, 5)
    : whenText(row.startedAt, now).split(',')[0];
  return (
    <TableRow className={cx(tableCss.row, css.row, isShown && css.shown)} aria-current={isShown || undefined}>
      <TableCell title={word}>
        <Glyph name={glyph} />
        <span className="visually-hidden">{word}</span>
      </TableCell>
      <TableCell className={cx('ellipsis', isShown && 'medium')} title={row.audienceName}>
        <Text>{row.audienceName}</Text>
      </TableCell>
      <TableCell className="ellipsis">
        <a
          className={css.link}
          href={syncRoute(row, row.kindOfAudience === 'trait')}
          aria-label={`${syncName(row)} of ${row.audienceName}`}
        >
          {syncName(row)}
        </a>
      </TableCell>
      <TableCell className="secondary ellipsis" title={formatDateTime(row.startedAt)}>
        {started}
      </TableCell>
      <TableCell className={layoutCss.right}>{expected === null ? '' : formatCount(expected)}</TableCell>
      <TableCell className={layoutCss.right}>{formatCount(delivered)}</TableCell>
      <TableCell className={cx(layoutCss.right, failed > 0 ? cx(toneCss.bad, css.failed) : 'muted')}>
        {formatCount(failed)}
      </TableCell>
      <TableCell className={cx(layoutCss.right, waiting === 0 && 'muted')}>{formatCount(waiting)}</TableCell>
    </TableRow>
  );
}
