/** Name and facts of a message, above the tabs. */
import type { AttemptView, MessageDetail, MessageRow } from '../../../contract/values.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { StateBadge } from '../../components/glyph.tsx';
import { Text } from '../../components/text.tsx';
import { TypeIcon } from '../../components/type-icon.tsx';
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatExactSize,
  formatIso,
  formatSize,
  formatTime,
  shortId,
} from '../../lib/format.ts';
import { userText } from '../../lib/words/calls.ts';
import { STATE_WORDS } from '../../lib/words/states.ts';
import { useRecords } from '../../stores/records.ts';
import detailCss from './detail.module.css';
import css from './message-head.module.css';

const ORIGINS: Record<Exclude<MessageRow['origin'], 'sdk'>, string> = {
  composer: 'Composer',
  import: 'Import',
  audience: 'Audience sync',
  deletion: 'Deletion request',
};

/** The attempt that settled the message; null when none was accepted. */
const acceptedOf = (detail: MessageDetail | null): AttemptView | null =>
  detail?.attempts.find(({ outcome, replayId }) => outcome === 'accepted' && replayId === null) ?? null;

export function MessageTitle({ row, detail, full }: { row: MessageRow; detail: MessageDetail | null; full: boolean }) {
  const by = row.state === 'delivered' ? acceptedOf(detail) : null;
  const name = row.name === '' ? (row.type === 'unknown' ? 'Unknown call' : row.type) : row.name;
  return (
    <>
      <span className="secondary">
        <TypeIcon type={row.type} small={false} />
      </span>
      <h2 className={detailCss.title} title={name}>
        <Text>{name}</Text>
      </h2>
      {full && (
        <StateBadge state={row.state}>
          {STATE_WORDS[row.state].word}
          {by !== null && (
            <>
              {' by '}
              <Text>{by.webhookName}</Text>
            </>
          )}
        </StateBadge>
      )}
      <span className="spacer" />
    </>
  );
}

/** User, source, time, size. Repeats and origin only when they are notable. */
export function Facts({ row, detail, full }: { row: MessageRow; detail: MessageDetail | null; full: boolean }) {
  const known = useRecords((state) => state.sources.find((source) => source.id === row.sourceId)?.name);
  const source = known ?? detail?.sourceName ?? (row.sourceId === null ? 'Unknown' : `Source ${row.sourceId}`);
  const user = userText(row);
  return (
    <dl className={detailCss.facts}>
      {full && (
        <div>
          <dt>Type</dt>
          <dd>{row.type}</dd>
        </div>
      )}
      <div className={detailCss.shrinks}>
        <dt>User</dt>
        <dd className="mono ellipsis" title={row.userId ?? row.anonymousId ?? undefined}>
          {user === '' ? <span className="muted">none</span> : <Text ltr>{user}</Text>}
        </dd>
      </div>
      <div className={detailCss.shrinks}>
        <dt>Source</dt>
        <dd className="ellipsis" title={source}>
          <Text>{source}</Text>
        </dd>
      </div>
      <div>
        <dt>Received</dt>
        <dd className={full ? undefined : 'mono'} title={formatIso(row.receivedAt)}>
          {full ? formatDateTime(row.receivedAt) : formatTime(row.receivedAt)}
        </dd>
      </div>
      {full && row.state === 'delivered' && row.finishedAt !== null && (
        <div>
          <dt>Delivered</dt>
          <dd>{`after ${formatDuration(row.finishedAt - row.receivedAt)}, in round ${acceptedOf(detail)?.round ?? row.round}`}</dd>
        </div>
      )}
      <div>
        <dt>Size</dt>
        <dd title={formatExactSize(row.size)}>{formatSize(row.size)}</dd>
      </div>
      {row.origin !== 'sdk' && (
        <div>
          <dt>Origin</dt>
          <dd>{ORIGINS[row.origin]}</dd>
        </div>
      )}
      {row.repeats > 0 && (
        <div title="The same messageId came again within 24 h; it is stored once.">
          <dt>Repeats</dt>
          <dd>{formatCount(row.repeats)}</dd>
        </div>
      )}
      <div className={detailCss.shrinks}>
        <dt>Message id</dt>
        <dd className={css.idValue}>
          <span className="mono ellipsis" title={row.messageId}>
            <Text ltr>{full ? row.messageId : shortId(row.messageId)}</Text>
          </span>
          <CopyButton label="Copy message id" text={row.messageId} />
        </dd>
      </div>
    </dl>
  );
}
