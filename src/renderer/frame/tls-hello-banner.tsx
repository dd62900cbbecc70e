import { useState } from 'react';
import type { HttpsView, StatusView } from '../../contract/values.ts';
import { Banner } from '../components/banner.tsx';
import { Button } from '../components/button.tsx';
import { navigate } from '../stores/route.ts';
import { useNow } from '../stores/ticker.ts';
import { ingestUrl } from './endpoint-chip.tsx';
import { httpsUrl, turnHttps } from './https-actions.ts';

/** The banner disappears when the client has been quiet for this long. */
const SHOWN_MS = 10 * 60_000;

/** Time of the newest attempt that the user has dismissed, while the frame lives. */
let dismissedAt = 0;

/** A client speaks https to the http port, so none of its calls arrive. */
export function TlsHelloBanner({ status }: { status: StatusView }) {
  const { tlsHellos } = status;
  return tlsHellos === null ? null : <Heard status={status} lastAt={tlsHellos.lastAt} />;
}

function orElse({ state, enabled, port }: HttpsView): string {
  if (state === 'listening') return `, or at ${httpsUrl(port)} with the certificate from Sources.`;
  return enabled ? '. The https listener is on, but does not listen.' : ', or turn the https listener on.';
}

function Heard({ status: { listener, https }, lastAt }: { status: StatusView; lastAt: number }) {
  const now = useNow();
  const [dismissed, setDismissed] = useState(dismissedAt);
  if (lastAt <= dismissed || now - lastAt > SHOWN_MS) return null;
  const dismiss = () => {
    dismissedAt = lastAt;
    setDismissed(lastAt);
  };
  return (
    <Banner
      page
      tone="warn"
      title={`Something speaks https to the http port ${listener.port}, so its calls do not arrive.`}
      actions={
        <>
          {https.enabled ? (
            <Button size="sm" onClick={() => navigate({ screen: 'sources' })}>
              Open Sources
            </Button>
          ) : (
            <Button size="sm" onClick={() => void turnHttps(true)}>
              Turn https on
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={dismiss}>
            Dismiss
          </Button>
        </>
      }
    >
      <span className="secondary">{`Point it at ${ingestUrl(listener.port)}${orElse(https)}`}</span>
    </Banner>
  );
}
