/** The signature of a message: the digest, the bytes that were signed, how to verify, and the requests that carried it. */
import type { AttemptView, MessageDetail } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Text } from '../../components/text.tsx';
import { byteLength, formatExactSize, formatIso, formatTime, plural } from '../../lib/format.ts';
import { inGroupsOf8 } from '../../message/body.ts';
import { unsignedText } from '../../message/copies.ts';
import { VerifySnippet } from '../../message/verify-snippet.tsx';
import { useRecords } from '../../stores/records.ts';
import { navigate } from '../../stores/route.ts';
import css from './signature-tab.module.css';

/** Edited replays sent other bytes, so their signatures are told apart. */
export function SignatureTab({ detail }: { detail: MessageDetail }) {
  const secret = useRecords((state) => state.destination?.secret ?? null);
  const { signature, deliveredJson } = detail;
  const requests = requestsOf(detail);
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
              <span className="muted">{header === signature ? 'the digest above' : 'another one'}</span>
            </li>
          ))}
        </ul>
        {requests.some(({ header }) => header !== signature) && (
          <p className="muted small">
            Another signature was made with an earlier shared secret, or is that of an edited replay.
          </p>
        )}
      </section>
      <VerifySnippet title="Verify it in your receiver" />
    </div>
  );
}

const OpenInLab = ({ attemptId }: { attemptId: number }) => (
  <Button onClick={() => navigate({ screen: 'signature', attemptId })}>Open in Signature lab</Button>
);

/** Attempts that sent X-Signature, oldest first, with its value. */
function requestsOf({ attempts, replays }: MessageDetail): Array<{ attempt: AttemptView; header: string }> {
  const all = new Map([...attempts, ...replays.flatMap((replay) => replay.attempts)].map((one) => [one.id, one]));
  return [...all.values()]
    .sort((a, b) => a.id - b.id)
    .flatMap((attempt) => {
      const header = attempt.requestHeaders.find(({ name }) => name === 'X-Signature');
      return header !== undefined && 'value' in header ? [{ attempt, header: header.value }] : [];
    });
}
