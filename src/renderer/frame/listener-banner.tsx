import { useState } from 'react';
import type { ListenerView } from '../../contract/values.ts';
import { Banner } from '../components/banner.tsx';
import { Button } from '../components/button.tsx';
import { failureText } from '../components/commit-field.tsx';
import { call } from '../platform/connect.ts';
import { applyAnswer, useRecords } from '../stores/records.ts';
import { showFailure, showToast } from '../stores/toasts.ts';
import { ingestUrl } from './endpoint-chip.tsx';
import { PortDialog } from './port-dialog.tsx';

const DEFAULT_PORT = 8765;
const LAST_PORT = 65_535;

/** Why no events can arrive, with actions: the next port, any port, or another try (design/ui, section 7). */
export function ListenerBanner() {
  const listener = useRecords((state) => state.status?.listener);
  const [busy, setBusy] = useState(false);
  const [choosing, setChoosing] = useState(false);
  if (listener === undefined) return null;

  const listenNow = async (port?: number) => {
    setBusy(true);
    try {
      await listen(port);
    } catch (error) {
      showFailure(`listen on port ${port ?? listener.port}`, error);
    } finally {
      setBusy(false);
    }
  };
  /** What is wrong with the chosen port, or null once ingest listens on it. */
  const listenOnChosen = async (port: number): Promise<string | null> => {
    setBusy(true);
    try {
      return stillNot(await listen(port));
    } catch (error) {
      return failureText(error);
    } finally {
      setBusy(false);
    }
  };
  const taken = listener.state === 'port_in_use';
  const next = listener.port >= LAST_PORT ? DEFAULT_PORT : listener.port + 1;
  return (
    <>
      <Banner
        page
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
              <Button size="sm" variant="primary" disabled={busy} onClick={() => void listenNow(next)}>
                Use {next}
              </Button>
            )}
            <Button size="sm" disabled={busy} onClick={() => setChoosing(true)}>
              Choose a port
            </Button>
            <Button size="sm" disabled={busy} onClick={() => void listenNow()}>
              Try again
            </Button>
          </>
        }
      >
        <span className="secondary">{`${reason(listener)}Stored messages and delivery are not affected.`}</span>
      </Banner>
      <PortDialog
        open={choosing}
        first={next}
        busy={busy}
        onListen={listenOnChosen}
        onClose={() => setChoosing(false)}
      />
    </>
  );
}

async function listen(port?: number): Promise<ListenerView> {
  const status = await call('ingest.listen', port === undefined ? {} : { port });
  applyAnswer({ status });
  if (status.listener.state === 'listening') showToast({ title: `Listening on ${ingestUrl(status.listener.port)}` });
  return status.listener;
}

function reason({ state, holder, message, port }: ListenerView): string {
  if (state === 'port_in_use') return `${holder ?? 'Another program'} is listening on 127.0.0.1:${port}. `;
  return message === null ? '' : `${message} `;
}

function stillNot({ state, port, message }: ListenerView): string | null {
  if (state === 'listening') return null;
  if (state === 'port_in_use') return `Port ${port} is in use as well. Choose another.`;
  return message ?? `Hookbench cannot listen on port ${port}. Choose another.`;
}
