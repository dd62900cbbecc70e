import { ShieldCheck } from 'lucide-react';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { inGroupsOf8 } from '../../message/body.ts';
import blockCss from './blocks.module.css';
import css from './signature-verified.module.css';
import type { VerifiedBy } from './use-notice-sent.ts';

/** A test receiver has checked the signature of the body that is shown. */
export function SignatureVerified({ verified: { receiver, digest } }: { verified: VerifiedBy }) {
  return (
    <section className={blockCss.block} aria-label="Signature verified">
      <div className={cx('flex-row', blockCss.heading)}>
        <ShieldCheck className={cx('icon', toneCss.ok)} aria-hidden="true" />
        <h3>Signature verified</h3>
      </div>
      <p className="muted small">X-Signature</p>
      <p className={cx('mono', css.digest)}>{inGroupsOf8(digest).join(' ')}</p>
      <p className={cx('muted small', blockCss.note)}>
        The receiver <Text>{receiver}</Text> got the body that is shown here and checked it with the shared secret.
      </p>
    </section>
  );
}
