import { useEffect, useRef, useState } from 'react';
import type { SyncDetail } from '../../../../contract/audiences.ts';
import type { FailedReplays } from '../../../../contract/values.ts';
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
import { leftText, NO_REPLAYS, seen, summed } from './replay-words.ts';

/** Sends the stored bytes of the failed calls again, one replay for each message. The ledger stays. */
export function ReplayFailed({ sync, onClose }: { sync: SyncDetail; onClose: () => void }) {
  const webhooks = useRecords((state) => state.webhooks);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(webhooks.filter(({ enabled }) => enabled).map(({ id }) => id)),
  );
  const { done, error, replay } = useReplays(sync.id, onClose);
  const { failed } = sync.ledger;
  const choose = (id: number, on: boolean) =>
    setChosen((before) => new Set(on ? [...before, id] : [...before].filter((one) => one !== id)));
  const isBusy = done !== null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Replay ${plural(failed, 'failed call')}`}
      actions={
        <>
          <Button onClick={onClose}>{isBusy ? 'Stop' : 'Cancel'}</Button>
          <Button
            variant="primary"
            disabled={isBusy || chosen.size === 0}
            onClick={() => void replay(webhooks.map(({ id }) => id).filter((id) => chosen.has(id)))}
          >
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

/** `done` counts the failed calls that were looked at; null while nothing is replayed. */
function useReplays(sync: number, onDone: () => void) {
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const replay = async (webhookIds: number[]): Promise<void> => {
    setError(null);
    setDone(0);
    let counts = NO_REPLAYS;
    let failure: string | null = null;
    try {
      for (let after: number | null = 0; after !== null && !isGone.current; ) {
        const { next, ...some }: FailedReplays = await call('replay.sendFailed', { sync, webhookIds, after });
        counts = summed(counts, some);
        setDone(seen(counts));
        after = next;
      }
    } catch (thrown) {
      failure = sentence(failureText(thrown));
    }
    const left = leftText(counts);
    if (counts.begun > 0)
      showToast({
        title: `${plural(counts.begun, 'replay')} begun`,
        body: `${left === '' ? '' : `${left} `}The ledger of the sync stays as it is.`,
      });
    else failure ??= left;
    setDone(null);
    setError(failure);
    if (!failure && !isGone.current) onDone();
  };
  return { done, error, replay };
}
