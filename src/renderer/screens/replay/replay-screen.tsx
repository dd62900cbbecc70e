/** Sends a stored message again, as it was or edited, and compares what comes back with what the original got. */
import { useCallback, useMemo, useState } from 'react';
import type { CommandInput } from '../../../contract/commands.ts';
import { ContractError } from '../../../contract/errors.ts';
import { type NotSendingReasonName, notSendingWords } from '../../../contract/not-sending.ts';
import type { MessageDetail, MessageRow, ReplayView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { Screen } from '../../frame/screen.tsx';
import { upperFirst } from '../../lib/format.ts';
import { useMessageDetail } from '../../message/use-detail.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { navigate, useRoute } from '../../stores/route.ts';
import { BodyPanel, type PanelTab } from './body-panel.tsx';
import { firstChoice } from './compare.ts';
import type { Elsewhere } from './elsewhere.tsx';
import type { OwnHeader } from './headers-panel.tsx';
import { PickMessage } from './pick-message.tsx';
import css from './replay-screen.module.css';
import { ResultPanel } from './result-panel.tsx';
import { useSendKey } from './send-key.ts';
import { SendPanel } from './send-panel.tsx';
import { type Draft, type ReplayOptions, useDraft } from './use-draft.ts';

/** The screen of the route `#/replay/:messageId?`. */
export default function ReplayRoute() {
  const route = useRoute();
  return <ReplayScreen messageId={route.screen === 'replay' ? route.messageId : null} />;
}

export function ReplayScreen({ messageId }: { messageId: number | null }) {
  return (
    <Screen title="Replay" sub="Send a stored message again, as it was or edited">
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
      <EmptyState title="The message could not be read." actions={<TryAgain onAgain={loaded.reload} />}>
        {loaded.error}
      </EmptyState>
    );
  if (row === undefined) return <div className={css.two} aria-busy="true" />;
  return <Form row={row} detail={detail} onSent={loaded.refresh} />;
}

const PLAIN: ReplayOptions = { sign: true, newTimestamp: false, all: true, retry: false };

function Form({ row, detail, onSent }: { row: MessageRow; detail: MessageDetail | null; onSent: () => void }) {
  const [options, setOptions] = useState(PLAIN);
  const [own, setOwn] = useState<readonly OwnHeader[]>([]);
  const [tab, setTab] = useState<PanelTab>('body');
  const draft = useDraft(row.id, options);
  const panel = { row, detail, draft, options, onOptions: setOptions, tab, onTab: setTab, own, onOwn: setOwn };
  const copy: Copy = {
    ...(draft.body !== undefined && { body: draft.body }),
    ...(!options.sign && { sign: false }),
    ...(options.newTimestamp && { newTimestamp: true }),
    ...(!options.all && { untilAccepted: true }),
    ...(options.retry && { retry: true }),
    ...(own.length > 0 && { headers: own.map((header) => ({ ...header })) }),
  };
  return (
    <div className={css.two}>
      <BodyPanel {...panel} />
      <section className={css.right} aria-label="Replay" data-region="replay">
        {detail !== null && <Resend detail={detail} draft={draft} copy={copy} onSent={onSent} />}
      </section>
    </div>
  );
}

/** What differs from a plain replay. */
type Copy = Omit<CommandInput<'replay.send'>, 'id' | 'webhookIds' | 'receivers' | 'urls'>;

interface ResendProps {
  readonly detail: MessageDetail;
  readonly draft: Draft;
  readonly copy: Copy;
  readonly onSent: () => void;
}

function Resend({ detail, draft, copy, onSent }: ResendProps) {
  const { id } = detail.message;
  const webhooks = useRecords((state) => state.webhooks);
  const heldBy = useRecords(({ status }) => status?.notSending.find((reason) => HOLDS_REPLAYS.has(reason)) ?? null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(firstChoice(webhooks, detail.attempts)));
  const present = useMemo(
    () => new Set(webhooks.filter((one) => chosen.has(one.id)).map((one) => one.id)),
    [webhooks, chosen],
  );
  const [targets, setTargets] = useState<readonly Elsewhere[]>([]);
  const { send, sending, sent, error } = useSend(onSent);
  const [picked, setPicked] = useState<number | null>(null);

  const replays = useMemo(() => merged(detail.replays, sent), [detail.replays, sent]);
  const shown = replays.find((replay) => replay.id === picked) ?? replays.at(-1);
  const blocked = blockedBy(draft, webhooks.length + targets.length, isUnsigned(copy, heldBy) ? null : heldBy);
  const submit = useCallback(() => {
    if (blocked !== null || present.size + targets.length === 0) return;
    setPicked(null);
    const webhookIds = webhooks.filter((one) => present.has(one.id)).map((one) => one.id);
    void send({ id, webhookIds, ...elsewhereAsk(targets), ...copy });
  }, [id, blocked, present, targets, copy, send, webhooks]);
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
        targets={targets}
        onTargets={setTargets}
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
          onEdit={draft.edit}
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

/** Without a signature no secret is needed. */
const isUnsigned = ({ sign }: Copy, heldBy: NotSendingReasonName | null): boolean =>
  sign === false && heldBy === 'secret_unreadable';

/** Why nothing can be sent. Replays work while delivery is paused, because the user asks for each one. */
export function blockedBy(
  { stored, failure, problem }: Pick<Draft, 'stored' | 'failure' | 'problem'>,
  targets: number,
  heldBy: NotSendingReasonName | null,
): string | null {
  if (failure !== null) return failure;
  if (stored === null) return 'The stored body is being read.';
  if (problem !== null) return `${problem.text} Correct it, or reset the body.`;
  if (targets === 0) return 'Add a webhook first.';
  return heldBy === null ? null : `${upperFirst(notSendingWords[heldBy].clause)}, so nothing is sent.`;
}

/** Known replays, oldest first, plus the one just sent until the engine reports it. */
function merged(known: readonly ReplayView[], sent: ReplayView | null): ReplayView[] {
  const all = sent === null || known.some((replay) => replay.id === sent.id) ? [...known] : [...known, sent];
  return all.sort((a, b) => a.id - b.id);
}

/** One send at a time. A refusal is shown beside the button. */
function useSend(onSent: () => void) {
  const [state, setState] = useState<{ sending: boolean; sent: ReplayView | null; error: string | null }>({
    sending: false,
    sent: null,
    error: null,
  });
  const { sending } = state;
  const send = useCallback(
    async (ask: CommandInput<'replay.send'>) => {
      if (sending) return;
      setState((old) => ({ ...old, sending: true, error: null }));
      try {
        const sent = await call('replay.send', ask);
        setState({ sending: false, sent, error: null });
        onSent();
      } catch (error) {
        const text = error instanceof ContractError ? error.message : 'Something failed in this window.';
        setState((old) => ({ ...old, sending: false, error: text }));
      }
    },
    [onSent, sending],
  );
  return { ...state, send };
}

function elsewhereAsk(targets: readonly Elsewhere[]): Pick<CommandInput<'replay.send'>, 'receivers' | 'urls'> {
  const receivers = targets.flatMap((one) => (one.kind === 'receiver' ? [one.id] : []));
  const urls = targets.flatMap((one) => (one.kind === 'url' ? [one.url] : []));
  return { ...(receivers.length > 0 && { receivers }), ...(urls.length > 0 && { urls }) };
}
