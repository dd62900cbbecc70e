import { useState } from 'react';
import type { SyncDetail } from '../../../../contract/audiences.ts';
import { StepButtons } from '../../../components/step-buttons.tsx';
import { UserId } from '../../../components/user-id.tsx';
import { useBrackets } from '../../../frame/use-brackets.ts';
import { formatCount } from '../../../lib/format.ts';
import { BodyLines } from '../body-lines.tsx';
import { ChangeSign } from '../change-sign.tsx';
import panelCss from '../next-sync.module.css';
import { sentOf } from '../words.ts';
import { useCallAt } from './use-call-at.ts';

/** The call that is sent next, byte for byte, and those sent before it. */
export function CallPreview({ sync }: { sync: SyncDetail }) {
  const sent = sentOf(sync);
  const last = sync.nextCall === null ? sent : sent + 1;
  /** Null follows the newest. */
  const [chosen, setChosen] = useState<number | null>(null);
  const position = Math.min(chosen ?? last, last);
  const shown = useCallAt(sync, position);
  const move = (by: number) => {
    const to = Math.max(1, Math.min(last, position + by));
    setChosen(to === last ? null : to);
  };
  useBrackets(move);
  if (last === 0 || shown === null) return null;
  const { expected } = sync.ledger;
  return (
    <section className={panelCss.preview} aria-label="Calls">
      <div className={panelCss.previewHead}>
        <ChangeSign change={shown.change} />
        <span className="mono ellipsis" title={shown.userId}>
          <UserId>{shown.userId}</UserId>
        </span>
        <span className="muted nowrap">
          {shown.isNext ? 'next to be sent' : `${formatCount(position)} of ${formatCount(expected ?? last)}`}
        </span>
        <span className="spacer" />
        <StepButtons what="call" isFirst={position <= 1} isLast={position >= last} onMove={move} />
      </div>
      {shown.body === null ? (
        <p className="muted small" style={{ padding: '0 20px' }}>
          Its message was removed.
        </p>
      ) : (
        <BodyLines body={shown.body} property={sync.property} change={shown.change} />
      )}
    </section>
  );
}
