import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { SyncDetail } from '../../../../contract/audiences.ts';
import { Button } from '../../../components/button.tsx';
import { Glyph, HookCells } from '../../../components/glyph.tsx';
import layoutCss from '../../../components/layout.module.css';
import { SkeletonRows } from '../../../components/skeleton-rows.tsx';
import { HeadCell, Table, TableCell, TableRow } from '../../../components/table-parts.tsx';
import tableCss from '../../../components/table-rows.module.css';
import toneCss from '../../../components/tone.module.css';
import { TryAgain } from '../../../components/try-again.tsx';
import { UserId } from '../../../components/user-id.tsx';
import { cx } from '../../../lib/cx.ts';
import { formatClock, formatCount, formatIso, plural } from '../../../lib/format.ts';
import { formatRoute } from '../../../stores/route.ts';
import css from './failed-calls.module.css';
import { ReplayFailed } from './replay-failed.tsx';
import { failedText, groupText } from './sync-words.ts';
import { type FailedCall, MOST_FAILED, useFailed } from './use-failed.ts';

/** Rows shown before all are asked for. */
const FEW = 5;
const ROW_HEIGHT = 32;

/** Who was not told, and why, with a link to each message. Nothing while none has failed. */
export function FailedCalls({ sync }: { sync: SyncDetail }) {
  const { failed } = sync.ledger;
  const { rows, state, reload } = useFailed(sync.id, failed);
  const [all, setAll] = useState(false);
  const [isReplaying, setReplaying] = useState(false);
  if (failed === 0) return null;
  const shown = all ? rows : rows.slice(0, FEW);
  return (
    <section className={css.failed} aria-label="Failed" data-region="failed" tabIndex={-1}>
      <header className={css.head}>
        <h3>Failed</h3>
        <span className="muted">{formatCount(failed)}</span>
        <span className="muted small ellipsis">{sync.failures.map(groupText).join(', ')}</span>
        <span className="spacer" />
        {failed > FEW && (
          <Button variant="ghost" size="sm" onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show ${failed > MOST_FAILED ? MOST_FAILED : `all ${formatCount(failed)}`}`}
          </Button>
        )}
        <Button size="sm" icon={RotateCcw} onClick={() => setReplaying(true)}>
          {`Replay ${formatCount(failed)}\u2026`}
        </Button>
      </header>
      {state === 'failed' && rows.length === 0 ? (
        <p className={cx('secondary', css.note)}>
          Could not read the failed calls. <TryAgain size="sm" onAgain={reload} />
        </p>
      ) : state === 'ready' && rows.length === 0 ? (
        <p className={cx('muted small', css.note)}>The calls of this sync are not kept any more.</p>
      ) : state === 'loading' ? (
        <SkeletonRows rowHeight={ROW_HEIGHT} rows={Math.min(failed, FEW)} />
      ) : (
        <Rows rows={shown} total={failed} />
      )}
      {all && failed > rows.length && rows.length > 0 && (
        <p
          className={cx('muted small', css.note)}
        >{`The first ${plural(rows.length, 'call')} of ${formatCount(failed)}.`}</p>
      )}
      {isReplaying && <ReplayFailed sync={sync} onClose={() => setReplaying(false)} />}
    </section>
  );
}

function Rows({ rows, total }: { rows: readonly FailedCall[]; total: number }) {
  return (
    <Table aria-label="Failed calls" aria-rowcount={total + 1}>
      <TableRow className={cx(tableCss.head, css.row)}>
        <HeadCell>
          <span className="visually-hidden">State</span>
        </HeadCell>
        <HeadCell>User</HeadCell>
        <HeadCell>Sent</HeadCell>
        <HeadCell>Reason</HeadCell>
        <HeadCell className={css.slots}>
          <span className="visually-hidden">Webhooks 1 to 5</span>
          {[1, 2, 3, 4, 5].map((slot) => (
            <i key={slot} aria-hidden="true">
              {slot}
            </i>
          ))}
        </HeadCell>
        <HeadCell>
          <span className="visually-hidden">Message</span>
        </HeadCell>
      </TableRow>
      {rows.map((row) => (
        <Row key={row.position} row={row} />
      ))}
    </Table>
  );
}

function Row({ row }: { row: FailedCall }) {
  const { userId, message, messageId } = row;
  const [word, rest] = failedText(row, message?.cells ?? null);
  return (
    <TableRow className={cx(tableCss.row, css.row)}>
      <TableCell>
        <Glyph name="failed" />
      </TableCell>
      <TableCell className="mono ellipsis" title={userId}>
        <UserId>{userId}</UserId>
      </TableCell>
      <TableCell className="mono secondary" title={message === null ? undefined : formatIso(message.receivedAt)}>
        {message !== null && formatClock(message.receivedAt)}
      </TableCell>
      <TableCell className="ellipsis">
        <span className={toneCss.bad}>{word}</span> <span className="secondary">{rest}</span>
      </TableCell>
      <TableCell>{message !== null && <HookCells cells={message.cells} />}</TableCell>
      <TableCell className={layoutCss.right}>
        {message === null || messageId === null ? (
          <span className="muted" title="Its message was removed">
            gone
          </span>
        ) : (
          <a
            href={formatRoute({ screen: 'live', messageId, tab: 'attempts', full: false })}
            aria-label={`Open the message of ${userId === '' ? 'an erased user' : userId}`}
          >
            Open
          </a>
        )}
      </TableCell>
    </TableRow>
  );
}
