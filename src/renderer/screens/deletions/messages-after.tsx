import { ArrowRight } from 'lucide-react';
import type { DeletionDetail } from '../../../contract/deletions.ts';
import type { MessageRow } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { HookCells, StateText } from '../../components/glyph.tsx';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';
import { Text } from '../../components/text.tsx';
import { TypeLabel } from '../../components/type-icon.tsx';
import { UserId } from '../../components/user-id.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatDateTime, formatTime } from '../../lib/format.ts';
import { queryOf } from '../../stores/live/filter.ts';
import { liveStream } from '../../stores/live/store.ts';
import { useRecords, useRow } from '../../stores/records.ts';
import { formatRoute, HOME, navigate } from '../../stores/route.ts';
import blockCss from './blocks.module.css';
import css from './messages-after.module.css';
import { useMessagesAfter } from './use-messages-after.ts';

/** What came from the users of a request after it. */
export function MessagesAfter({ detail }: { detail: DeletionDetail }) {
  const { rows, state, more } = useMessagesAfter(detail.id);
  const { firstUserId, users } = detail;
  const showInLive = () => {
    liveStream.setQuery(queryOf({ key: 'user', values: [{ id: firstUserId ?? '' }] }));
    navigate(HOME);
  };
  return (
    <section className={blockCss.block} aria-label="Messages after the request">
      <div className={cx('flex-row', blockCss.heading)}>
        <h3 className="ellipsis">
          {users === 1 ? 'Messages from this user after the request' : 'Messages from these users after the request'}
        </h3>
        {state === 'ready' && (
          <span className="muted">
            {more === null ? formatCount(rows.length) : `${formatCount(rows.length)} so far`}
          </span>
        )}
        <span className="spacer" />
        {users === 1 && firstUserId !== null && rows.length > 0 && (
          <button type="button" className={css.link} onClick={showInLive}>
            Show in Live stream <ArrowRight className="icon" aria-hidden="true" />
          </button>
        )}
      </div>
      {state === 'loading' && <SkeletonRows rowHeight={30} rows={3} className={css.loading} />}
      {state === 'failed' && <p className="secondary">Could not read them.</p>}
      {state === 'ready' && rows.length === 0 && more === null && <p className="muted">None so far.</p>}
      {rows.length > 0 && (
        <ul className={css.rows}>
          {rows.map((row) => (
            <After key={row.id} row={row} withUser={users > 1} />
          ))}
        </ul>
      )}
      {more !== null && (
        <Button size="sm" className={css.more} onClick={more}>
          Look further back
        </Button>
      )}
      {rows.length > 0 && detail.suppressed === 0 && (
        <p className={cx('muted small', blockCss.note)}>
          A receiver that honours deletions should now treat{' '}
          {users === 1 ? 'this user as a new user' : 'them as new users'}.
        </p>
      )}
    </section>
  );
}

function After({ row: read, withUser }: { row: MessageRow; withUser: boolean }) {
  const row = useRow(read.id) ?? read;
  const source = useRecords((state) => state.sources.find(({ id }) => id === row.sourceId)?.name);
  return (
    <li>
      <a
        className={cx(css.row, withUser && css.withUser)}
        href={formatRoute({ screen: 'live', messageId: row.id, tab: 'attempts', full: false })}
      >
        <span className="mono secondary" title={formatDateTime(row.receivedAt)}>
          {formatTime(row.receivedAt)}
        </span>
        <TypeLabel type={row.type} />
        <span className="ellipsis" title={row.name}>
          {withUser && row.userId !== null && (
            <span className="mono secondary">
              <UserId>{row.userId}</UserId>{' '}
            </span>
          )}
          <Text>{row.name === '' ? row.type : row.name}</Text>
        </span>
        {!withUser && (
          <span className={cx('secondary ellipsis', css.source)}>{source !== undefined && <Text>{source}</Text>}</span>
        )}
        {row.state === 'rejected' || row.state === 'not_selected' ? (
          <StateText row={row} />
        ) : (
          <HookCells cells={row.cells} quiet={row.state === 'delivered'} />
        )}
      </a>
    </li>
  );
}
