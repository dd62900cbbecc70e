import { useEffect, useRef, useState } from 'react';
import type { SyncDetail } from '../../../../contract/audiences.ts';
import { Button } from '../../../components/button.tsx';
import { failureText } from '../../../components/commit-field.tsx';
import { Checkbox } from '../../../components/controls.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Text } from '../../../components/text.tsx';
import { formatCount, plural } from '../../../lib/format.ts';
import { call } from '../../../platform/connect.ts';
import { useRecords } from '../../../stores/records.ts';
import { showToast } from '../../../stores/toasts.ts';
import { sentence } from '../words.ts';
import css from './replay-failed.module.css';

const WINDOW = 500;

/** Sends the stored bytes of the failed calls again, one replay for each message. The ledger stays. */
export function ReplayFailed({ sync, onClose }: { sync: SyncDetail; onClose: () => void }) {
  const webhooks = useRecords((state) => state.webhooks);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(webhooks.filter(({ enabled }) => enabled).map(({ id }) => id)),
  );
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const { failed } = sync.ledger;
  const choose = (id: number, on: boolean) =>
    setChosen((before) => new Set(on ? [...before, id] : [...before].filter((one) => one !== id)));

  const replay = async () => {
    const webhookIds = webhooks.map(({ id }) => id).filter((id) => chosen.has(id));
    setError(null);
    setDone(0);
    let begun = 0;
    let isTold = false;
    try {
      for await (const id of failedMessages(sync.id)) {
        if (isGone.current) break;
        await call('replay.send', { id, webhookIds });
        begun += 1;
        setDone(begun);
      }
    } catch (failure) {
      isTold = true;
      setDone(null);
      setError(sentence(failureText(failure)));
    }
    if (begun > 0)
      showToast({ title: `${plural(begun, 'replay')} begun`, body: 'The ledger of the sync stays as it is.' });
    if (!isTold && !isGone.current) onClose();
  };
  const isBusy = done !== null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Replay ${plural(failed, 'failed call')}`}
      actions={
        <>
          <Button onClick={onClose}>{isBusy ? 'Stop' : 'Cancel'}</Button>
          <Button variant="primary" disabled={isBusy || chosen.size === 0} onClick={() => void replay()}>
            {isBusy ? `${formatCount(done)} of ${formatCount(failed)}` : 'Replay'}
          </Button>
        </>
      }
    >
      <p className="secondary">
        The stored bytes are sent again, one attempt to each of these webhooks. The ledger of the sync stays as it is.
      </p>
      <ul className={css.webhooks}>
        {webhooks.map(({ id, slot, name }) => (
          <li key={id}>
            <Checkbox
              checked={chosen.has(id)}
              disabled={isBusy}
              label={name === '' ? `Webhook ${slot}` : name}
              onChange={(on) => choose(id, on)}
            />
            <span className="muted">{slot}</span>
            <span className="ellipsis">{name === '' ? `Webhook ${slot}` : <Text>{name}</Text>}</span>
          </li>
        ))}
      </ul>
      {webhooks.length === 0 && <p className="secondary">No webhook is set up.</p>}
      {error !== null && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
    </Dialog>
  );
}

/** Row ids of the messages of the failed calls, in order. */
async function* failedMessages(sync: number): AsyncGenerator<number> {
  let after: number | null = 0;
  while (after !== null) {
    const page: { rows: Array<{ messageId: number | null }>; next: number | null } = await call('audiences.syncCalls', {
      sync,
      show: 'failed',
      after,
      limit: WINDOW,
    });
    const ids = page.rows.map(({ messageId }) => messageId).filter((id) => id !== null);
    // Messages may have been removed.
    const stored = new Set((ids.length === 0 ? [] : await call('messages.byIds', { ids })).map(({ id }) => id));
    yield* ids.filter((id) => stored.has(id));
    after = page.next;
  }
}
