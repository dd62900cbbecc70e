import { useId } from 'react';
import { MAX_DIGEST } from '../../../contract/signature-lab.ts';
import { Input } from '../../components/input.tsx';
import { cx } from '../../lib/cx.ts';
import screenCss from './signature-screen.module.css';

/** What the receiver computed, in any form in which people paste it. */
export function DigestField({
  digest,
  problem,
  onDigest,
}: {
  digest: string;
  problem: string | null;
  onDigest: (digest: string) => void;
}) {
  const id = useId();
  return (
    <div className={screenCss.block}>
      <div className={screenCss.head}>
        <h2>
          <label htmlFor={id}>3. The digest your receiver computed</label>
        </h2>
      </div>
      <Input
        id={id}
        mono
        value={digest}
        maxLength={MAX_DIGEST}
        invalid={problem !== null}
        aria-describedby={`${id}-about`}
        onChange={(event) => onDigest(event.target.value)}
      />
      <p id={`${id}-about`} className={problem === null ? cx('muted small', screenCss.hint) : screenCss.error}>
        {problem ?? "Paste it from your receiver's log. 40 hex characters, either case."}
      </p>
    </div>
  );
}
