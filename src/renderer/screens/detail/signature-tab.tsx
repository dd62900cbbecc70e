/** The signature of a message: the digest, the bytes that were signed, how to verify, and the requests that carried it. */
import { ShieldCheck } from 'lucide-react';
import type { MessageDetail } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { byteLength, formatExactSize, formatIso, formatTime, plural } from '../../lib/format.ts';
import { inGroupsOf8 } from '../../message/body.ts';
import { unsignedText } from '../../message/copies.ts';
import { VerifySnippet } from '../../message/verify-snippet.tsx';
import { useRecords } from '../../stores/records.ts';
import { navigate } from '../../stores/route.ts';
import { type Carried, carriedBy } from './carried.ts';
import css from './signature-tab.module.css';
import { useVerifiedReplays } from './use-verified-replays.ts';

/** Edited replays sent other bytes, so their signatures are told apart. */
export function SignatureTab({ detail }: { detail: MessageDetail }) {
  const secret = useRecords((state) => state.destination?.secret ?? null);
  const { signature, deliveredJson } = detail;
  const requests = carriedBy(detail);
  const verified = useVerifiedReplays(requests, signature);
  const judge = ({ attempt, header }: Carried): Verdict =>
    header === signature ? 'above' : verified.has(attempt.id) ? 'own' : 'other';
  const verdicts = new Set(requests.map(judge));
  const newest = requests.at(-1);
  return (
    <div className={css.tab}>
      <section aria-label="Digest of now">
        <h3>Digest of the stored body</h3>
        {signature === null ? (
          <p className="secondary">
            {deliveredJson === null
              ? 'The message has no delivered body, so there is nothing to sign.'
              : secret === null
                ? ''
                : unsignedText(secret)}
          </p>
        ) : (
          <>
            <div className="flex-row">
              <span className="mono">{inGroupsOf8(signature).join(' ')}</span>
              <CopyButton label="Copy X-Signature" text={signature} />
            </div>
            <p className="muted small">
              {`HMAC-SHA1 of ${formatExactSize(byteLength(deliveredJson ?? ''))} with the shared secret of now, computed by the engine just now. The Payload tab has these bytes.`}
            </p>
          </>
        )}
      </section>
      <section aria-label="Requests that carried a signature">
        <div className="flex-row">
          <h3>
            {requests.length === 0
              ? 'No request carried a signature'
              : `Carried by ${plural(requests.length, 'request')}`}
          </h3>
          <span className="spacer" />
          {newest !== undefined && <OpenInLab attemptId={newest.attempt.id} />}
        </div>
        <ul>
          {requests.map(({ attempt, header }) => (
            <li key={attempt.id} className={css.request}>
              <time className="mono secondary" dateTime={formatIso(attempt.startedAt)}>
                {formatTime(attempt.startedAt)}
              </time>
              <span className="ellipsis">
                <Text>{attempt.webhookName === '' ? attempt.url : attempt.webhookName}</Text>
                {attempt.replayId !== null && <span className="muted"> replay</span>}
              </span>
              <span className="mono secondary" title={header}>
                {`${header.slice(0, 8)}\u2026${header.slice(-8)}`}
              </span>
              <VerdictWords verdict={judge({ attempt, header })} />
            </li>
          ))}
        </ul>
        {verdicts.has('own') && (
          <p className="muted small">
            The body it sent: a replay sent other bytes than the stored ones. Their digest with the shared secret of now
            is the signature that it carried.
          </p>
        )}
        {verdicts.has('other') && (
          <p className="muted small">
            Another signature was made with an earlier shared secret, or is that of an edited replay.
          </p>
        )}
      </section>
      <VerifySnippet title="Verify it in your receiver" />
    </div>
  );
}

/** `own`: the digest of what an edited replay sent. */
type Verdict = 'above' | 'own' | 'other';

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  above: 'the digest above',
  own: 'the body it sent',
  other: 'another one',
};

const VerdictWords = ({ verdict }: { verdict: Verdict }) => (
  <span className={cx('muted', css.verdict)}>
    {verdict !== 'other' && <ShieldCheck className={cx('icon', toneCss.ok)} aria-label="Verified" />}
    {VERDICT_WORDS[verdict]}
  </span>
);

const OpenInLab = ({ attemptId }: { attemptId: number }) => (
  <Button onClick={() => navigate({ screen: 'signature', attemptId })}>Open in Signature lab</Button>
);
