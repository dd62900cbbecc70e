import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import type { AuthorityView, HttpsView } from '../../../contract/values.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import cardCss from '../../components/card.module.css';
import { failureText } from '../../components/commit-field.tsx';
import { Switch } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import factsCss from '../../components/facts.module.css';
import layoutCss from '../../components/layout.module.css';
import { Text } from '../../components/text.tsx';
import { authorityPem, httpsUrl, setHttps, turnHttps } from '../../frame/https-actions.ts';
import { PortDialog } from '../../frame/port-dialog.tsx';
import { copyText } from '../../lib/copy.ts';
import { cx } from '../../lib/cx.ts';
import { formatAgo, formatDay, plural } from '../../lib/format.ts';
import { showCopyRefused } from '../../stores/copied.ts';
import { useRecords } from '../../stores/records.ts';
import { saveAndSay } from '../../stores/saved.ts';
import { useNow } from '../../stores/ticker.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import css from './https-card.module.css';

const DEFAULT_PORT = 8768;
const LAST_PORT = 65_535;

/** The https listener for clients that only speak https, and the certificate that they must trust. */
export function HttpsCard() {
  const https = useRecords((state) => state.status?.https);
  const [choosing, setChoosing] = useState(false);
  if (https === undefined) return null;
  return (
    <section className={cx(cardCss.card, css.card)} aria-labelledby="https-title">
      <header>
        <h2 id="https-title">Calls over https</h2>
        <span className="spacer" />
        <Switch checked={https.enabled} label="Receive calls over https" onChange={(on) => void turnHttps(on)} />
      </header>
      <div className={css.body}>
        <p className="secondary">
          Some SDKs speak only https: those for Ruby, PHP, Swift, Kotlin, C# and Android. They need an address of their
          own and a certificate to trust.
        </p>
        {https.enabled && <Troubles https={https} onChoose={() => setChoosing(true)} />}
        {https.enabled && (https.state === 'listening' || https.authority !== null) && (
          <Facts https={https} onChoose={() => setChoosing(true)} />
        )}
      </div>
      <PortDialog
        open={choosing}
        first={https.state === 'port_in_use' ? nextPort(https.port) : https.port}
        busy={false}
        onListen={listenOn}
        onClose={() => setChoosing(false)}
      />
    </section>
  );
}

const nextPort = (port: number): number => (port >= LAST_PORT ? DEFAULT_PORT : port + 1);

/** What is wrong with the chosen port, or null once ingest listens on it. */
async function listenOn(port: number): Promise<string | null> {
  try {
    const { state, message } = await setHttps({ enabled: true, port });
    if (state === 'listening') return null;
    return state === 'port_in_use'
      ? `Port ${port} is in use as well. Choose another.`
      : (message ?? 'It does not listen.');
  } catch (error) {
    return failureText(error);
  }
}

function Troubles({ https, onChoose }: { https: HttpsView; onChoose: () => void }) {
  const { state, port, holder, message, refused } = https;
  if (state === 'port_in_use' || state === 'failed') {
    return (
      <Banner
        tone="bad"
        alert
        title={state === 'port_in_use' ? `Port ${port} is in use.` : 'It does not listen.'}
        actions={
          <>
            <Button size="sm" onClick={onChoose}>
              Choose a port
            </Button>
            <Button size="sm" onClick={() => void turnHttps(true)}>
              Try again
            </Button>
          </>
        }
      >
        <span className="secondary">
          {state === 'port_in_use'
            ? `${holder ?? 'Another program'} is listening on it. Calls over http arrive.`
            : message}
        </span>
      </Banner>
    );
  }
  return refused === null ? null : <Refused refused={refused} port={port} />;
}

const REFUSED: Readonly<Record<NonNullable<HttpsView['refused']>['reason'], readonly [title: string, way: string]>> = {
  authority_not_trusted: ['A client does not trust the certificate.', 'Give it the certificate below.'],
  plain_http: ['A client speaks http to this port.', 'Point it at https, or at the http port.'],
  handshake_failed: ['A client could not agree on a secure connection.', 'It needs TLS 1.2 or later.'],
};

function Refused({ refused, port }: { refused: NonNullable<HttpsView['refused']>; port: number }) {
  const now = useNow();
  const [title, way] = REFUSED[refused.reason];
  return (
    <Banner tone="warn" title={title}>
      <span className="secondary">
        {`${way} ${plural(refused.count, 'connection')} to port ${port} came to nothing, the last ${formatAgo(refused.lastAt, now)}.`}
      </span>
    </Banner>
  );
}

function Facts({ https, onChoose }: { https: HttpsView; onChoose: () => void }) {
  const url = httpsUrl(https.port);
  return (
    <dl className={cx(factsCss.facts, css.facts)}>
      {https.state === 'listening' && (
        <>
          <dt>Address</dt>
          <dd className={cx('flex-row', layoutCss.gap4)}>
            <span className="mono ellipsis">{url}</span>
            <CopyButton text={url} label="Copy the https address" />
            <Button size="sm" variant="ghost" onClick={onChoose}>
              Change port
            </Button>
          </dd>
        </>
      )}
      {https.authority !== null && <Authority authority={https.authority} />}
    </dl>
  );
}

async function copyPem(): Promise<void> {
  try {
    const done = await copyText(await authorityPem());
    if (done) showToast({ title: 'Certificate copied' });
    else showCopyRefused();
  } catch (error) {
    showFailure('copy the certificate', error);
  }
}

async function savePem(): Promise<void> {
  try {
    await saveAndSay('hookbench-ca.pem', await authorityPem());
  } catch (error) {
    showFailure('save the certificate', error);
  }
}

function Authority({ authority: { fingerprint256, validTo, file } }: { authority: AuthorityView }) {
  return (
    <>
      <dt>Certificate to trust</dt>
      <dd className={cx('flex-row', layoutCss.gap6, css.wrapping)}>
        <Button size="sm" icon={Copy} onClick={() => void copyPem()}>
          Copy PEM
        </Button>
        <Button size="sm" icon={Download} onClick={() => void savePem()}>
          Save as file
        </Button>
        <span className="muted">Valid to {formatDay(validTo)}, for this machine only</span>
      </dd>
      <dt>Its file</dt>
      <dd className={cx('flex-row', layoutCss.gap4)}>
        <span className="mono secondary ellipsis" title={file}>
          <Text ltr>{file}</Text>
        </span>
        <CopyButton text={file} label="Copy the path of the certificate" />
      </dd>
      <dt>SHA-256</dt>
      <dd className={cx('flex-row', layoutCss.gap4)}>
        <span className={cx('mono secondary', css.fingerprint)}>{fingerprint256}</span>
        <CopyButton text={fingerprint256} label="Copy the fingerprint" />
      </dd>
    </>
  );
}
