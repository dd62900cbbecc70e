import type { SignedAttempt } from '../../../contract/signature-lab.ts';
import { Button } from '../../components/button.tsx';
import cardCss from '../../components/card.module.css';
import codeCss from '../../components/code.module.css';
import { CopyButton } from '../../components/copy-button.tsx';
import { JsonLine } from '../../components/json-line.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Text } from '../../components/text.tsx';
import { TypeIcon } from '../../components/type-icon.tsx';
import { cx } from '../../lib/cx.ts';
import { formatExactSize, formatIso, formatSize, formatTime } from '../../lib/format.ts';
import { showBytes } from '../../message/body.ts';
import css from './attempt-panel.module.css';
import screenCss from './signature-screen.module.css';

/** Bodies are shown up to this length; the whole one can be copied. */
const SHOWN = 8_192;

/** The attempt and exactly the bytes that it sent. */
export function AttemptPanel({
  shown,
  bytes,
  onPick,
}: {
  shown: SignedAttempt;
  bytes: Uint8Array;
  onPick: () => void;
}) {
  const { attempt, message } = shown;
  const body = showBytes(bytes.subarray(0, SHOWN), bytes.length > SHOWN);
  return (
    <div className={screenCss.block}>
      <div className={screenCss.head}>
        <h2>1. What was sent</h2>
        <span className="spacer" />
        {body.kind === 'text' && (
          <CopyButton label="Copy body" text={() => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)} />
        )}
        <Button size="sm" onClick={onPick}>
          Pick a message
        </Button>
      </div>
      <div className={cardCss.card}>
        <div className={css.attempt}>
          <TypeIcon type={message.type} small={false} />
          <span className={css.name}>
            <Text className="ellipsis medium">{message.name === '' ? message.type : message.name}</Text>
            <span className="muted small ellipsis">
              {attempt.replayId === null ? `round ${attempt.round}` : 'replay'} on{' '}
              <Text>{attempt.webhookName === '' ? attempt.url : attempt.webhookName}</Text>,{' '}
              <time dateTime={formatIso(attempt.startedAt)}>{formatTime(attempt.startedAt)}</time>
            </span>
          </span>
          <span className="mono secondary nowrap" title={formatExactSize(bytes.length)}>
            {formatSize(bytes.length)}
          </span>
        </div>
        <ScrollRegion className={cx(codeCss.code, css.raw)} aria-label="Body as sent">
          {body.kind === 'text' && <JsonLine line={body.text} />}
          {body.kind === 'binary' && body.hex}
        </ScrollRegion>
      </div>
      {bytes.length > SHOWN && (
        <p className={cx('muted small', screenCss.hint)}>
          The first {formatSize(SHOWN)} of {formatSize(bytes.length)}. Copy gives all of it.
        </p>
      )}
    </div>
  );
}
