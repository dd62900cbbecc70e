/** A certificate that a server presented, and whether it was trusted. */
import { Lock, ShieldX } from 'lucide-react';
import type { CertificateView } from '../../contract/values.ts';
import { cx } from '../lib/cx.ts';
import { formatDateTime, formatDay } from '../lib/format.ts';
import { certificateReason } from '../lib/words.ts';
import { CopyButton } from './copy-button.tsx';
import { Text } from './text.tsx';

/** `Certificate trusted, valid to 3 Mar 2027` or `Refused: self-signed`; null reason: it was trusted. */
export function certificateVerdict({ info, reason }: { info: CertificateView; reason: string | null }): string {
  if (reason !== null) return `Refused: ${certificateReason(reason)}`;
  const end = Date.parse(info.validTo);
  return Number.isNaN(end) ? 'Certificate trusted' : `Certificate trusted, valid to ${formatDay(end)}`;
}

export function CertificateVerdict(props: { info: CertificateView; reason: string | null }) {
  const trusted = props.reason === null;
  const Icon = trusted ? Lock : ShieldX;
  return (
    <span className={cx('row g6 s12', trusted ? 'ok' : 'bad')}>
      <Icon className="ic s14" aria-hidden="true" />
      {certificateVerdict(props)}
    </span>
  );
}

const dateText = (iso: string): string =>
  Number.isNaN(Date.parse(iso)) ? iso : formatDateTime(Date.parse(iso)).slice(0, -4);

/** Subject, issuer, validity, names, fingerprint. Dates in local time. */
export function CertificateFacts({ info }: { info: CertificateView }) {
  const facts = [
    ['Subject', info.subject],
    ['Issuer', info.issuer],
    ['Valid from', dateText(info.validFrom)],
    ['Valid to', dateText(info.validTo)],
    ['Names', info.names],
  ] as const;
  return (
    <dl className="cert">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Text ltr>{value === '' ? 'none' : value}</Text>
            {name === 'Issuer' && value !== '' && value === info.subject && <span className="t3">, the same</span>}
          </dd>
        </div>
      ))}
      <div>
        <dt>SHA-256</dt>
        <dd className="cert-print">
          <Text ltr>{info.fingerprint256}</Text>
          <CopyButton label="Copy the fingerprint" text={info.fingerprint256} />
        </dd>
      </div>
    </dl>
  );
}
