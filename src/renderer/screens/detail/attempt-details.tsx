/** Everything about one attempt: why, timing, what was sent, what came back, the certificate. */

import { useState } from 'react';
import type { CurlRequest } from '../../../contract/curl.ts';
import type { AttemptView, CertificateView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { CertificateFacts, CertificateVerdict } from '../../components/certificate.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { byteLength, formatExactSize, formatSize, plural } from '../../lib/format.ts';
import { replayLine } from '../../lib/replay-line.ts';
import { noRequestWords } from '../../lib/words/attempts.ts';
import { CopyCurl } from '../../message/copy-curl.tsx';
import { HeaderList } from '../../message/header-list.tsx';
import { ResponseBody } from '../../message/response-body.tsx';
import { useSentence } from '../../message/use-sentence.ts';
import { headerValue } from '../../platform/header-value.ts';
import { useRecords, useRow } from '../../stores/records.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import css from './attempt-details.module.css';
import detailCss from './detail.module.css';
import { ReceivedBy } from './received-by.tsx';
import { Timing } from './timing.tsx';
import { withSecrets } from './with-secrets.ts';

export function AttemptDetails({
  attempt,
  timeoutMs,
  body,
}: {
  attempt: AttemptView;
  timeoutMs: number;
  body: string | null;
}) {
  const sentence = useSentence();
  return (
    <>
      <p className={css.why}>
        <Text>{sentence(attempt)}</Text>
        {attempt.detail !== null && attempt.detail !== '' && (
          <>
            {' '}
            <Text ltr className="mono secondary">
              {attempt.detail}
            </Text>
          </>
        )}
      </p>
      {attempt.phases !== null && <Timing phases={attempt.phases} attempt={attempt} timeoutMs={timeoutMs} />}
      {attempt.certificate !== null && <Certificate attempt={attempt} info={attempt.certificate} />}
      <Request attempt={attempt} body={body} />
      <Response attempt={attempt} />
    </>
  );
}

function Request({ attempt, body }: { attempt: AttemptView; body: string | null }) {
  const sent = attempt.requestHeaders.length > 0;
  return (
    <section className={detailCss.block}>
      <header>
        <h4>Request</h4>
        <span className="muted small nowrap">
          {sent
            ? `${plural(attempt.requestHeaders.length, 'header')}${body === null ? '' : `, ${formatSize(byteLength(body))}`}`
            : noRequestWords(attempt)}
        </span>
        {body !== null && <Copies attempt={attempt} body={body} />}
      </header>
      <p className={css.requestLine}>
        <span className="medium">POST</span> <Text ltr>{attempt.url}</Text>
      </p>
      <ReceivedBy attempt={attempt} />
      <HeaderList headers={attempt.requestHeaders} />
    </section>
  );
}

function Copies({ attempt, body }: { attempt: AttemptView; body: string }) {
  const hook = useRecords((state) => state.webhooks.find(({ id }) => id === attempt.webhookId));
  const messageId = useRow(attempt.messageId)?.messageId;
  // By its name the webhook's own headers go along; one that has changed is another target.
  const to = hook?.url === attempt.url && !/^\d*$/.test(hook.name) ? hook.name : attempt.url;
  const hides = attempt.requestHeaders.some((header) => 'hiddenLength' in header);
  const request = (): CurlRequest => ({ url: attempt.url, headers: attempt.requestHeaders, body });
  return (
    <span className={css.copies}>
      <CopyCurl
        name="this attempt"
        request={request}
        {...(hides && { secret: () => withHidden(attempt, body) })}
        {...(messageId !== undefined && { command: replayLine(messageId, to) })}
      />
    </span>
  );
}

/** Null when the values could not be read and the user was told why. */
async function withHidden(attempt: AttemptView, body: string): Promise<CurlRequest | null> {
  const webhook = useRecords.getState().webhooks.find(({ id }) => id === attempt.webhookId);
  try {
    const { headers, missing } = await withSecrets(attempt.requestHeaders, webhook, (name, at) =>
      headerValue(attempt.webhookId, name, at),
    );
    if (missing > 0)
      showToast({
        title: `${plural(missing, 'hidden value')} not filled in`,
        body: "The webhook's headers have changed since this attempt.",
      });
    return { url: attempt.url, headers, body };
  } catch (error) {
    showFailure('copy with secrets', error);
    return null;
  }
}

function Response({ attempt }: { attempt: AttemptView }) {
  if (attempt.status === null) return null;
  const tone = attempt.outcome === 'accepted' ? 'ok' : attempt.outcome === 'throttled' ? 'warn' : 'bad';
  return (
    <section className={detailCss.block}>
      <header>
        <h4>Response</h4>
        <span className="muted small" title={formatExactSize(attempt.responseBytes)}>
          {plural(attempt.responseHeaders.length, 'header')}, {formatSize(attempt.responseBytes)}
          {attempt.responseCut && ', not kept whole'}
        </span>
      </header>
      <p className={css.requestLine}>
        <Text ltr className={cx('medium', toneCss[tone])}>
          {`${attempt.status} ${attempt.statusText}`.trim()}
        </Text>
      </p>
      <HeaderList headers={attempt.responseHeaders} />
      <ResponseBody attempt={attempt} />
    </section>
  );
}

function Certificate({ attempt, info }: { attempt: AttemptView; info: CertificateView }) {
  const reason = attempt.outcome === 'refused_certificate' ? (attempt.reason ?? 'certificate_invalid') : null;
  const [open, setOpen] = useState(reason !== null);
  return (
    <section className={detailCss.block} aria-label="Certificate">
      <header>
        <h4>Certificate</h4>
        <CertificateVerdict info={info} reason={reason} />
        <span className="spacer" />
        <Button size="sm" variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide certificate' : 'View certificate'}
        </Button>
      </header>
      {open && <CertificateFacts info={info} />}
    </section>
  );
}
