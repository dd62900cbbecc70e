import { RefreshCw, ShieldAlert, ShieldCheck, ShieldOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { DestinationView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import cardCss from '../../components/card.module.css';
import { failureText } from '../../components/commit-field.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import inputCss from '../../components/input.module.css';
import { Field, Input } from '../../components/input.tsx';
import { Badge } from '../../components/tag.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { plural } from '../../lib/format.ts';
import { useShellFacts } from '../../platform/desktop.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import { makeSecret, setSecret } from './actions.ts';
import css from './secret-card.module.css';

type Step = 'rest' | 'enter' | 'ask-new' | 'ask-off';

/** The shared secret: set, replaced, shown once when it is generated, never read back. */
export function SecretCard({ secret, signature }: Pick<DestinationView, 'secret' | 'signature'>) {
  const [step, setStep] = useState<Step>('rest');
  const [made, setMade] = useState<string | null>(null);
  const rest = () => setStep('rest');

  const make = async () => {
    try {
      setMade(await makeSecret());
    } catch (error) {
      showFailure('make a secret', error);
    }
  };
  const turnOff = async () => {
    try {
      await setSecret(null);
      setMade(null);
      showToast({ title: 'Signing is off', body: 'Requests carry no signature.' });
    } catch (error) {
      showFailure('turn signing off', error);
    }
  };
  return (
    <section className={cardCss.card} aria-labelledby="secret-title">
      <header>
        <h2 id="secret-title">Shared secret</h2>
        <span className="spacer" />
        <SecretBadge state={secret.state} />
      </header>
      <div className={cx(cardCss.body, cardCss.stacked)}>
        {made !== null && secret.state === 'set' ? (
          <MadeSecret secret={made} onDone={() => setMade(null)} />
        ) : step === 'enter' ? (
          <EnterSecret onDone={rest} />
        ) : (
          <SecretAtRest secret={secret} signature={signature}>
            <Button
              size="sm"
              icon={RefreshCw}
              onClick={() => (secret.state === 'none' ? void make() : setStep('ask-new'))}
            >
              New secret
            </Button>
            <Button size="sm" onClick={() => setStep('enter')}>
              {secret.state === 'none' ? 'Enter one' : 'Replace'}
            </Button>
            {secret.state !== 'none' && (
              <Button size="sm" variant="ghost" onClick={() => setStep('ask-off')}>
                Turn signing off
              </Button>
            )}
          </SecretAtRest>
        )}
        <KeyInFile />
      </div>
      <ConfirmDialog
        open={step === 'ask-new'}
        title="Make a new secret"
        verb="Make new secret"
        danger={false}
        onClose={rest}
        onConfirm={() => void make()}
      >
        <p>Receivers that verify with the present secret will report a mismatch until they have the new one.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={step === 'ask-off'}
        title="Turn signing off"
        verb="Turn off"
        onClose={rest}
        onConfirm={() => void turnOff()}
      >
        <p>The secret is deleted and requests carry no signature. It cannot be restored.</p>
      </ConfirmDialog>
    </section>
  );
}

/** Only the desktop shell knows. Without a key store, or after `--key-file`, the key is a file of the workspace. */
function KeyInFile() {
  const inFile = useShellFacts(({ facts }) => facts?.keyStorage === 'file');
  if (!inFile) return null;
  return (
    <p className="muted small">
      The key that seals secrets lies in a file of the workspace, not in the key store of the system.
    </p>
  );
}

function SecretBadge({ state }: { state: DestinationView['secret']['state'] }) {
  if (state === 'set') {
    return (
      <Badge small tone="ok">
        <ShieldCheck className={cx('icon', toneCss.ok)} aria-hidden="true" />
        <span className={toneCss.ok}>Signing on</span>
      </Badge>
    );
  }
  if (state === 'unreadable') {
    return (
      <Badge small tone="bad">
        <ShieldAlert className={cx('icon', toneCss.bad)} aria-hidden="true" />
        <span className={toneCss.bad}>Unreadable</span>
      </Badge>
    );
  }
  return (
    <Badge small>
      <ShieldOff className="icon muted" aria-hidden="true" />
      <span className="secondary">Signing off</span>
    </Badge>
  );
}

function SecretAtRest({
  secret,
  signature,
  children,
}: Pick<DestinationView, 'secret' | 'signature'> & { children: ReactNode }) {
  const header = signature === 'x-signature' ? 'X-Signature' : 'webhook-signature';
  return (
    <>
      {secret.state === 'set' && (
        <div className={cx('mono', inputCss.box)} title={plural(secret.length, 'character')}>
          <span className="visually-hidden">
            {`hidden, ${plural(secret.length, 'character')}`}
            {secret.last2 !== '' && `, ending in ${secret.last2}`}
          </span>
          <span className="secondary ellipsis" aria-hidden="true">
            {'•'.repeat(Math.min(24, Math.max(0, secret.length - secret.last2.length)))}
            {secret.last2}
          </span>
        </div>
      )}
      <p className={secret.state === 'unreadable' ? cx('small', toneCss.bad) : 'muted small'}>
        {secret.state === 'set' && (
          <>
            Each request carries <span className="mono nowrap">{header}</span>:{' '}
            {signature === 'x-signature'
              ? 'the lowercase hex HMAC-SHA1 of the exact body.'
              : 'the base64 HMAC-SHA256 of its id, its time and the exact body.'}
          </>
        )}
        {secret.state === 'none' && (
          <>
            Requests are not signed. Add a shared secret to send <span className="mono nowrap">{header}</span>.
          </>
        )}
        {secret.state === 'unreadable' &&
          'A secret is stored, but this machine cannot read it. Delivery is paused, so that nothing is sent unsigned.'}
      </p>
      <div className={cx('flex-row', css.wrapping)}>{children}</div>
    </>
  );
}

/** The only time that a secret is on the screen. */
function MadeSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <>
      <div className={cx('mono', inputCss.box, inputCss.focused)}>
        <span className="ellipsis">{secret}</span>
        <span className="spacer" />
        <CopyButton text={secret} label="Copy the new secret" />
      </div>
      <p className={cx('small', toneCss.warn)} role="status">
        Copy it now. It is not shown again.
      </p>
      <div className="flex-row">
        <Button size="sm" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  );
}

function EnterSecret({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const save = async () => {
    if (text === '') return setError('Enter a secret, or cancel.');
    try {
      await setSecret(text);
      showToast({ title: 'Secret saved', body: 'The next request is signed with it.' });
      onDone();
    } catch (failure) {
      setError(failureText(failure));
    }
  };
  return (
    <form
      className={css.enter}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label="Shared secret of the receivers" stacked error={error}>
        {(control) => (
          <Input
            {...control}
            mono
            type="password"
            autoComplete="new-password"
            maxLength={1024}
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="flex-row">
        <Button type="submit" size="sm" variant="primary">
          Save secret
        </Button>
        <Button size="sm" variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
