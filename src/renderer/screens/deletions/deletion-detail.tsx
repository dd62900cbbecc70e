import { Ellipsis, EyeOff, RotateCcw, Trash2, UserX } from 'lucide-react';
import { useState } from 'react';
import type { DeletionDetail, DeletionUser } from '../../../contract/deletions.ts';
import { Banner } from '../../components/banner.tsx';
import buttonCss from '../../components/button.module.css';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Countdown, Glyph } from '../../components/glyph.tsx';
import { Menu } from '../../components/menu.tsx';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';
import { Badge } from '../../components/tag.tsx';
import toneCss from '../../components/tone.module.css';
import { TryAgain } from '../../components/try-again.tsx';
import { UserId } from '../../components/user-id.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatDateTime, formatIso, plural } from '../../lib/format.ts';
import { navigate } from '../../stores/route.ts';
import { forgetIds, sendFailedAgain } from './actions.ts';
import blockCss from './blocks.module.css';
import { BodySent } from './body-sent.tsx';
import css from './deletion-detail.module.css';
import { Drill } from './drill.tsx';
import { ErasedBlock } from './erased-block.tsx';
import { MessagesAfter } from './messages-after.tsx';
import { RequestMatrix } from './request-matrix.tsx';
import { SignatureVerified } from './signature-verified.tsx';
import { useNoticeSent } from './use-notice-sent.ts';
import { useRequest } from './use-request.ts';
import { noticesText, requestWord, stateParts } from './words.ts';

const NOBODY: readonly DeletionUser[] = [];

/** One request: who was told about whom, what was erased, who is suppressed, and what came afterwards. */
export function DeletionDetailPane({ id }: { id: number }) {
  const request = useRequest(id);
  const { state, detail, users, more, reload } = request;
  if (state === 'gone') {
    return (
      <EmptyState
        icon={UserX}
        title={`There is no deletion request ${id}.`}
        actions={<Button onClick={() => navigate({ screen: 'deletions', requestId: null })}>Show all requests</Button>}
      />
    );
  }
  if (detail === null) {
    if (state === 'failed')
      return <EmptyState title="Could not read the request." actions={<TryAgain onAgain={reload} />} />;
    return (
      <section
        className={css.detail}
        aria-busy="true"
        aria-label={`Deletion request ${id}`}
        data-region="detail"
        tabIndex={-1}
      >
        <SkeletonRows rowHeight={40} />
      </section>
    );
  }
  return (
    <section
      className={css.detail}
      aria-label={`Deletion request ${id}`}
      data-region="detail"
      // A region takes the focus, so that the keyboard scrolls it.
      tabIndex={-1}
    >
      <Head detail={detail} />
      {state === 'failed' && (
        <Banner
          tone="bad"
          className={css.banner}
          title="Could not read the request again."
          actions={<TryAgain onAgain={reload} />}
        />
      )}
      <RequestMatrix detail={detail} users={users} more={more} />
      <Bottom detail={detail} users={users} />
    </section>
  );
}

/** A request that erases shows what is gone; another one the body of a notice. */
function Bottom({ detail, users }: { detail: DeletionDetail; users: readonly DeletionUser[] }) {
  const sent = useNoticeSent(detail.erase ? NOBODY : users);
  return (
    <div className={css.bottom}>
      <div className={cx(blockCss.stack, css.proof)}>
        <ErasedBlock detail={detail} />
        {sent !== null && sent.verified !== null && <SignatureVerified verified={sent.verified} />}
      </div>
      <div className={cx(blockCss.stack, css.after)}>
        {!detail.forgotten && <Drill detail={detail} users={users} />}
        {sent !== null && <BodySent body={sent.body} />}
        {!detail.forgotten && <MessagesAfter detail={detail} />}
      </div>
    </div>
  );
}

function Head({ detail }: { detail: DeletionDetail }) {
  const { firstUserId, users, createdAt, notices, erase, suppress, suppressed, erasedMessages } = detail;
  const { word, glyph, tone, nextDueAt } = requestWord(detail);
  return (
    <header className={css.head}>
      <div className={cx('flex-row', css.title)}>
        <Trash2 className="icon icon-large secondary" aria-hidden="true" />
        <h2 className="ellipsis" title={firstUserId ?? undefined}>
          {firstUserId === null ? (
            `Delete ${plural(users, 'forgotten user')}`
          ) : (
            <>
              Delete{' '}
              <span className="mono">
                <UserId>{firstUserId}</UserId>
              </span>
              {users > 1 && ` and ${formatCount(users - 1)} more`}
            </>
          )}
        </h2>
        <Badge tone={tone}>
          <Glyph name={glyph} />
          {word}
          {nextDueAt !== null && <Countdown at={nextDueAt} label="next round at" narrow />}
        </Badge>
        <span className="spacer" />
        {notices.failed > 0 && (
          <Button icon={RotateCcw} onClick={() => void sendFailedAgain(detail)}>
            {notices.failed === 1
              ? 'Send the failed notice again'
              : `Send the ${formatCount(notices.failed)} failed notices again`}
          </Button>
        )}
        <HeadMenu detail={detail} />
      </div>
      <dl className={css.facts}>
        <div>
          <dt>Created</dt>
          <dd title={formatIso(createdAt)}>{formatDateTime(createdAt)}</dd>
        </div>
        <div>
          <dt>Ids</dt>
          <dd>{formatCount(users)}</dd>
        </div>
        <div>
          <dt>Notices</dt>
          <dd>
            <NoticeStates detail={detail} />
          </dd>
        </div>
        {erase && (
          <div>
            <dt>Erased</dt>
            <dd>{plural(erasedMessages, 'message')}</dd>
          </div>
        )}
        {(suppress || suppressed > 0) && (
          <div>
            <dt>Suppressed</dt>
            <dd>{`${formatCount(suppressed)} of ${formatCount(users)}`}</dd>
          </div>
        )}
      </dl>
    </header>
  );
}

function NoticeStates({ detail }: { detail: DeletionDetail }) {
  const { total } = detail.notices;
  if (total === 0) return 'none';
  return (
    <>
      {`${formatCount(total)}: `}
      {stateParts(detail).map(({ text, isBad }, i) => (
        <span key={text}>
          {i > 0 && ', '}
          <span className={isBad ? toneCss.bad : undefined}>{text}</span>
        </span>
      ))}
    </>
  );
}

function HeadMenu({ detail }: { detail: DeletionDetail }) {
  const [isAsking, setAsking] = useState(false);
  const { id, phase, notices, suppress, forgotten } = detail;
  if (forgotten) return null;
  const isOver = phase === 'finished' && notices.waiting === 0;
  return (
    <>
      <Menu
        align="end"
        trigger={
          <button
            type="button"
            className={cx(buttonCss.button, buttonCss.ghost, buttonCss.square)}
            aria-label={`More for request ${id}`}
          >
            <Ellipsis className="icon icon-large" aria-hidden="true" />
          </button>
        }
        items={[
          {
            label: 'Forget the ids',
            icon: EyeOff,
            danger: true,
            disabled: !isOver || suppress,
            run: () => setAsking(true),
          },
        ]}
      />
      <ConfirmDialog
        open={isAsking}
        title="Forget the ids of this request?"
        verb="Forget the ids"
        onClose={() => setAsking(false)}
        onConfirm={() => void forgetIds(detail)}
      >
        <p>
          The request keeps its counts. Its ids and its {noticesText(notices.total)} are erased, so nothing shows any
          more who was deleted. It cannot be undone.
        </p>
      </ConfirmDialog>
    </>
  );
}
