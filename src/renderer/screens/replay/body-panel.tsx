/** The stored bytes that a replay sends. Shown, not editable. */

import { useMemo } from 'react';
import type { MessageDetail, MessageRow } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Text } from '../../components/text.tsx';
import { TypeIcon } from '../../components/type-icon.tsx';
import { cx } from '../../lib/cx.ts';
import { byteLength, formatExactSize, formatIso, formatSize, formatTime } from '../../lib/format.ts';
import { prettyJson } from '../../lib/json.ts';
import { userText } from '../../lib/words/calls.ts';
import { curlOf, unsignedText } from '../../message/copies.ts';
import { useRecords } from '../../stores/records.ts';
import { navigate } from '../../stores/route.ts';
import css from './body-panel.module.css';

export function BodyPanel({ row, detail }: { row: MessageRow; detail: MessageDetail | null }) {
  const webhooks = useRecords((state) => state.webhooks);
  const secret = useRecords((state) => state.destination?.secret ?? null);
  const body = detail?.deliveredJson ?? null;
  const pretty = useMemo(() => (body === null ? '' : prettyJson(body)), [body]);
  const curl = detail === null ? null : curlOf(detail, 'delivered', webhooks, 0);
  const size = body === null ? 0 : byteLength(body);
  return (
    <section className={css.left} aria-label="Message" data-region="message">
      <div className={css.source}>
        <span className="secondary">
          <TypeIcon type={row.type} small={false} />
        </span>
        <span className={cx('ellipsis', css.strong)} title={row.name}>
          <Text>{row.name === '' ? row.type : row.name}</Text>
        </span>
        <span className="mono secondary ellipsis">
          <Text ltr>{userText(row)}</Text>
        </span>
        <time className="muted" dateTime={formatIso(row.receivedAt)} title={formatIso(row.receivedAt)}>
          {formatTime(row.receivedAt)}
        </time>
        <span className="spacer" />
        <Button size="sm" onClick={() => navigate({ screen: 'replay', messageId: null })}>
          Change message
        </Button>
      </div>
      <div className={css.bodyHead}>
        <h2>Body, as it was</h2>
        {body !== null && (
          <span className="muted small" title={formatExactSize(size)}>
            {formatSize(size)}
          </span>
        )}
        <span className="spacer" />
        {body !== null && (
          <CopyButton label="Copy body" text={body}>
            Copy
          </CopyButton>
        )}
        {curl !== null && (
          <CopyButton label="Copy as curl" text={curl}>
            Copy as curl
          </CopyButton>
        )}
      </div>
      <div className={css.body}>{body !== null && <JsonView text={pretty} source={body} label="Body" wrap />}</div>
      <footer className={css.bodyFoot}>
        <span className="muted">Sent unchanged, one attempt for each webhook.</span>
        <span className="spacer" />
        {detail !== null &&
          (detail.signature === null ? (
            <span className="muted">{secret === null ? '' : unsignedText(secret)}</span>
          ) : (
            <span className="nowrap" title={detail.signature}>
              <span className="muted">X-Signature </span>
              <span className="mono secondary">{`${detail.signature.slice(0, 8)}\u2026${detail.signature.slice(-8)}`}</span>
            </span>
          ))}
      </footer>
    </section>
  );
}
