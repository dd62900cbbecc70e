import { Send } from 'lucide-react';
import type { DeletionPreview, PreviewCell, PreviewSource, PreviewUser } from '../../../contract/deletions.ts';
import { Dot } from '../../components/dot.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { KindIcon } from '../../components/source-kind.tsx';
import { Text } from '../../components/text.tsx';
import { UserId } from '../../components/user-id.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import matrixCss from './matrix.module.css';
import css from './preview-matrix.module.css';
import { callsText, NO_NOTICE_WORDS, nearText, noticesText } from './words.ts';

/** Users by sources: what each source knows, and whether it sends a notice. The sums count every id. */
export function PreviewMatrix({ preview }: { preview: DeletionPreview }) {
  const { sources, users, ids, notices } = preview;
  return (
    <>
      {users.length < ids && (
        <p className={cx('muted small', matrixCss.caption)}>
          {`${formatCount(users.length)} of ${plural(ids, 'id')}, those without calls first. The sums count all.`}
        </p>
      )}
      <ScrollRegion className={cx(matrixCss.scroller, css.scroller)} aria-label="Preview by user and source">
        <table className={cx(matrixCss.table, css.table)} style={{ minWidth: 180 + sources.length * 136 + 68 }}>
          <colgroup>
            <col />
            {sources.map(({ sourceId }) => (
              <col key={sourceId} style={{ width: 136 }} />
            ))}
            <col style={{ width: 68 }} />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">User</th>
              {sources.map((source) => (
                <SourceHead key={source.sourceId} source={source} />
              ))}
              <th scope="col" className={matrixCss.end}>
                Notices
              </th>
            </tr>
          </thead>
          <tbody>
            {users.map((user) => (
              <UserRow key={user.userId} user={user} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" className="secondary">
                Calls known
              </th>
              {sources.map((source) => (
                <td key={source.sourceId}>
                  <Sum source={source} />
                </td>
              ))}
              <td className={cx('medium', matrixCss.end)}>{formatCount(notices)}</td>
            </tr>
          </tfoot>
        </table>
      </ScrollRegion>
    </>
  );
}

function SourceHead({ source: { name, kind, destinationOn } }: { source: PreviewSource }) {
  return (
    <th scope="col" title={name}>
      <span className={css.source}>
        {kind !== null && <KindIcon kind={kind} />}
        <span className={css.sourceText}>
          <span className={cx('medium ellipsis', css.name)}>
            <Text>{name}</Text>
          </span>
          <span className={cx('nowrap', destinationOn ? css.on : undefined)}>
            <Dot on={destinationOn} />
            {kind === null ? 'removed' : destinationOn ? 'destination on' : 'destination off'}
          </span>
        </span>
      </span>
    </th>
  );
}

function UserRow({ user }: { user: PreviewUser }) {
  const { userId, calls, cells, notices } = user;
  return (
    <tr>
      <th scope="row" title={userId}>
        <span className={cx('mono ellipsis', matrixCss.user, calls === 0 && 'secondary')}>
          <UserId>{userId}</UserId>
        </span>
        <span className={cx('muted small ellipsis', matrixCss.user)}>
          <About user={user} />
        </span>
      </th>
      {cells.map((cell) => (
        <td key={cell.sourceId}>
          <KnownCell cell={cell} />
        </td>
      ))}
      <td className={cx(matrixCss.end, notices === 0 ? 'muted' : 'medium')}>{formatCount(notices)}</td>
    </tr>
  );
}

function About({ user: { calls, name, near, suppressed } }: { user: PreviewUser }) {
  const [other] = near;
  const suffix = suppressed ? ', suppressed already' : '';
  if (calls === 0 && other !== undefined) {
    return (
      <>
        {`${nearText(other)} `}
        <Text ltr max={60}>
          {other.userId}
        </Text>
        {suffix}
      </>
    );
  }
  if (calls === 0) return `never seen${suffix}`;
  if (name === null) return suppressed ? 'suppressed already' : '';
  return (
    <>
      <Text>{name}</Text>
      {suffix}
    </>
  );
}

const OFF_WORDS = {
  destination_off: 'no notice, off',
  no_webhook: 'no notice, no webhook',
  source_removed: 'no notice, removed',
} as const;

function KnownCell({ cell: { calls, reason } }: { cell: PreviewCell }) {
  if (reason === 'does_not_know') {
    return (
      <span className={css.mark}>
        <span className="muted">{NO_NOTICE_WORDS.does_not_know}</span>
      </span>
    );
  }
  return (
    <span className={cx(css.mark, reason === null && css.sends)}>
      <span className={cx('medium', css.calls)}>{callsText(calls)}</span>
      {reason === null ? <Notices n={1} /> : <span className="muted">{OFF_WORDS[reason]}</span>}
    </span>
  );
}

function Sum({ source: { calls, notices } }: { source: PreviewSource }) {
  return (
    <span className={cx(css.mark, notices > 0 && css.sends)}>
      <span className={cx('medium', css.calls)}>{callsText(calls)}</span>
      {notices > 0 ? <Notices n={notices} /> : <span className="muted">{noticesText(0)}</span>}
    </span>
  );
}

const Notices = ({ n }: { n: number }) => (
  <span className={css.notices}>
    <Send className="icon" aria-hidden="true" />
    {noticesText(n)}
  </span>
);
