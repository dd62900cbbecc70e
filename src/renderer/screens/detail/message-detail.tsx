/** One message: who, when, what happened to it, and its bytes. Shown beside the list or in the full view. */

import { Maximize2, Minimize2, RotateCcw, X } from 'lucide-react';
import { useState } from 'react';
import type { MessageRow } from '../../../contract/values.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Tabs } from '../../components/controls.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import { ownAttempts } from '../../message/attempts.ts';
import type { Side } from '../../message/copies.ts';
import { useMessageDetail } from '../../message/use-detail.ts';
import { type DetailTab, navigate } from '../../stores/route.ts';
import { AttemptsTab } from './attempts-tab.tsx';
import detailCss from './detail.module.css';
import { Absent, ReadFailed } from './detail-absent.tsx';
import { useKeys } from './detail-keys.ts';
import { type ShownTab, shownTab, TABS, useGo } from './detail-tabs.ts';
import { canRetryNow, canStop } from './explain.ts';
import css from './message-detail.module.css';
import { Facts, MessageTitle } from './message-head.tsx';
import { PayloadTab } from './payload-tab.tsx';
import { RawTab } from './raw-tab.tsx';
import { useCopies } from './use-copies.ts';
import { useMoves } from './use-moves.ts';
import { useOpenAttempts } from './use-open-attempts.ts';

export interface MessageDetailProps {
  /** Row id. */
  readonly id: number;
  readonly tab: DetailTab;
  /** True when it fills the screen instead of sharing it with the list. */
  readonly full: boolean;
  readonly onClose: () => void;
}

/** Rejected calls have no bytes to send; everything else can be sent again. */
const canReplay = (row: Pick<MessageRow, 'state'>): boolean => row.state !== 'rejected';

export function MessageDetail({ id, tab, full, onClose }: MessageDetailProps) {
  const loaded = useMessageDetail(id);
  const { row, detail } = loaded;
  const attempts = detail?.attempts ?? [];
  const shown = shownTab(tab);
  const go = useGo(id, shown, full);
  const [side, setSide] = useState<Side>('received');
  const open = useOpenAttempts(id, attempts);
  const moves = useMoves(id);
  const copies = useCopies(loaded, shown === 'payload' ? side : 'delivered');
  const replay = () => navigate({ screen: 'replay', messageId: id });
  const step = (by: 1 | -1) => {
    if (shown !== 'attempts') go({ tab: 'attempts' });
    open.step(by);
  };
  const tried = ownAttempts(attempts).length > 0;
  useKeys({
    r: row !== undefined && canReplay(row) ? replay : undefined,
    'Shift+R': row !== undefined && canRetryNow(row) ? moves.retryNow : undefined,
    s: row !== undefined && canStop(row) ? moves.stop : undefined,
    ...Object.fromEntries(TABS.map((name, index) => [String(index + 1), () => go({ tab: name })])),
    '[': tried ? () => step(-1) : undefined,
    ']': tried ? () => step(1) : undefined,
    c: copies.body,
    'Shift+C': copies.curl,
    y: copies.id,
    escape: onClose,
  });

  if (row === undefined) return <Absent loaded={loaded} onClose={onClose} />;
  return (
    <article className={full ? cx(detailCss.detail, detailCss.full) : detailCss.detail} aria-label="Message detail">
      <header className={detailCss.head} data-region="detail">
        <TitleRow row={row} full={full} onReplay={replay} onFull={() => go({ full: !full })} onClose={onClose} />
        <Facts row={row} detail={detail} full={full} />
      </header>
      <Tabs<ShownTab>
        className={css.tabs}
        panelClassName={detailCss.panel}
        value={shown}
        onChange={(next) => go({ tab: next })}
        items={[
          {
            value: 'attempts',
            label: 'Attempts',
            extra: detail === null ? undefined : formatCount(ownAttempts(attempts).length),
          },
          { value: 'payload', label: 'Payload' },
          { value: 'raw', label: 'Raw' },
        ]}
      >
        {loaded.phase === 'failed' && <ReadFailed error={loaded.error} onRetry={loaded.reload} />}
        {loaded.phase !== 'failed' && shown === 'attempts' && (
          <AttemptsTab key={id} row={row} loaded={loaded} open={open} moves={moves} />
        )}
        {loaded.phase !== 'failed' && shown === 'raw' && <RawTab key={id} id={id} />}
        {loaded.phase !== 'failed' && shown === 'payload' && detail !== null && (
          <PayloadTab
            key={id}
            detail={{ ...detail, message: row }}
            side={side === 'delivered' && detail.deliveredJson === null ? 'received' : side}
            onSide={setSide}
          />
        )}
      </Tabs>
    </article>
  );
}

function TitleRow({
  row,
  full,
  onReplay,
  onFull,
  onClose,
}: {
  row: MessageRow;
  full: boolean;
  onReplay: () => void;
  onFull: () => void;
  onClose: () => void;
}) {
  return (
    <div className={detailCss.titleRow}>
      <MessageTitle row={row} full={full} />
      <Button
        icon={RotateCcw}
        variant={full ? 'primary' : 'default'}
        disabled={!canReplay(row)}
        title={canReplay(row) ? undefined : 'The message was rejected, so there is nothing to resend.'}
        onClick={onReplay}
      >
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
