/** Asks before many messages are replayed: how many, where to, in which order and how fast. */
import { useEffect, useState } from 'react';
import type { CommandInput, MessageFilter } from '../../contract/commands.ts';
import { REPLAY_LIMITS, type ReplayOrder } from '../../contract/replay-limits.ts';
import type { WebhookView } from '../../contract/values.ts';
import { Button } from '../components/button.tsx';
import { failureText } from '../components/commit-field.tsx';
import { Checkbox, Seg } from '../components/controls.tsx';
import { Dialog } from '../components/dialog.tsx';
import { NumberBox } from '../components/number-box.tsx';
import { Text } from '../components/text.tsx';
import { formatCount } from '../lib/format.ts';
import { bulkManner, bulkQuestion, progressText } from '../lib/words/replays.ts';
import { call } from '../platform/connect.ts';
import { applyAnswer, useRecords } from '../stores/records.ts';
import css from './bulk-replay-dialog.module.css';

/** The messages to replay: some by row id, at most 10,000, or all that match a filter when the dialog opens. */
export type BulkSelection = { readonly ids: readonly number[] } | { readonly filter: MessageFilter };

const ORDERS = [
  { value: 'oldest', label: 'As received' },
  { value: 'newest', label: 'Newest first' },
] as const satisfies ReadonlyArray<{ value: ReplayOrder; label: string }>;

/**
 * Render it while it is open, as in `{open && <BulkReplayDialog select={{ ids }} onClose={() => setOpen(false)} />}`.
 * It counts the messages, asks, begins the job in the engine and closes. A banner above every screen then tells how far
 * the job is and stops it, so a reload of the page loses nothing. `select` must not change while it is open.
 */
export function BulkReplayDialog({ select, onClose }: { select: BulkSelection; onClose: () => void }) {
  const webhooks = useRecords((state) => state.webhooks);
  const running = useRecords(({ replayJob }) => (replayJob?.finishedAt === null ? replayJob : null));
  const counted = useCount(select);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(webhooks.filter(({ enabled }) => enabled).map(({ id }) => id)),
  );
  const [rate, setRate] = useState<number>(REPLAY_LIMITS.defaultRate);
  const [isRateWrong, setRateWrong] = useState(false);
  const [order, setOrder] = useState<ReplayOrder>('oldest');
  const [newTimestamp, setNewTimestamp] = useState(false);
  const { begin, isBusy, error } = useBegin(onClose);
  const webhookIds = webhooks.map(({ id }) => id).filter((id) => chosen.has(id));
  const { messages } = counted;
  const isAnswered = messages !== null && messages > 0 && webhookIds.length > 0 && !isRateWrong;
  const mayBegin = isAnswered && running === null && !isBusy;
  const submit = () => void begin({ select: counted.select, webhookIds, order, rate, newTimestamp });
  return (
    <Dialog
      open
      onClose={onClose}
      title={messages === null ? 'Replay messages' : bulkQuestion(messages, webhookIds.length)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={!mayBegin} onClick={submit}>
            Replay
          </Button>
        </>
      }
    >
      <p className="secondary" role="status">
        {messages === null ? (counted.error ?? 'Counting…') : bulkManner(messages, rate, order, newTimestamp)}
      </p>
      <Webhooks webhooks={webhooks} chosen={chosen} onChoose={setChosen} />
      <div className={css.options}>
        <Seg label="Order" value={order} options={ORDERS} onChange={setOrder} />
        <NumberBox
          label="Messages per second"
          value={rate}
          unit="per second"
          min={1}
          max={REPLAY_LIMITS.rate}
          onCommit={(next) => setRate(next ?? REPLAY_LIMITS.defaultRate)}
          onWrong={setRateWrong}
        />
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is the control */}
        <label className={css.choice}>
          <Checkbox checked={newTimestamp} onChange={setNewTimestamp} label="Set a new timestamp" />
          <span>Set a new timestamp</span>
        </label>
      </div>
      <p className="muted small">
        Rejected messages are sent as they were received. Replays are stored and marked, and never change the original
        state.
      </p>
      {running !== null && (
        <p className={css.error}>{`Another replay is running: ${progressText(running)}. Stop it first.`}</p>
      )}
      {error !== null && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
    </Dialog>
  );
}

type Chosen = ReadonlySet<number>;

function Webhooks(props: { webhooks: readonly WebhookView[]; chosen: Chosen; onChoose: (next: Chosen) => void }) {
  const { webhooks, chosen, onChoose } = props;
  if (webhooks.length === 0) return <p className="secondary">No webhook is set up.</p>;
  return (
    <ul className={css.webhooks}>
      {webhooks.map(({ id, slot, name, enabled }) => (
        <li key={id}>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is the control */}
          <label className={css.choice}>
            <Checkbox
              checked={chosen.has(id)}
              label={`${name}${enabled ? '' : ', paused'}`}
              onChange={(on) => onChoose(new Set(on ? [...chosen, id] : [...chosen].filter((one) => one !== id)))}
            />
            <span className="mono muted">{slot}</span>
            <Text className="ellipsis">{name}</Text>
            {!enabled && <span className="muted">Paused</span>}
          </label>
        </li>
      ))}
    </ul>
  );
}

type Ask = CommandInput<'replay.bulk'>;

interface Counted {
  readonly messages: number | null;
  readonly select: Ask['select'];
  readonly error: string | null;
}

/** A filter is counted once: what arrives afterwards is not replayed. */
function useCount(selection: BulkSelection): Counted {
  const [select] = useState(selection);
  const [counted, setCounted] = useState<Counted>(() =>
    'ids' in select
      ? { messages: select.ids.length, select: { ids: [...select.ids] }, error: null }
      : { messages: null, select: { filter: select.filter }, error: null },
  );
  useEffect(() => {
    if ('ids' in select) return;
    let isHere = true;
    const { filter } = select;
    call('replay.count', { filter }).then(
      ({ messages, upTo }) => isHere && setCounted({ messages, select: { filter, upTo }, error: null }),
      (error: unknown) => isHere && setCounted((before) => ({ ...before, error: failureText(error) })),
    );
    return () => {
      isHere = false;
    };
  }, [select]);
  return counted;
}

function useBegin(onDone: () => void) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const begin = async (ask: Ask): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      applyAnswer({ replayJob: await call('replay.bulk', ask) });
      onDone();
    } catch (thrown) {
      setError(failureText(thrown));
      setBusy(false);
    }
  };
  return { begin, isBusy, error };
}

/** How many messages a button may name: `Replay 3…`. */
export const replayLabel = (messages: number): string => `Replay ${formatCount(messages)}\u2026`;
