import { Pause } from 'lucide-react';
import { idleOf, openOf } from '../../contract/counts.ts';
import type { StatusView } from '../../contract/values.ts';
import { Banner } from '../components/banner.tsx';
import { Button } from '../components/button.tsx';
import { plural } from '../lib/format.ts';
import { retryNow } from '../platform/connect.ts';
import { useRecords } from '../stores/records.ts';
import { navigate, useRoute } from '../stores/route.ts';
import { setDeliveryPaused } from './delivery-pause.ts';
import { FaultsBanner } from './ingest-faults-banner.tsx';
import { ListenerBanner } from './listener-banner.tsx';
import { NotSendingBanner } from './not-sending-banner.tsx';
import { REOPEN } from './reopen.ts';
import { ReplayBanner } from './replay-banner.tsx';
import { TlsHelloBanner } from './tls-hello-banner.tsx';

/** What is wrong with the engine right now, each with its remedy. */
export function Banners() {
  const status = useRecords((state) => state.status);
  const connection = useRecords((state) => state.connection);
  const paused = useRecords((state) => state.destination?.paused ?? false);
  if (status === undefined) return null;
  if (connection === 'refused') return <RestartedBanner />;
  if (connection !== 'open') return <LostBanner />;
  return (
    <>
      {status.listener.state !== 'listening' && <ListenerBanner />}
      <TlsHelloBanner status={status} />
      {!status.storeWritable && <StoreBanner />}
      {status.storage.full && <FullBanner counts={status.counts} />}
      <FaultsBanner />
      <ReplayBanner />
      {paused && <PausedBanner />}
      {status.notSending.map((reason) => (
        <NotSendingBanner key={reason} reason={reason} />
      ))}
    </>
  );
}

function RestartedBanner() {
  return (
    <Banner
      page
      tone="warn"
      alert
      title="Hookbench was started again."
      actions={
        <Button size="sm" onClick={retryNow}>
          Try again
        </Button>
      }
    >
      <span className="secondary">This page is out of date. {REOPEN}</span>
    </Banner>
  );
}

function LostBanner() {
  return (
    <Banner
      page
      tone="warn"
      title="The engine is out of reach."
      actions={
        <Button size="sm" onClick={retryNow}>
          Try now
        </Button>
      }
    >
      <span className="secondary">This page may be out of date. Hookbench keeps trying.</span>
    </Banner>
  );
}

function StoreBanner() {
  return (
    <Banner page tone="bad" alert title="The store cannot be written.">
      <span className="secondary">
        New calls get 503 and are not stored, and delivery stands still. Free some space on the disk; Hookbench goes on
        by itself.
      </span>
    </Banner>
  );
}

function PausedBanner() {
  const waiting = useRecords(({ status }) => (status === undefined ? 0 : idleOf(status.counts)));
  return (
    <Banner
      page
      tone="warn"
      icon={Pause}
      title="Delivery is paused."
      actions={
        <Button size="sm" onClick={() => void setDeliveryPaused(false)}>
          Resume
        </Button>
      }
    >
      <span className="secondary">
        {waiting === 0
          ? 'New messages are stored and wait.'
          : `${plural(waiting, 'message waits', 'messages wait')}. New ones are stored too.`}
      </span>
    </Banner>
  );
}

/** Ingest refuses calls until a message can be removed (docs/behaviour, Storage). */
function FullBanner({ counts }: { counts: StatusView['counts'] }) {
  const route = useRoute();
  const inStorage = route.screen === 'settings' && route.section === 'storage';
  const waiting = openOf(counts);
  return (
    <Banner
      page
      tone="bad"
      title={`The store is full: ${plural(waiting, 'message waits', 'messages wait')} to be delivered.`}
      actions={
        inStorage ? undefined : (
          <Button size="sm" onClick={() => navigate({ screen: 'settings', section: 'storage' })}>
            Open Storage
          </Button>
        )
      }
    >
      {/* Read out once, not with each new count. */}
      <span className="visually-hidden" role="alert">
        The store is full. New calls get 429.
      </span>
      <span className="secondary">
        New calls get 429 and are not stored; SDKs try again. Raise the limits, or let delivery go on.
      </span>
    </Banner>
  );
}
