import { useId } from 'react';
import type { DestinationView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import inputCss from '../../components/input.module.css';
import { Input } from '../../components/input.tsx';
import { cx } from '../../lib/cx.ts';
import { plural } from '../../lib/format.ts';
import screenCss from './signature-screen.module.css';

/** The shared secret, which the engine uses and nobody can read back, or one typed for this question only. */
export function SecretField({
  secret,
  typed,
  onType,
}: {
  secret: DestinationView['secret'] | null;
  typed: string | null;
  onType: (secret: string | null) => void;
}) {
  const about = useId();
  const isSet = secret?.state === 'set';
  return (
    <div className={screenCss.block}>
      <div className={screenCss.head}>
        <h2>2. The secret</h2>
        <span className="spacer" />
        <Button size="sm" onClick={() => onType(typed === null ? '' : null)}>
          {typed === null ? 'Type another' : 'Use the shared one'}
        </Button>
      </div>
      {typed !== null ? (
        <Input
          mono
          aria-label="Secret"
          aria-describedby={about}
          value={typed}
          maxLength={1024}
          onChange={(event) => onType(event.target.value)}
        />
      ) : (
        isSet && (
          <div className={cx('mono', inputCss.box)} title={plural(secret.length, 'character')}>
            <span className="visually-hidden">{`hidden, ${plural(secret.length, 'character')}`}</span>
            <span className="secondary" aria-hidden="true">
              {'•'.repeat(Math.min(18, secret.length))}
            </span>
          </div>
        )
      )}
      <p id={about} className={cx('muted small', screenCss.hint)}>
        {typed === null
          ? sharedText(secret)
          : 'Used for this comparison and kept nowhere. Type it as your receiver has it.'}
      </p>
    </div>
  );
}

function sharedText(secret: DestinationView['secret'] | null): string {
  switch (secret?.state) {
    case 'set':
      return 'The shared secret of the destination. The engine uses it and never shows it.';
    case 'unreadable':
      return 'The shared secret cannot be read. Type the one that your receiver has.';
    default:
      return 'Requests are not signed, because there is no shared secret. Type the one that your receiver has.';
  }
}
