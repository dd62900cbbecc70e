/** Sends a stored message again, as it was, and compares what comes back with what the original got. */
import { useCallback, useMemo, useState } from 'react';
import { ContractError } from '../../../contract/errors.ts';
import { type NotSendingReasonName, notSendingWords } from '../../../contract/not-sending.ts';
import type { MessageDetail, ReplayView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Screen } from '../../frame/screen.tsx';
import { upperFirst } from '../../lib/format.ts';
import { rejectText } from '../../lib/words/rejections.ts';
import { useMessageDetail } from '../../message/use-detail.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { navigate, useRoute } from '../../stores/route.ts';
import { BodyPanel } from './body-panel.tsx';
import { firstChoice } from './compare.ts';
import { PickMessage } from './pick-message.tsx';
import css from './replay-screen.module.css';
import { ResultPanel } from './result-panel.tsx';
import { useSendKey } from './send-key.ts';
import { SendPanel } from './send-panel.tsx';

/** The screen of the route `#/replay/:messageId?`. */
export default function ReplayRoute() {
  const route = useRoute();
  return <ReplayScreen messageId={route.screen === 'replay' ? route.messageId : null} />;
}

export function ReplayScreen({ messageId }: { messageId: number | null }) {
  return (
    <Screen title="Replay" sub="Send a stored message again, as it was">
      {messageId === null ? <PickMessage /> : <Replay key={messageId} id={messageId} />}
    </Screen>
  );
}

const ChangeMessage = () => (
  <Button onClick={() => navigate({ screen: 'replay', messageId: null })}>Change message</Button>
);

function Replay({ id }: { id: number }) {
  const loaded = useMessageDetail(id);
  const { row, detail, phase } = loaded;
  if (phase === 'absent') return <EmptyState title={loaded.error ?? ''} actions={<ChangeMessage />} />;
  if (phase === 'failed')
    return (
      <EmptyState title="The message could not be read." actions={<Button onClick={loaded.reload}>Try again</Button>}>
        {loaded.error}
      </EmptyState>
    );
  if (row === undefined) return <div className={css.two} aria-busy="true" />;
  if (row.state === 'rejected')
    return (
      <EmptyState title="There is nothing to resend." actions={<ChangeMessage />}>
        {rejectText(row.reason, row.reasonDetail)}
      </EmptyState>
    );
  return (
    <div className={css.two}>
      <BodyPanel row={row} detail={detail} />
      <section className={css.right} aria-label="Replay" data-region="replay">
        {detail !== null && <Resend id={id} detail={detail} onSent={loaded.refresh} />}
      </section>
    </div>
  );
}

function Resend({ id, detail, onSent }: { id: number; detail: MessageDetail; onSent: () => void }) {
  const webhooks = useRecords((state) => state.webhooks);
  const heldBy = useRecords(({ status }) => status?.notSending.find((reason) => HOLDS_REPLAYS.has(reason)) ?? null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(firstChoice(webhooks, detail.attempts)));
  const present = useMemo(
    () => new Set(webhooks.filter((one) => chosen.has(one.id)).map((one) => one.id)),
    [webhooks, chosen],
  );
  const { send, sending, sent, error } = useSend(id, onSent);
  const [picked, setPicked] = useState<number | null>(null);

  const replays = useMemo(() => merged(detail.replays, sent), [detail.replays, sent]);
  const shown = replays.find((replay) => replay.id === picked) ?? replays.at(-1);
  const blocked = blockedBy(detail, webhooks.length, heldBy);
  const submit = useCallback(() => {
    if (blocked !== null || present.size === 0) return;
    setPicked(null);
    void send(webhooks.filter((one) => present.has(one.id)).map((one) => one.id));
  }, [blocked, present, send, webhooks]);
  useSendKey(submit);

  const choose = (webhookId: number, on: boolean) =>
    setChosen((old) => {
      const next = new Set(old);
      if (on) next.add(webhookId);
      else next.delete(webhookId);
      return next;
    });
  return (
    <>
      <SendPanel
        webhooks={webhooks}
        attempts={detail.attempts}
        chosen={present}
        onChoose={choose}
        onSend={submit}
        sending={sending}
        blocked={blocked}
        error={error}
      />
      {shown !== undefined && (
        <ResultPanel
          replays={replays}
          chosen={shown}
          onChoose={setPicked}
          attempts={detail.attempts}
          webhooks={webhooks}
        />
      )}
    </>
  );
}

/** Pausing or switching off does not block replays, because the user asks for each replay. */
const HOLDS_REPLAYS: ReadonlySet<NotSendingReasonName> = new Set([
  'store_not_writable',
  'store_not_readable',
  'secret_unreadable',
  'headers_unreadable',
]);

/** Why nothing can be sent. Replays work while delivery is paused, because the user asks for each one. */
export function blockedBy(
  detail: Pick<MessageDetail, 'deliveredJson'>,
  webhooks: number,
  heldBy: NotSendingReasonName | null,
): string | null {
  if (detail.deliveredJson === null) return 'The message has no delivered body, so there is nothing to resend.';
  if (webhooks === 0) return 'Add a webhook first.';
  return heldBy === null ? null : `${upperFirst(notSendingWords[heldBy].clause)}, so nothing is sent.`;
}

/** Known replays, oldest first, plus the one just sent until the engine reports it. */
function merged(known: readonly ReplayView[], sent: ReplayView | null): ReplayView[] {
  const all = sent === null || known.some((replay) => replay.id === sent.id) ? [...known] : [...known, sent];
  return all.sort((a, b) => a.id - b.id);
}

/** One send at a time. A refusal is shown beside the button. */
function useSend(id: number, onSent: () => void) {
  const [state, setState] = useState<{ sending: boolean; sent: ReplayView | null; error: string | null }>({
    sending: false,
    sent: null,
    error: null,
  });
  const { sending } = state;
  const send = useCallback(
    async (webhookIds: number[]) => {
      if (sending) return;
      setState((old) => ({ ...old, sending: true, error: null }));
      try {
        const sent = await call('replay.send', { id, webhookIds });
        setState({ sending: false, sent, error: null });
        onSent();
      } catch (error) {
        const text = error instanceof ContractError ? error.message : 'Something failed in this window.';
        setState((old) => ({ ...old, sending: false, error: text }));
      }
    },
    [id, onSent, sending],
  );
  return { ...state, send };
}
