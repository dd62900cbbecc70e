/** Everything about one attempt: why, timing, what was sent, what came back, the certificate. */
import { useState } from 'react';
import type { AttemptView, CertificateView, PhasesView } from '../../../contract/values.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Text } from '../../components/text.tsx';
import { byteLength, formatDuration, formatExactSize, formatSize, formatSpan, plural } from '../../lib/format.ts';
import { attemptSentence } from '../../lib/words.ts';
import { curlCommand } from './curl.ts';
import css from './detail.module.css';
import { HeaderList } from './header-list.tsx';
import { ResponseBody } from './response-body.tsx';

const PHASES: readonly (readonly [keyof PhasesView, string])[] = [
  ['queueMs', 'Queue'],
  ['dnsMs', 'DNS lookup'],
  ['tcpMs', 'TCP connect'],
  ['tlsMs', 'TLS handshake'],
  ['certificateMs', 'Certificate check'],
  ['sendMs', 'Send request'],
  ['waitMs', 'Wait for response'],
  ['readMs', 'Read response'],
];

export function AttemptDetails({
  attempt,
  timeoutMs,
  body,
}: {
  attempt: AttemptView;
  timeoutMs: number;
  body: string | null;
}) {
  return (
    <>
      <p className={css.why}>
        <Text>{attemptSentence(attempt, timeoutMs)}</Text>
        {attempt.detail !== null && attempt.detail !== '' && (
          <>
            {' '}
            <Text ltr className="mono t2">
              {attempt.detail}
            </Text>
          </>
        )}
      </p>
      {attempt.certificate !== null && <Certificate certificate={attempt.certificate} />}
      {attempt.phases !== null && <Timing phases={attempt.phases} attempt={attempt} timeoutMs={timeoutMs} />}
      <Request attempt={attempt} body={body} />
      <Response attempt={attempt} />
    </>
  );
}

function Timing({ phases, attempt, timeoutMs }: { phases: PhasesView; attempt: AttemptView; timeoutMs: number }) {
  const parts = PHASES.flatMap(([key, name]) => (phases[key] === null ? [] : [{ key, name, ms: phases[key] }]));
  const total = Math.max(
    1e-6,
    parts.reduce((sum, part) => sum + part.ms, 0),
  );
  let before = 0;
  return (
    <section className={css.block}>
      <header>
        <h4>Timing</h4>
        {attempt.durationMs !== null && (
          <span className="t3 s12">
            {formatDuration(attempt.durationMs)} of the {formatSpan(timeoutMs)} limit
          </span>
        )}
      </header>
      {parts.length === 0 && <p className="t3 s12">No phase was reached.</p>}
      <dl className={css.phases}>
        {parts.map(({ key, name, ms }) => {
          const left = (before / total) * 100;
          before += ms;
          return (
            <div key={key}>
              <dt className="t2">{name}</dt>
              <span className={css.phaseBar} aria-hidden="true">
                <i
                  className={key === 'waitMs' ? css.barAccent : css.barIdle}
                  style={{ left: `${Math.min(left, 99)}%`, width: `${Math.max(0.8, (ms / total) * 100)}%` }}
                />
              </span>
              <dd className="mono t2 r">{formatDuration(ms)}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function Request({ attempt, body }: { attempt: AttemptView; body: string | null }) {
  const sent = attempt.requestHeaders.length > 0;
  return (
    <section className={css.block}>
      <header>
        <h4>Request</h4>
        <span className="t3 s12">
          {sent
            ? `${plural(attempt.requestHeaders.length, 'header')}${body === null ? '' : `, ${formatSize(byteLength(body))} body`}`
            : attempt.outcome === null
              ? 'open'
              : 'nothing was sent'}
        </span>
        <span className="sp" />
        {body !== null && (
          <CopyButton
            label="Copy as curl, this attempt"
            text={() => curlCommand({ url: attempt.url, headers: attempt.requestHeaders, body })}
          >
            Copy as curl
          </CopyButton>
        )}
      </header>
      <p className={css.requestLine}>
        <span className="b5">POST</span> <Text ltr>{attempt.url}</Text>
      </p>
      <HeaderList headers={attempt.requestHeaders} />
    </section>
  );
}

function Response({ attempt }: { attempt: AttemptView }) {
  if (attempt.status === null) return null;
  const tone = attempt.outcome === 'accepted' ? 'ok' : attempt.outcome === 'throttled' ? 'warn' : 'bad';
  return (
    <section className={css.block}>
      <header>
        <h4>Response</h4>
        <span className="t3 s12" title={formatExactSize(attempt.responseBytes)}>
          {plural(attempt.responseHeaders.length, 'header')}, {formatSize(attempt.responseBytes)}
          {attempt.responseCut && ', not kept whole'}
        </span>
      </header>
      <p className={css.requestLine}>
        <Text ltr className={`b5 ${tone}`}>
          {`${attempt.status} ${attempt.statusText}`.trim()}
        </Text>
      </p>
      <HeaderList headers={attempt.responseHeaders} />
      <ResponseBody attempt={attempt} />
    </section>
  );
}

function Certificate({ certificate }: { certificate: CertificateView }) {
  const [whole, setWhole] = useState(false);
  const facts = [
    ['Subject', certificate.subject],
    ['Issuer', certificate.issuer],
    ['Valid', `${certificate.validFrom} to ${certificate.validTo}`],
    ['Names', certificate.names],
  ] as const;
  return (
    <section className={css.block}>
      <header>
        <h4>Certificate</h4>
      </header>
      <dl className={css.headers}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Text ltr>{value === '' ? 'none' : value}</Text>
            </dd>
          </div>
        ))}
        <div>
          <dt>SHA-256</dt>
          <dd>
            <button type="button" className={css.plainButton} onClick={() => setWhole(!whole)} aria-expanded={whole}>
              <Text ltr>{whole ? certificate.fingerprint256 : `${certificate.fingerprint256.slice(0, 23)}\u2026`}</Text>
            </button>
          </dd>
        </div>
      </dl>
    </section>
  );
}
