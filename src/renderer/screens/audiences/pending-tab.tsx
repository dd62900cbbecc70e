import type { AudienceRow, ChangeKind, PendingRow, SyncRow } from '../../../contract/audiences.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import layoutCss from '../../components/layout.module.css';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';
import { HeadCell, TableCell, TableRow } from '../../components/table-parts.tsx';
import tableCss from '../../components/table-rows.module.css';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { TryAgain } from '../../components/try-again.tsx';
import { UserId } from '../../components/user-id.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { cx } from '../../lib/cx.ts';
import { formatClock, formatCount, formatIso, plural } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { useNow } from '../../stores/ticker.ts';
import { usePages } from '../../stores/use-pages.ts';
import { ChangeSign } from './change-sign.tsx';
import css from './pending-tab.module.css';
import { ReloadStrip } from './reload-strip.tsx';
import { useHistory } from './use-history.ts';
import { changesText, pendingCount, sentOf, syncRoute, whenText } from './words.ts';

const WINDOW = 200;
const ROW_HEIGHT = 32;

const CHANGES: Record<ChangeKind, { word: string; tone: string | undefined }> = {
  add: { word: 'Added', tone: toneCss.ok },
  remove: { word: 'Removed', tone: toneCss.bad },
  change: { word: 'Changed', tone: toneCss.warn },
};

/** Whom the next sync tells something, and the syncs before it. */
export function PendingTab({ audience, onAllSyncs }: { audience: AudienceRow; onAllSyncs: () => void }) {
  const { id, counts, lastSync } = audience;
  const pending = pendingCount(counts);
  const pages = usePages<PendingRow>(
    String(id),
    `${JSON.stringify(counts)} ${lastSync?.id} ${lastSync?.state}`,
    (after) => call('audiences.pending', { id, after, limit: WINDOW }),
  );
  const unchanged = counts.members - counts.toAdd - counts.toChange;
  return (
    <>
      {pages.state === 'failed' ? (
        <Failed onAgain={pages.reload} />
      ) : pending === 0 ? (
        <EmptyState
          title={
            counts.members > 0
              ? 'Everyone was told.'
              : lastSync === null
                ? 'No member yet.'
                : 'Nobody is in, and everyone was told.'
          }
        >
          {counts.members > 0 ? 'The next sync has nothing to send.' : 'Add members under Members.'}
        </EmptyState>
      ) : pages.state === 'loading' ? (
        <SkeletonRows rowHeight={ROW_HEIGHT} />
      ) : (
        <VirtualRows
          label="Pending changes"
          className={cx(css.pending, !pages.rows.some(({ label }) => label !== null) && css.noLabel)}
          count={pages.rows.length}
          total={pending}
          rowHeight={ROW_HEIGHT}
          more={pages.more}
          head={<PendingHead />}
          row={(index) => {
            const row = pages.rows[index]!;
            return <Pending key={row.userId} row={row} index={index} />;
          }}
          after={
            lastSync !== null &&
            pages.more === null &&
            unchanged > 0 && (
              <p className={cx('muted small', css.unchanged)}>
                {unchanged === 1
                  ? '1 unchanged member is not sent.'
                  : `${formatCount(unchanged)} unchanged members are not sent.`}
              </p>
            )
          }
        />
      )}
      <ReloadStrip pages={pages} />
      <History audience={audience} onAll={onAllSyncs} />
    </>
  );
}

export const Failed = ({ onAgain }: { onAgain: () => void }) => (
  <EmptyState title="Could not read the list." actions={<TryAgain onAgain={onAgain} />} />
);

const PendingHead = () => (
  <TableRow className={cx(tableCss.head, css.row)}>
    <HeadCell>
      <span className="visually-hidden">Sign</span>
    </HeadCell>
    <HeadCell>User</HeadCell>
    <HeadCell className={css.label}>Label</HeadCell>
    <HeadCell>Change</HeadCell>
    <HeadCell className={layoutCss.right}>Since</HeadCell>
  </TableRow>
);

function Pending({ row, index }: { row: PendingRow; index: number }) {
  const { word, tone } = CHANGES[row.change];
  return (
    <TableRow className={cx(tableCss.row, css.row)} aria-rowindex={index + 2}>
      <TableCell>
        <ChangeSign change={row.change} />
      </TableCell>
      <TableCell className="mono ellipsis" title={row.userId}>
        <UserId>{row.userId}</UserId>
      </TableCell>
      <TableCell className={cx('secondary ellipsis', css.label)} title={row.label ?? undefined}>
        {row.label !== null && <Text>{row.label}</Text>}
      </TableCell>
      <TableCell className={tone}>{word}</TableCell>
      <TableCell className={cx('mono secondary', layoutCss.right)} title={formatIso(row.since)}>
        {formatClock(row.since)}
      </TableCell>
    </TableRow>
  );
}

function History({ audience, onAll }: { audience: AudienceRow; onAll: () => void }) {
  const history = useHistory(audience);
  const now = useNow();
  if (audience.syncs === 0) return null;
  const most = Math.max(1, ...history.map((sync) => (sync.kind === 'first' ? 0 : sentOf(sync))));
  return (
    <section className={css.history} aria-label="Sync history">
      <div className={cx('flex-row', css.historyHead)}>
        <h3>Sync history</h3>
        <span className="muted">users sent per sync</span>
        <span className="spacer" />
        <Button variant="ghost" size="sm" flushEnd onClick={onAll}>
          {`Show all ${formatCount(audience.syncs)}`}
        </Button>
      </div>
      <ol>
        {history.slice(0, 9).map((sync) => (
          <HistoryRow key={sync.id} sync={sync} most={most} now={now} />
        ))}
      </ol>
    </section>
  );
}

/** A bar as long as the sync is large; the first one, which may be far larger, is as long as the longest. */
function HistoryRow({ sync, most, now }: { sync: SyncRow; most: number; now: number }) {
  const { n, kind, state, added, removed, changed } = sync;
  const part = (count: number) => ({ width: `${Math.min(1, count / most) * 100}%` });
  const text = changesText(added, removed, changed);
  return (
    <li className={css.sync}>
      <span className="muted">{formatCount(n)}</span>
      <span className="secondary nowrap">{whenText(sync.startedAt, now)}</span>
      <a
        className={cx('nowrap', css.link, kind === 'first' ? cx('medium', css.first) : 'secondary')}
        href={syncRoute(sync)}
        aria-label={kind === 'first' ? undefined : `Changes, sync ${formatCount(n)}`}
      >
        {kind === 'first' ? 'First sync' : 'Changes'}
      </a>
      <span className={css.bars} aria-hidden="true">
        {added + changed > 0 && <i className={css.added} style={part(added + changed)} />}
        {removed > 0 && <i className={css.removed} style={part(removed)} />}
      </span>
      <span className={cx('nowrap', layoutCss.right)}>
        {text === '' ? (
          <span className="muted">{state === 'preparing' ? 'preparing' : 'nothing to send'}</span>
        ) : (
          <Sent sync={sync} />
        )}
      </span>
      <span className="visually-hidden">{plural(sentOf(sync), 'call')} sent</span>
    </li>
  );
}

const Sent = ({ sync: { added, removed, changed } }: { sync: SyncRow }) => (
  <>
    {added + changed > 0 && <span className={toneCss.ok}>{changesText(added, 0, changed)}</span>}{' '}
    {removed > 0 && <span className={toneCss.bad}>{changesText(0, removed)}</span>}
  </>
);
