import { useEffect, useState } from 'react';
import type { DeletionUser } from '../../../contract/deletions.ts';
import { cx } from '../../lib/cx.ts';
import { byteLength, formatSize } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import blockCss from './blocks.module.css';
import { NoticeBody } from './notice-body.tsx';

/** The body of the first notice that is still stored, byte for byte. Nothing when there is none. */
export function BodySent({ users }: { users: readonly DeletionUser[] }) {
  const messageId = firstNotice(users);
  const [body, setBody] = useState<string | null>(null);
  useEffect(() => {
    if (messageId === null) return;
    let isGone = false;
    call('messages.get', { id: messageId }).then(
      ({ deliveredJson }) => !isGone && setBody(deliveredJson),
      () => !isGone && setBody(null),
    );
    return () => {
      isGone = true;
    };
  }, [messageId]);
  if (messageId === null || body === null) return null;
  return (
    <section className={blockCss.block} aria-label="Body sent">
      <div className={cx('flex-row', blockCss.heading)}>
        <h3>Body sent</h3>
        <span className="spacer" />
        <span className="muted">{formatSize(byteLength(body))}</span>
      </div>
      <NoticeBody body={body} />
      <p className={cx('muted small', blockCss.note)}>
        Only these three fields. Delete messages carry no version and no context.
      </p>
    </section>
  );
}

function firstNotice(users: readonly DeletionUser[]): number | null {
  for (const { cells } of users) for (const { message } of cells) if (message !== null) return message.id;
  return null;
}
