import { Plus } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { DELETION_LIMITS, type DeletionRow, type DeletionsView } from '../../../contract/deletions.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Countdown, Glyph } from '../../components/glyph.tsx';
import rowCss from '../../components/grid-row.module.css';
import layoutCss from '../../components/layout.module.css';
import { Grid, GridCell, HeadCell, TableRow } from '../../components/table-parts.tsx';
import toneCss from '../../components/tone.module.css';
import { UserId } from '../../components/user-id.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatDateTime, plural } from '../../lib/format.ts';
import { navigate } from '../../stores/route.ts';
import { useNow } from '../../stores/ticker.ts';
import css from './deletion-list.module.css';
import { ShortForm } from './short-form.tsx';
import { useOlderRequests } from './use-older-requests.ts';
import { createdText, requestWord, sentText, suppressedByText } from './words.ts';

const openNew = (): void => navigate({ screen: 'deletions', requestId: null, view: 'new' });
const show = (requestId: number): void => navigate({ screen: 'deletions', requestId }, { replace: true });

/** Every request, newest first. The arrows move the selection; Enter goes to the detail. */
export function DeletionList({
  view,
  shownId,
  isSuppressedShown,
}: {
  view: DeletionsView;
  shownId: number | null;
  isSuppressedShown: boolean;
}) {
  const { rows, more } = useOlderRequests(view);
  return (
    <section className={css.list} aria-label="Deletion requests" data-region="list">
      <div className={css.tools}>
        <span className="muted">{plural(view.total, 'request')}</span>
        <span className="spacer" />
        <Button icon={Plus} onClick={openNew}>
          New request
        </Button>
      </div>
      <ShortForm />
      {rows.length === 0 ? (
        <EmptyState title="No deletion request yet.">
          New request takes many ids, shows who is told before anything goes, and can erase and suppress.
        </EmptyState>
      ) : (
        <Entries rows={rows} shownId={shownId} />
      )}
      {more !== null && (
        <div className={css.more}>
          <Button size="sm" onClick={more}>
            {`Show ${formatCount(Math.min(DELETION_LIMITS.rows, view.total - rows.length))} older`}
          </Button>
        </div>
      )}
      {(view.suppressed.users > 0 || isSuppressedShown) && (
        <Suppressed view={view} shownId={shownId} isShown={isSuppressedShown} />
      )}
    </section>
  );
}

function Entries({ rows, shownId }: { rows: readonly DeletionRow[]; shownId: number | null }) {
  const list = useRef<HTMLDivElement>(null);
  const now = useNow();
  const move = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      document.querySelector<HTMLElement>('[data-region="detail"]')?.focus();
      return;
    }
    const at = rows.findIndex(({ id }) => id === shownId);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    const target = to === undefined ? undefined : rows[to];
    if (target === undefined) return;
    event.preventDefault();
    show(target.id);
    list.current?.querySelectorAll<HTMLElement>('[role="row"][data-request]')[to!]?.focus();
  };
  const stop = rows.some(({ id }) => id === shownId) ? shownId : rows[0]?.id;
  return (
    <Grid ref={list} className={css.entries} aria-label="All requests" onKeyDown={move} tabIndex={-1}>
      <TableRow className={cx(rowCss.head, css.head)}>
        <HeadCell>Users</HeadCell>
        <HeadCell>Created</HeadCell>
        <HeadCell>Notices</HeadCell>
        <HeadCell>State</HeadCell>
      </TableRow>
      {rows.map((row) => (
        <Entry key={row.id} row={row} now={now} isShown={row.id === shownId} isStop={row.id === stop} />
      ))}
    </Grid>
  );
}

function Entry({ row, now, isShown, isStop }: { row: DeletionRow; now: number; isShown: boolean; isStop: boolean }) {
  const { id, users, firstUserId, createdAt } = row;
  const { word, glyph, tone, nextDueAt } = requestWord(row);
  return (
    <TableRow
      className={cx(rowCss.row, css.entry)}
      data-request={id}
      aria-selected={isShown}
      tabIndex={isStop ? 0 : -1}
      onClick={() => show(id)}
    >
      <GridCell className={css.who} title={firstUserId ?? undefined}>
        {firstUserId === null ? (
          <span className="secondary">
            {users === 1 ? 'a forgotten user' : `${formatCount(users)} forgotten users`}
          </span>
        ) : (
          <>
            <span className="mono ellipsis">
              <UserId>{firstUserId}</UserId>
            </span>
            {users > 1 && <span className="muted">{` + ${formatCount(users - 1)} more`}</span>}
          </>
        )}
      </GridCell>
      <GridCell className="mono secondary" title={formatDateTime(createdAt)}>
        {createdText(createdAt, now)}
      </GridCell>
      <GridCell className="secondary ellipsis" title={sentText(row)}>
        {sentText(row)}
      </GridCell>
      <GridCell className={cx('flex-row', layoutCss.gap6)}>
        <Glyph name={glyph} />
        <span className={cx('ellipsis', tone === 'bad' ? toneCss.bad : tone !== 'accent' && 'secondary')}>{word}</span>
        {nextDueAt !== null && (
          <span className="muted small">
            <Countdown at={nextDueAt} label="next round at" narrow />
          </span>
        )}
      </GridCell>
    </TableRow>
  );
}

function Suppressed({
  view: { suppressed },
  shownId,
  isShown,
}: {
  view: DeletionsView;
  shownId: number | null;
  isShown: boolean;
}) {
  const now = useNow();
  const { users, hits } = suppressed;
  return (
    <section className={css.suppressed} aria-label="Suppressed users">
      <div className={cx('flex-row', css.suppressedHead)}>
        <h2>Suppressed users</h2>
        <span className="muted">{formatCount(users)}</span>
        <span className="spacer" />
        {!isShown && (
          <Button
            variant="ghost"
            size="sm"
            flushEnd
            onClick={() => navigate({ screen: 'deletions', requestId: null, view: 'suppressed' })}
          >
            Show all
          </Button>
        )}
      </div>
      <p className="muted small">
        {users === 0 ? (
          'Every call is accepted.'
        ) : (
          <>
            {suppressedByText(suppressed, shownId, now)} Their calls are rejected with{' '}
            <code className="mono">user_suppressed</code>: {formatCount(hits)} since then.
          </>
        )}
      </p>
    </section>
  );
}
