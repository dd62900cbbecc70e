import { useState } from 'react';
import type { DeletionPreview } from '../../../contract/deletions.ts';
import { StepButtons } from '../../components/step-buttons.tsx';
import { Text } from '../../components/text.tsx';
import { useBrackets } from '../../frame/use-brackets.ts';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { useRecords } from '../../stores/records.ts';
import blockCss from './blocks.module.css';
import css from './dry-run.module.css';
import { NoticeBody } from './notice-body.tsx';
import { useNotice } from './use-notice.ts';

/** Each notice exactly as it would be sent now. */
export function DryRun({
  preview,
  userIds,
  isOld,
}: {
  preview: DeletionPreview;
  userIds: readonly string[];
  isOld: boolean;
}) {
  const [at, setAt] = useState(1);
  const total = preview.notices;
  const place = Math.max(1, Math.min(at, total));
  const { notice, failed } = useNotice({ preview, userIds, place, isOld });
  const webhooks = useRecords((state) => state.webhooks.filter(({ enabled }) => enabled).length);
  const move = (by: number) => setAt(Math.max(1, Math.min(total, place + by)));
  useBrackets(move);
  return (
    <section className={cx(blockCss.block, css.run)} aria-label="Dry run" data-region="dry-run" tabIndex={-1}>
      <div className={cx('flex-row', blockCss.heading)}>
        <h3 className="nowrap">Dry run</h3>
        {total > 0 && (
          <span className="muted ellipsis">
            {`notice ${formatCount(place)} of ${formatCount(total)}`}
            {notice !== null && (
              <>
                , <Text>{notice.sourceName}</Text>
              </>
            )}
          </span>
        )}
        <span className="spacer" />
        <StepButtons what="notice" isFirst={place <= 1} isLast={place >= total} onMove={move} />
      </div>
      {total === 0 ? (
        <p className="muted">No notice would be sent.</p>
      ) : (
        <>
          {notice === null ? (
            <div className={css.wait}>{failed && 'Could not make it.'}</div>
          ) : (
            <NoticeBody body={notice.body} />
          )}
          <p className={cx('muted small', blockCss.note)}>
            Exactly these three fields, in both body shapes. Sent to {plural(webhooks, 'webhook')} with retries like any
            message.
          </p>
        </>
      )}
    </section>
  );
}
