import { SearchX, UserCheck, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { DELETION_LIMITS, type DeletionsView, type SuppressionView } from '../../../contract/deletions.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { SearchInput } from '../../components/input.tsx';
import layoutCss from '../../components/layout.module.css';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';
import { HeadCell, TableCell, TableRow } from '../../components/table-parts.tsx';
import rowsCss from '../../components/table-rows.module.css';
import { TryAgain } from '../../components/try-again.tsx';
import { UserId } from '../../components/user-id.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatDateTime } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { formatRoute, navigate } from '../../stores/route.ts';
import { useNow } from '../../stores/ticker.ts';
import { usePages } from '../../stores/use-pages.ts';
import { lift } from './actions.ts';
import css from './suppressed-users.module.css';
import { createdText } from './words.ts';

const ROW_HEIGHT = 32;
/** How long typing rests before the search runs, in milliseconds. */
const REST_MS = 150;

/** Users whose calls are rejected: since when, by which request, and how often. */
export function SuppressedUsers({ view: { suppressed } }: { view: DeletionsView }) {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), REST_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const pages = usePages<SuppressionView>(
    search,
    `${suppressed.users} ${suppressed.hits}`,
    async (after) => {
      const page = await call('deletions.suppressions', {
        after,
        limit: DELETION_LIMITS.rows,
        ...(search === '' ? {} : { search }),
      });
      return { rows: page.rows, next: page.nextAfter };
    },
    'suppressed',
  );
  return (
    <section className={css.page} aria-label="All suppressed users" data-region="detail" tabIndex={-1}>
      <header className={css.head}>
        <h2>Suppressed users</h2>
        <span className="muted">{formatCount(suppressed.users)}</span>
        <span className="spacer" />
        <IconButton
          label="Close"
          icon={X}
          size="sm"
          onClick={() => navigate({ screen: 'deletions', requestId: null })}
        />
      </header>
      <p className={cx('secondary', css.about)}>
        Calls with one of these ids, compared byte for byte, are rejected with{' '}
        <code className="mono">user_suppressed</code> and not stored beyond their line. Lift acts at once.
      </p>
      <div className={css.tools}>
        <SearchInput
          label="Find a suppressed user"
          placeholder="Find a user"
          maxLength={500}
          value={typed}
          onValue={setTyped}
        />
      </div>
      {pages.state === 'failed' ? (
        <EmptyState title="Could not read the list." actions={<TryAgain onAgain={pages.reload} />} />
      ) : pages.state === 'loading' ? (
        <SkeletonRows rowHeight={ROW_HEIGHT} />
      ) : pages.rows.length === 0 ? (
        search === '' ? (
          <EmptyState icon={UserCheck} title="No user is suppressed." />
        ) : (
          <EmptyState icon={SearchX} title="No suppressed user matches." />
        )
      ) : (
        <VirtualRows
          label="Suppressed users"
          className={css.rows}
          count={pages.rows.length}
          total={search === '' ? suppressed.users : pages.rows.length}
          rowHeight={ROW_HEIGHT}
          more={pages.more}
          head={<Head />}
          row={(index) => {
            const row = pages.rows[index]!;
            return <Row key={row.userId} row={row} index={index} />;
          }}
        />
      )}
    </section>
  );
}

const Head = () => (
  <TableRow className={cx(rowsCss.head, css.row)}>
    <HeadCell>User</HeadCell>
    <HeadCell>Since</HeadCell>
    <HeadCell className={css.request}>By</HeadCell>
    <HeadCell className={layoutCss.right}>Rejected</HeadCell>
    <HeadCell className={css.last}>Last</HeadCell>
    <HeadCell>
      <span className="visually-hidden">Actions</span>
    </HeadCell>
  </TableRow>
);

function Row({ row, index }: { row: SuppressionView; index: number }) {
  const { userId, since, requestId, hits, lastHitAt } = row;
  const now = useNow();
  return (
    <TableRow className={cx(rowsCss.row, css.row)} aria-rowindex={index + 2}>
      <TableCell className="mono ellipsis" title={userId}>
        <UserId>{userId}</UserId>
      </TableCell>
      <TableCell className="mono secondary" title={formatDateTime(since)}>
        {createdText(since, now)}
      </TableCell>
      <TableCell className={css.request}>
        {requestId === null ? (
          <span className="muted">no request</span>
        ) : (
          <a href={formatRoute({ screen: 'deletions', requestId })}>{`request ${requestId}`}</a>
        )}
      </TableCell>
      <TableCell className={cx(layoutCss.right, hits === 0 && 'muted')}>{formatCount(hits)}</TableCell>
      <TableCell
        className={cx('mono secondary', css.last)}
        title={lastHitAt === null ? undefined : formatDateTime(lastHitAt)}
      >
        {lastHitAt === null ? '' : createdText(lastHitAt, now)}
      </TableCell>
      <TableCell className={layoutCss.right}>
        <Button size="sm" aria-label={`Lift ${userId}`} onClick={() => void lift(userId, requestId)}>
          Lift
        </Button>
      </TableCell>
    </TableRow>
  );
}
