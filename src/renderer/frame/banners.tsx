import { useState } from 'react';
import { Banner } from '../components/banner.tsx';
import { Button } from '../components/button.tsx';
import { call, retryNow } from '../platform/connect.ts';
import { applyAnswer, useRecords } from '../stores/records.ts';
import { navigate, useRoute } from '../stores/route.ts';
import { showFailure, showToast } from '../stores/toasts.ts';
import { ingestUrl } from './endpoint-chip.tsx';

/** What is wrong with the engine right now, each with the way out. */
export function Banners() {
  const status = useRecords((state) => state.status);
  const connection = useRecords((state) => state.connection);
  const unreadable = useRecords((state) => state.destination?.secret.state === 'unreadable');
  if (status === null) return null;
  if (connection !== 'open') return <LostBanner />;
  return (
    <>
      {status.listener.state !== 'listening' && <ListenerBanner />}
      {!status.storeWritable && <StoreBanner />}
      {(unreadable || status.deliveryPaused === 'secret_unreadable') && <SecretBanner />}
    </>
  );
}

function LostBanner() {
  return (
    <Banner
      className="pb"
      tone="warn"
      title="The engine is out of reach."
      actions={
        <Button size="sm" onClick={retryNow}>
          Try now
        </Button>
      }
    >
      <span className="t2">What is shown may be old. Hookbench tries again by itself.</span>
    </Banner>
  );
}

function ListenerBanner() {
  const listener = useRecords((state) => state.status?.listener);
  const [busy, setBusy] = useState(false);
  if (listener === undefined) return null;

  const listen = async (port?: number) => {
    setBusy(true);
    try {
      const status = await call('ingest.listen', port === undefined ? {} : { port });
      applyAnswer({ status });
      if (status.listener.state === 'listening')
        showToast({ title: `Listening on ${ingestUrl(status.listener.port)}` });
    } catch (error) {
      showFailure(`listen on port ${port ?? listener.port}`, error);
    } finally {
      setBusy(false);
    }
  };
  const taken = listener.state === 'port_in_use';
  const next = listener.port >= 65_535 ? 8765 : listener.port + 1;
  return (
    <Banner
      className="pb"
      tone="bad"
      alert
      title={
        taken
          ? `Port ${listener.port} is in use, so no events can arrive.`
          : 'Ingest is not listening, so no events can arrive.'
      }
      actions={
        <>
          {taken && (
            <Button size="sm" variant="primary" disabled={busy} onClick={() => void listen(next)}>
              Use {next}
            </Button>
          )}
          <Button size="sm" disabled={busy} onClick={() => void listen()}>
            Try again
          </Button>
        </>
      }
    >
      <span className="t2">
        {taken ? `${holderText(listener.holder, listener.port)} ` : listener.message !== null && `${listener.message} `}
        Stored messages and delivery are not affected.
      </span>
    </Banner>
  );
}

const holderText = (holder: string | null, port: number): string =>
  `${holder ?? 'Another program'} is listening on 127.0.0.1:${port}.`;

function StoreBanner() {
  return (
    <Banner className="pb" tone="bad" alert title="The store cannot be written.">
      <span className="t2">
        New calls get 503 and are not stored, and delivery stands still. Free some space on the disk; Hookbench goes on
        by itself.
      </span>
    </Banner>
  );
}

function SecretBanner() {
  const onWebhooks = useRoute().screen === 'webhooks';
  const open = () => navigate({ screen: 'webhooks', slot: null });
  return (
    <Banner
      className="pb"
      tone="bad"
      alert
      title="The shared secret cannot be read, so delivery is paused."
      actions={
        onWebhooks ? undefined : (
          <Button size="sm" onClick={open}>
            Open Webhooks
          </Button>
        )
      }
    >
      <span className="t2">Nothing is sent unsigned. Set the secret again, or turn signing off.</span>
    </Banner>
  );
}
