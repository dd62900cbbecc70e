/** One message: who, when, what happened to it, and its bytes. Shown beside the list or in the full view. */
import { Maximize2, Minimize2, RotateCcw, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ContractError } from '../../../contract/errors.ts';
import type { MessageRow } from '../../../contract/values.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Tabs } from '../../components/controls.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { copyText } from '../../lib/copy.ts';
import { formatCount } from '../../lib/format.ts';
import { ownAttempts } from '../../message/attempts.ts';
import { bodyWords } from '../../message/body-words.ts';
import { bodyOf, curlOf, type Side } from '../../message/copies.ts';
import { useMessageDetail } from '../../message/use-detail.ts';
import { call } from '../../platform/connect.ts';
import { cacheRows, useRecords } from '../../stores/records.ts';
import { type DetailTab, navigate } from '../../stores/route.ts';
import { showError, showFailure, showToast } from '../../stores/toasts.ts';
import { AttemptsTab } from './attempts-tab.tsx';
import css from './detail.module.css';
import { useKeys } from './detail-keys.ts';
import { canRetryNow, canStop } from './explain.ts';
import { Facts, MessageTitle } from './message-head.tsx';
import { PayloadTab } from './payload-tab.tsx';
import { RawTab } from './raw-tab.tsx';

/** The tabs that exist so far, in order. */
const TABS = ['attempts', 'payload', 'raw'] as const;
type ShownTab = (typeof TABS)[number];

export interface MessageDetailProps {
  /** Row id. */
  readonly id: number;
  readonly tab: DetailTab;
  /** True when it fills the screen instead of standing beside the list. */
  readonly full: boolean;
  readonly onClose: () => void;
}

const shownTab = (tab: DetailTab): ShownTab => TABS.find((one) => one === tab) ?? 'attempts';

/** Rejected calls have no bytes to send; everything else can be sent again. */
export const canReplay = (row: Pick<MessageRow, 'state'>): boolean => row.state !== 'rejected';

export function MessageDetail({ id, tab, full, onClose }: MessageDetailProps) {
  const loaded = useMessageDetail(id);
  const { row, detail, phase } = loaded;
  const shown = shownTab(tab);
  const [side, setSide] = useState<Side>('received');
  const open = useOpenAttempts(id);
  const moves = useMoves(row);
  const copies = useCopies(loaded, shown === 'payload' ? side : 'delivered');
  const go = useCallback(
    (next: { tab?: DetailTab; full?: boolean }) =>
      navigate(
        { screen: 'live', messageId: id, tab: next.tab ?? shown, full: next.full ?? full },
        { replace: next.full === undefined },
      ),
    [id, shown, full],
  );
  const replay = () => navigate({ screen: 'replay', messageId: id });
  const ids = detail === null ? [] : attemptOrder(detail.attempts);
  const step = (by: 1 | -1) => {
    if (shown !== 'attempts') go({ tab: 'attempts' });
    open.step(ids, by);
  };

  useKeys({
    r: row !== undefined && canReplay(row) ? replay : undefined,
    'Shift+R': row !== undefined && canRetryNow(row) ? moves.retryNow : undefined,
    s: row !== undefined && canStop(row) ? moves.stop : undefined,
    ...Object.fromEntries(TABS.map((name, index) => [String(index + 1), () => go({ tab: name })])),
    '[': ids.length > 0 ? () => step(-1) : undefined,
    ']': ids.length > 0 ? () => step(1) : undefined,
    c: copies.body,
    'Shift+C': copies.curl,
    y: copies.id,
    escape: onClose,
  });

  if (row === undefined) return <Absent phase={phase} error={loaded.error} onClose={onClose} onRetry={loaded.reload} />;
  return (
    <article className={full ? `${css.detail} ${css.full}` : css.detail} aria-label="Message detail">
      <header className={css.head} data-region="detail">
        <div className={css.titleRow}>
          <MessageTitle row={row} full={full} />
          <Button
            icon={RotateCcw}
            variant={full ? 'primary' : 'default'}
            disabled={!canReplay(row)}
            title={canReplay(row) ? undefined : 'The message was rejected, so there is nothing to resend.'}
            onClick={replay}
          >
            Replay
          </Button>
          <IconButton
            label={full ? 'Show beside the list' : 'Open full view'}
            icon={full ? Minimize2 : Maximize2}
            onClick={() => go({ full: !full })}
          />
          <IconButton label="Close detail" icon={X} onClick={onClose} />
        </div>
        <Facts row={row} detail={detail} full={full} />
      </header>
      <Tabs<ShownTab>
        className={css.tabs}
        panelClassName={css.panel}
        value={shown}
        onChange={(next) => go({ tab: next })}
        items={[
          {
            value: 'attempts',
            label: 'Attempts',
            extra: detail === null ? undefined : formatCount(ownAttempts(detail.attempts).length),
          },
          { value: 'payload', label: 'Payload' },
          { value: 'raw', label: 'Raw' },
        ]}
      >
        {phase === 'failed' ? (
          <ReadFailed error={loaded.error} onRetry={loaded.reload} />
        ) : shown === 'attempts' ? (
          <AttemptsTab
            key={id}
            row={row}
            loaded={loaded}
            openAttempts={open.ids}
            onToggleAttempt={open.toggle}
            onRetryNow={moves.retryNow}
            onStop={moves.stop}
            busy={moves.busy}
          />
        ) : shown === 'raw' ? (
          <RawTab key={id} id={id} />
        ) : (
          detail !== null && (
            <PayloadTab
              key={id}
              detail={{ ...detail, message: row }}
              side={side === 'delivered' && detail.deliveredJson === null ? 'received' : side}
              onSide={setSide}
            />
          )
        )}
      </Tabs>
    </article>
  );
}

/** Attempts in the order in which they happened, replays last. */
const attemptOrder = (
  attempts: readonly { id: number; replayId: number | null; round: number; slot: number }[],
): number[] =>
  attempts
    .filter((attempt) => attempt.replayId === null)
    .sort((a, b) => a.round - b.round || a.slot - b.slot)
    .map((attempt) => attempt.id);

/** Which attempts are shown in full; `step` goes to the one before or after the last one looked at. */
function useOpenAttempts(id: number) {
  const [state, setState] = useState<{ id: number; ids: ReadonlySet<number>; at: number | null }>({
    id,
    ids: new Set(),
    at: null,
  });
  const own = state.id === id ? state : { id, ids: new Set<number>(), at: null };
  const toggle = useCallback(
    (attempt: number) =>
      setState((old) => {
        const ids = new Set(old.id === id ? old.ids : []);
        if (!ids.delete(attempt)) ids.add(attempt);
        return { id, ids, at: attempt };
      }),
    [id],
  );
  const moved = useRef<number | null>(null);
  const step = (order: readonly number[], by: 1 | -1) => {
    const from = own.at === null ? -1 : order.indexOf(own.at);
    const to = from === -1 ? order.length - 1 : Math.min(order.length - 1, Math.max(0, from + by));
    const next = order[to];
    if (next === undefined) return;
    moved.current = next;
    setState({ id, ids: new Set([next]), at: next });
  };
  useEffect(() => {
    if (moved.current === null) return;
    const element = document.querySelector<HTMLElement>(`[data-attempt="${moved.current}"]`);
    moved.current = null;
    element?.focus({ preventScroll: true });
    element?.scrollIntoView?.({ block: 'nearest' });
  });
  return { ids: own.ids, toggle, step };
}

/** Retry now and Stop: one at a time, the answer is put in place at once. */
function useMoves(row: MessageRow | undefined) {
  const [busy, setBusy] = useState(false);
  const id = row?.id;
  const run = async (name: 'messages.retryNow' | 'messages.stop', doing: string) => {
    if (id === undefined || busy) return;
    setBusy(true);
    try {
      cacheRows([await call(name, { id })]);
    } catch (error) {
      // The message moved on while the button was pressed: the row says how.
      if (error instanceof ContractError && (error.code === 'not_waiting' || error.code === 'already_final'))
        showToast({
          title: error.code === 'not_waiting' ? 'The message is not waiting any more' : 'The message is final already',
        });
      else showFailure(doing, error);
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    retryNow: () => void run('messages.retryNow', 'retry now'),
    stop: () => void run('messages.stop', 'stop the retries'),
  };
}

/** What C, Shift C and Y copy; undefined when there is nothing. */
function useCopies({ row, detail }: Pick<ReturnType<typeof useMessageDetail>, 'row' | 'detail'>, wanted: Side) {
  const webhooks = useRecords((state) => state.webhooks);
  const port = useRecords((state) => state.status?.listener.port ?? 0);
  const side: Side = detail !== null && bodyOf(detail, wanted) === null ? 'received' : wanted;
  const copy = (text: string | null, what: string) =>
    text === null
      ? undefined
      : () =>
          void copyText(text).then((done) =>
            done
              ? showToast({ title: `${what} copied`, durationMs: 2_000 })
              : showError({ title: 'Could not copy', body: 'The browser refused access to the clipboard.' }),
          );
  return {
    body: copy(
      detail === null ? null : bodyOf(detail, side),
      side === 'received' || detail === null ? 'Received body' : bodyWords(detail).body,
    ),
    curl: detail === null ? undefined : copy(curlOf(detail, side, webhooks, port), 'curl command'),
    id: copy(row?.messageId ?? null, 'Message id'),
  };
}

function Absent({
  phase,
  error,
  onClose,
  onRetry,
}: {
  phase: string;
  error: string | null;
  onClose: () => void;
  onRetry: () => void;
}) {
  return (
    <article className={css.detail} aria-label="Message detail" aria-busy={phase === 'loading'}>
      <header className={css.head} data-region="detail">
        <div className={css.titleRow}>
          {phase === 'loading' ? (
            <div className={css.skeleton} style={{ width: 200, height: 20 }} />
          ) : (
            <h2 className={css.title}>Message</h2>
          )}
          <span className="sp" />
          <IconButton label="Close detail" icon={X} onClick={onClose} />
        </div>
      </header>
      {phase === 'absent' && <EmptyState title={error ?? ''} />}
      {phase === 'failed' && <ReadFailed error={error} onRetry={onRetry} />}
    </article>
  );
}

const ReadFailed = ({ error, onRetry }: { error: string | null; onRetry: () => void }) => (
  <EmptyState title="The message could not be read." actions={<Button onClick={onRetry}>Try again</Button>}>
    {error}
  </EmptyState>
);
