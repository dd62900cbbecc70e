import type { DeletionCell, DeletionDetail, DeletionSourceTotals, DeletionUser } from '../../../contract/deletions.ts';
import { Button } from '../../components/button.tsx';
import { Countdown, Glyph, HookCells, StateGlyph } from '../../components/glyph.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { UserId } from '../../components/user-id.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { STATE_WORDS, stateExtra } from '../../lib/words/states.ts';
import { useRow } from '../../stores/records.ts';
import { formatRoute } from '../../stores/route.ts';
import { lift, suppressAgain } from './actions.ts';
import matrixCss from './matrix.module.css';
import css from './request-matrix.module.css';
import { callsText, NO_NOTICE_WORDS, noticesText } from './words.ts';

/** One mark for each user and source, with the sums of the whole request. */
export function RequestMatrix({
  detail,
  users,
  more,
}: {
  detail: DeletionDetail;
  users: readonly DeletionUser[];
  more: (() => void) | null;
}) {
  const { sources, erase, suppress, suppressed, erasedMessages, notices } = detail;
  const withSuppressed = (suppress || suppressed > 0) && !detail.forgotten;
  const width = 170 + sources.length * 128 + (erase ? 70 : 0) + (withSuppressed ? 104 : 0);
  return (
    <>
      {users.length < detail.users && <Caption detail={detail} shown={users.length} more={more} />}
      <ScrollRegion className={cx(matrixCss.scroller, css.scroller)} aria-label="Notices by user and source">
        <table className={cx(matrixCss.table, css.table)} style={{ minWidth: width }}>
          <colgroup>
            <col />
            {sources.map(({ sourceId }) => (
              <col key={sourceId} style={{ width: 128 }} />
            ))}
            {erase && <col style={{ width: 70 }} />}
            {withSuppressed && <col style={{ width: 104 }} />}
          </colgroup>
          <thead>
            <tr>
              <th scope="col">User</th>
              {sources.map(({ sourceId, name }) => (
                <th key={sourceId} scope="col" className="ellipsis" title={name}>
                  <Text>{name}</Text>
                </th>
              ))}
              {erase && (
                <th scope="col" className={withSuppressed ? matrixCss.beforeEnd : matrixCss.end}>
                  Erased
                </th>
              )}
              {withSuppressed && (
                <th scope="col" className={matrixCss.end}>
                  Suppressed
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {users.map((user) => (
              <UserRow key={user.position} user={user} detail={detail} withSuppressed={withSuppressed} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" className="secondary">
                {plural(detail.users, 'id')}
                {notices.total === 0 && ', no notice'}
              </th>
              {sources.map((source) => (
                <td key={source.sourceId}>
                  <SourceSum source={source} />
                </td>
              ))}
              {erase && (
                <td className={cx('medium', withSuppressed ? matrixCss.beforeEnd : matrixCss.end)}>
                  {formatCount(erasedMessages)}
                </td>
              )}
              {withSuppressed && <td className={cx('medium', matrixCss.end)}>{formatCount(suppressed)}</td>}
            </tr>
          </tfoot>
        </table>
      </ScrollRegion>
    </>
  );
}

function Caption({ detail, shown, more }: { detail: DeletionDetail; shown: number; more: (() => void) | null }) {
  return (
    <p className={cx('muted small', matrixCss.caption)}>
      <span>
        {`${formatCount(shown)} of ${plural(detail.users, 'id')}`}
        {detail.notices.failed > 0 ? ', those with a failed notice first.' : '.'} The sums count all.
      </span>
      <span className="spacer" />
      {more !== null && (
        <Button size="sm" onClick={more}>
          Show more
        </Button>
      )}
    </p>
  );
}

function UserRow({
  user,
  detail: { id, erase, suppress },
  withSuppressed,
}: {
  user: DeletionUser;
  detail: DeletionDetail;
  withSuppressed: boolean;
}) {
  const { userId, cells, erased, suppressed, position } = user;
  const isKnown = cells.some(({ calls }) => calls > 0);
  return (
    <tr>
      <th scope="row" title={userId ?? undefined}>
        <span className={cx('ellipsis', matrixCss.user, userId !== null && 'mono', !isKnown && 'secondary')}>
          {userId === null ? `forgotten user ${formatCount(position)}` : <UserId>{userId}</UserId>}
        </span>
        {!isKnown && <span className={cx('muted small', matrixCss.user)}>never seen</span>}
      </th>
      {cells.map((cell) => (
        <td key={cell.sourceId}>
          <NoticeCell cell={cell} />
        </td>
      ))}
      {erase && (
        <td className={cx(withSuppressed ? matrixCss.beforeEnd : matrixCss.end, erased === 0 && 'muted')}>
          {formatCount(erased ?? 0)}
        </td>
      )}
      {withSuppressed && (
        <td className={matrixCss.end}>
          {userId !== null && suppressed && (
            <Button size="sm" aria-label={`Lift ${userId}`} onClick={() => void lift(userId, id)}>
              Lift
            </Button>
          )}
          {userId !== null && !suppressed && suppress && (
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Suppress ${userId}`}
              title="Lifted. Its calls are accepted."
              onClick={() => void suppressAgain(userId, id)}
            >
              Suppress
            </Button>
          )}
        </td>
      )}
    </tr>
  );
}

/** The state of a notice with a link to its message, or why there is none. */
function NoticeCell({ cell: { calls, reason, state, message } }: { cell: DeletionCell }) {
  const row = useRow(message?.id ?? null) ?? message;
  const known = calls > 0 ? `The source knew ${callsText(calls)} of it.` : undefined;
  if (reason !== null) {
    return (
      <span className={matrixCss.cell} title={known}>
        <span className={css.state}>
          <Glyph name="not_selected" />
          <span className="secondary">None</span>
        </span>
        <span className={cx('muted small ellipsis', css.detail)}>{NO_NOTICE_WORDS[reason]}</span>
      </span>
    );
  }
  if (state === null) {
    return (
      <span className={matrixCss.cell} title={known}>
        <span className={css.state}>
          <Glyph name="queued" />
          <span className="secondary">Not sent yet</span>
        </span>
      </span>
    );
  }
  const { word, tone } = STATE_WORDS[state];
  const extra = row !== null && row.state === state ? stateExtra(row) : '';
  const words = (
    <span className={css.state}>
      <StateGlyph state={state} />
      <span className={cx('ellipsis', css.word, tone === 'bad' && toneCss.bad, tone === 'bad' && 'medium')}>
        {extra === '' ? word : `${word} ${extra}`}
      </span>
      {state === 'retrying' && row?.nextDueAt != null && (
        <span className="muted small">
          <Countdown at={row.nextDueAt} label="next round at" narrow />
        </span>
      )}
    </span>
  );
  if (row === null) {
    return (
      <span className={matrixCss.cell} title={known}>
        {words}
        <span className={cx('muted small ellipsis', css.detail)}>no longer stored</span>
      </span>
    );
  }
  return (
    <a
      className={cx(matrixCss.cell, css.link)}
      title={known}
      href={formatRoute({ screen: 'live', messageId: row.id, tab: 'attempts', full: false })}
    >
      {words}
      <span className={css.detail}>
        <HookCells cells={row.cells} quiet={state === 'delivered'} />
      </span>
    </a>
  );
}

function SourceSum({ source: { notices, delivered, failed, waiting } }: { source: DeletionSourceTotals }) {
  if (notices === 0) return <span className="muted">{noticesText(0)}</span>;
  const parts = [
    { n: delivered, word: 'delivered', tone: undefined },
    { n: failed, word: 'failed', tone: toneCss.bad },
    { n: waiting, word: 'waiting', tone: undefined },
  ].filter(({ n }) => n > 0);
  return parts.map(({ n, word, tone }, i) => (
    <span key={word}>
      {i > 0 && ', '}
      <span className={tone}>{`${formatCount(n)} ${word}`}</span>
    </span>
  ));
}
