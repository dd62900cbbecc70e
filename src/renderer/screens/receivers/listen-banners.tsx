import { useState } from 'react';
import type { ReceiverListenerView, ReceiversView } from '../../../contract/receivers.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { listen } from './actions.ts';
import css from './listen-banners.module.css';
import { nextPort } from './words.ts';

/** Why receivers do not answer, with actions: the next port, or another try (design/ui, section 7). */
export function ListenBanners({ receivers: { http, https } }: { receivers: ReceiversView }) {
  if (http.state === 'off') {
    return (
      <Banner className={css.banner} title={http.message ?? 'Receivers are off.'}>
        Start Hookbench without --no-receivers to use them. Programs can be edited all the same.
      </Banner>
    );
  }
  return (
    <>
      <ListenBanner
        listener={http}
        fallback="Receivers are off."
        next={nextPort(http.port, https.port)}
        onListen={(port) => listen(port === undefined ? {} : { port })}
      />
      {/* One worker serves both listeners, so one banner says that it has ended. */}
      {!(http.state === 'failed' && https.state === 'failed') && (
        <ListenBanner
          listener={https}
          fallback="Receivers over HTTPS are off."
          next={nextPort(https.port, http.port)}
          onListen={(httpsPort) => listen(httpsPort === undefined ? {} : { httpsPort })}
        />
      )}
    </>
  );
}

function ListenBanner({
  listener,
  fallback,
  next,
  onListen,
}: {
  listener: ReceiverListenerView;
  fallback: string;
  next: number;
  onListen: (port?: number) => Promise<unknown>;
}) {
  const [busy, setBusy] = useState(false);
  const { state, port, holder } = listener;
  if (state !== 'port_in_use' && state !== 'failed') return null;
  const taken = state === 'port_in_use';
  const run = async (wanted?: number) => {
    setBusy(true);
    await onListen(wanted);
    setBusy(false);
  };
  return (
    <Banner
      className={css.banner}
      tone="bad"
      alert
      title={taken ? `Port ${port} is in use. ${fallback}` : (listener.message ?? fallback)}
      actions={
        <>
          {taken && (
            <Button size="sm" variant="primary" disabled={busy} onClick={() => void run(next)}>
              Use {next}
            </Button>
          )}
          <Button size="sm" disabled={busy} onClick={() => void run()}>
            Try again
          </Button>
        </>
      }
    >
      {taken && (
        <span className="secondary">{`${holder ?? 'Another program'} is listening on 127.0.0.1:${port}.`}</span>
      )}
    </Banner>
  );
}
