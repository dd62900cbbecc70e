/** The signature of the stored body, below what changed before sending; beside it, code for a receiver. */
import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from 'lucide-react';
import type { MessageDetail } from '../../../../contract/values.ts';
import { Kbd } from '../../../components/tag.tsx';
import toneCss from '../../../components/tone.module.css';
import { cx } from '../../../lib/cx.ts';
import { byteLength, formatCount } from '../../../lib/format.ts';
import { inGroupsOf8 } from '../../../message/body.ts';
import { unsignedText } from '../../../message/copies.ts';
import { TABS } from '../../../message/detail-tabs.ts';
import { VerifySnippet } from '../../../message/verify-snippet.tsx';
import { useRecords } from '../../../stores/records.ts';
import { formatRoute } from '../../../stores/route.ts';
import css from './signature-strip.module.css';
import { type StripVerdict, storedBodySigned, verdictOf } from './stored-body-signed.ts';

const SHIELDS = {
  verified: { icon: ShieldCheck, tone: toneCss.ok },
  another: { icon: ShieldAlert, tone: toneCss.warn },
  unchecked: { icon: ShieldQuestionMark, tone: 'muted' },
  unsent: { icon: ShieldQuestionMark, tone: 'muted' },
  unsigned: { icon: ShieldQuestionMark, tone: 'muted' },
} as const;

const TITLES: Readonly<Record<StripVerdict, string>> = {
  verified: 'Signature verified',
  another: 'Another signature was sent',
  unchecked: 'Signature not checked',
  unsent: 'No request carried the signature',
  unsigned: 'Not signed',
};

export function SignatureStrip({ detail, full }: { detail: MessageDetail; full: boolean }) {
  const { signature } = detail;
  const secret = useRecords((state) => state.destination?.secret);
  const signed = storedBodySigned(detail);
  const verdict = verdictOf(signed?.shown.header ?? null, signature);
  const { icon: Icon, tone } = SHIELDS[verdict];
  const { id } = detail.message;
  return (
    <div className={css.strip}>
      <section className={css.facts} aria-label={TITLES[verdict]}>
        <div className="flex-row">
          <Icon className={cx('icon icon-large', tone)} aria-hidden="true" />
          <h3>{TITLES[verdict]}</h3>
          <span className="spacer" />
          <a href={formatRoute({ screen: 'live', messageId: id, tab: 'signature', full })}>Open the tab</a>
          <Kbd>{TABS.indexOf('signature') + 1}</Kbd>
        </div>
        <dl>
          {signed !== null && <Row name="X-Signature" value={inGroupsOf8(signed.shown.header).join(' ')} />}
          {signature !== null && <Row name="Recomputed" value={inGroupsOf8(signature).join(' ')} />}
          {signature !== null && <Row name="Algorithm" value="HMAC-SHA1, lowercase hex" />}
          {signature !== null && <Row name="Bytes signed" value={bytesText(detail.deliveredJson ?? '', verdict)} />}
        </dl>
        <p className="muted small">
          {signature === null && secret !== undefined && `${unsignedText(secret)} `}
          {signed?.sentence}
          {verdict === 'another' && ' The shared secret has changed since.'}
        </p>
      </section>
      <div className={css.code}>
        <VerifySnippet title="Verify in your receiver" short />
      </div>
    </div>
  );
}

const Row = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

const bytesText = (body: string, verdict: StripVerdict): string =>
  `${formatCount(byteLength(body))}, the body exactly as ${verdict === 'unsent' ? 'stored' : 'sent'}`;
