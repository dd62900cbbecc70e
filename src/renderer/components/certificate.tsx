/** A certificate that a server presented, and whether it was trusted. */

import { Lock, ShieldX } from 'lucide-react';
import { useState } from 'react';
import type { CertificateView } from '../../contract/values.ts';
import { cx } from '../lib/cx.ts';
import { formatCount, formatDateTime, formatDay } from '../lib/format.ts';
import { certificateReason } from '../lib/words/certificates.ts';
import { Button } from './button.tsx';
import css from './certificate.module.css';
import { CopyButton } from './copy-button.tsx';
import layoutCss from './layout.module.css';
import { Text } from './text.tsx';
import toneCss from './tone.module.css';

const FOLD_AFTER = 300;

/** `Certificate trusted, valid to 3 Mar 2027` or `Refused: self-signed`. A null reason means trusted. */
export function certificateVerdict({ info, reason }: { info: CertificateView; reason: string | null }): string {
  if (reason !== null) return `Refused: ${certificateReason(reason)}`;
  const end = Date.parse(info.validTo);
  return Number.isNaN(end) ? 'Certificate trusted' : `Certificate trusted, valid to ${formatDay(end)}`;
}

export function CertificateVerdict(props: { info: CertificateView; reason: string | null }) {
  const trusted = props.reason === null;
  const Icon = trusted ? Lock : ShieldX;
  return (
    <span className={cx('flex-row small', layoutCss.gap6, trusted ? toneCss.ok : toneCss.bad)}>
      <Icon className="icon" aria-hidden="true" />
      {certificateVerdict(props)}
    </span>
  );
}

const dateText = (iso: string): string =>
  Number.isNaN(Date.parse(iso)) ? iso : formatDateTime(Date.parse(iso)).slice(0, -4);

/** A server's name can have any length, so anything over a few lines unfolds on demand. */
function Foreign({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  if (text === '') return <span className="muted">none</span>;
  const folded = text.length > FOLD_AFTER && !whole;
  return (
    <>
      <Text ltr>{folded ? `${text.slice(0, FOLD_AFTER)}\u2026` : text}</Text>
      {folded && (
        <Button size="sm" variant="ghost" onClick={() => setWhole(true)}>
          {`Show all ${formatCount(text.length)} characters`}
        </Button>
      )}
    </>
  );
}

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
    <dl className={css.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Foreign text={value} />
            {name === 'Issuer' && value !== '' && value === info.subject && <span className="muted">, the same</span>}
          </dd>
        </div>
      ))}
      <div>
        <dt>SHA-256</dt>
        <dd className={css.fingerprint}>
          <Text ltr>{info.fingerprint256}</Text>
          <CopyButton label="Copy the fingerprint" text={info.fingerprint256} />
        </dd>
      </div>
    </dl>
  );
}
