import { Banner } from '../components/banner.tsx';
import { Button } from '../components/button.tsx';
import { retryNow } from '../platform/connect.ts';
import { useRecords } from '../stores/records.ts';
import { navigate, useRoute } from '../stores/route.ts';
import { ListenerBanner } from './listener-banner.tsx';

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
