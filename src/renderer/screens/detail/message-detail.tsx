/** One message: who, when, what happened to it, and its bytes. Shown beside the list or in the full view. */

import { Maximize2, Minimize2, RotateCcw, X } from 'lucide-react';
import { useState } from 'react';
import type { MessageDetail as Detail, MessageRow } from '../../../contract/values.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Tabs } from '../../components/controls.tsx';
import { useMedia } from '../../frame/app-frame.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import { replayLine } from '../../lib/replay-line.ts';
import { ownAttempts } from '../../message/attempts.ts';
import { bodyOf, requestOf, type Side } from '../../message/copies.ts';
import { CopyCurl } from '../../message/copy-curl.tsx';
import { useKeys } from '../../message/detail-keys.ts';
import { type ShownTab, shownTab, TAB_LABELS, TABS, useGo } from '../../message/detail-tabs.ts';
import { useMessageDetail } from '../../message/use-detail.ts';
import { useRecords } from '../../stores/records.ts';
import { type DetailTab, navigate } from '../../stores/route.ts';
import { useView } from '../../stores/view.ts';
import { AttemptAside, asideOf } from './attempt-aside.tsx';
import { AttemptsTab } from './attempts-tab.tsx';
import { ChangesTab, toggleAllFields } from './changes/changes-tab.tsx';
import detailCss from './detail.module.css';
import { Absent, ReadFailed } from './detail-absent.tsx';
import { canRetryNow, canStop } from './explain.ts';
import css from './message-detail.module.css';
import { Facts, MessageTitle } from './message-head.tsx';
import { PayloadTab } from './payload-tab.tsx';
import { RawTab } from './raw-tab.tsx';
import { SignatureTab } from './signature-tab.tsx';
import { useCopies } from './use-copies.ts';
import { useMoves } from './use-moves.ts';
import { useOpenAttempts } from './use-open-attempts.ts';

export interface MessageDetailProps {
  /** Row id. */
  readonly id: number;
  readonly tab: DetailTab;
  /** True when it fills the screen instead of sharing it with the list. */
  readonly full: boolean;
  /** The attempt that the address names. */
  readonly attempt?: number | undefined;
  readonly onClose: () => void;
}

export function MessageDetail({ id, tab, full, attempt, onClose }: MessageDetailProps) {
  const loaded = useMessageDetail(id);
  const { row, detail } = loaded;
  const attempts = detail?.attempts ?? [];
  const shown = shownTab(tab);
  const go = useGo(id, shown, full, attempt);
  const [side, setSide] = useState<Side>('received');
  const open = useOpenAttempts(id, attempts, attempt ?? null);
  const moves = useMoves(id);
  const copies = useCopies(loaded, shown === 'payload' ? side : 'delivered');
  const replay = () => navigate({ screen: 'replay', messageId: id });
  const hasRoom = useMedia('(min-width: 1280px)');
  const fieldsShown = useView((state) => shown === 'compare' && state.changesAs === 'fields');
  // The table of fields needs the width; the tabs Attempts and Signature show attempts themselves.
  const aside =
    full && hasRoom && shown !== 'attempts' && shown !== 'signature' && !fieldsShown ? asideOf(attempts, open) : null;
  const step = (by: 1 | -1) => {
    if (aside !== null) return aside.step(by);
    if (shown !== 'attempts') go({ tab: 'attempts' });
    open.step(by);
  };
  const tried = ownAttempts(attempts).length > 0;
  const actions = {
    r: row !== undefined ? replay : undefined,
    'Shift+R': row !== undefined && canRetryNow(row) ? moves.retryNow : undefined,
    s: row !== undefined && canStop(row) ? moves.stop : undefined,
    ...Object.fromEntries(TABS.map((name, index) => [String(index + 1), () => go({ tab: name })])),
    '[': tried ? () => step(-1) : undefined,
    ']': tried ? () => step(1) : undefined,
    v: shown === 'compare' ? toggleAllFields : undefined,
    c: copies.body,
    'Shift+C': copies.curl,
    y: copies.id,
    escape: onClose,
  };
  useKeys(actions, { id, ready: loaded.phase !== 'loading' });

  if (row === undefined) return <Absent loaded={loaded} onClose={onClose} />;
  return (
    <article className={full ? cx(detailCss.detail, detailCss.full) : detailCss.detail} aria-label="Message detail">
      <header className={detailCss.head} data-region="detail">
        <TitleRow
          row={row}
          detail={detail}
          full={full}
          onReplay={replay}
          onFull={() => go({ full: !full })}
          onClose={onClose}
        />
        <Facts row={row} detail={detail} full={full} />
      </header>
      <div className={aside === null ? css.alone : css.withAside}>
        <Tabs<ShownTab>
          className={css.tabs}
          panelClassName={cx(detailCss.panel, shown === 'compare' && detailCss.wide)}
          value={shown}
          onChange={(next) => go({ tab: next })}
          items={TABS.map((value) => ({
            value,
            label: TAB_LABELS[value],
            ...(value === 'attempts' && detail !== null && { extra: formatCount(ownAttempts(attempts).length) }),
          }))}
        >
          {loaded.phase === 'failed' && <ReadFailed error={loaded.error} onRetry={loaded.reload} />}
          {loaded.phase !== 'failed' && shown === 'attempts' && (
            <AttemptsTab key={id} row={row} loaded={loaded} open={open} named={attempt} moves={moves} />
          )}
          {loaded.phase !== 'failed' && shown === 'compare' && detail !== null && (
            <ChangesTab key={id} detail={{ ...detail, message: row }} full={full} />
          )}
          {loaded.phase !== 'failed' && shown === 'signature' && detail !== null && <SignatureTab detail={detail} />}
          {loaded.phase !== 'failed' && shown === 'raw' && <RawTab key={id} id={id} />}
          {loaded.phase !== 'failed' && shown === 'payload' && detail !== null && (
            <PayloadTab
              key={id}
              detail={{ ...detail, message: row }}
              side={side === 'delivered' && detail.deliveredJson === null ? 'received' : side}
              full={full}
              onSide={setSide}
            />
          )}
        </Tabs>
        {aside !== null && detail !== null && <AttemptAside aside={aside} detail={detail} />}
      </div>
    </article>
  );
}

function TitleRow({
  row,
  detail,
  full,
  onReplay,
  onFull,
  onClose,
}: {
  row: MessageRow;
  detail: Detail | null;
  full: boolean;
  onReplay: () => void;
  onFull: () => void;
  onClose: () => void;
}) {
  return (
    <div className={detailCss.titleRow}>
      <MessageTitle row={row} detail={detail} full={full} />
      {full && detail !== null && <CopyWholeAsCurl detail={detail} />}
      <Button icon={RotateCcw} variant={full ? 'primary' : 'default'} onClick={onReplay}>
        Replay
      </Button>
      <IconButton
        label={full ? 'Show beside the list' : 'Open full view'}
        icon={full ? Minimize2 : Maximize2}
        onClick={onFull}
      />
      <IconButton label="Close detail" icon={X} onClick={onClose} />
    </div>
  );
}

/** As Shift C copies it: the delivery, or the call when nothing is to be delivered. */
function CopyWholeAsCurl({ detail }: { detail: Detail }) {
  const webhooks = useRecords((state) => state.webhooks);
  const port = useRecords((state) => state.status?.listener.port ?? 0);
  const side = bodyOf(detail, 'delivered') === null ? 'received' : 'delivered';
  const request = requestOf(detail, side, webhooks, port);
  return (
    request !== null && (
      <CopyCurl name="this message" request={() => request} command={replayLine(detail.message.messageId)} />
    )
  );
}
