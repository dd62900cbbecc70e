/** One attempt beside the tabs of the full view, with steps to the others. */
import type { AttemptView, MessageDetail } from '../../../contract/values.ts';
import { AttemptCell } from '../../components/glyph.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { StepButtons } from '../../components/step-buttons.tsx';
import { Text } from '../../components/text.tsx';
import { formatOffset } from '../../lib/format.ts';
import { attemptResult } from '../../lib/words/attempts.ts';
import { firstStart } from '../../message/attempts.ts';
import { NameThen } from '../../message/name-then.tsx';
import { useRecords } from '../../stores/records.ts';
import css from './attempt-aside.module.css';
import { AttemptDetails } from './attempt-details.tsx';
import { attemptOrder, type OpenAttempts } from './use-open-attempts.ts';

export interface Aside {
  readonly attempt: AttemptView;
  /** Its place among the message's own attempts, from 0. */
  readonly place: number;
  readonly count: number;
  readonly step: (by: number) => void;
}

/** The attempt that was viewed last, else the one that was accepted, else the newest. Null without any. */
export function asideOf(attempts: readonly AttemptView[], open: Pick<OpenAttempts, 'at' | 'show'>): Aside | null {
  const order = attemptOrder(attempts);
  const id = open.at ?? attempts.find(({ outcome, replayId }) => outcome === 'accepted' && replayId === null)?.id;
  const place = id === undefined || !order.includes(id) ? order.length - 1 : order.indexOf(id);
  const attempt = attempts.find((one) => one.id === order[place]);
  if (attempt === undefined) return null;
  const step = (by: number) => {
    const next = order[place + by];
    if (next !== undefined) open.show(next);
  };
  return { attempt, place, count: order.length, step };
}

export function AttemptAside({ aside, detail }: { aside: Aside; detail: MessageDetail }) {
  const timeoutMs = useRecords((state) => state.destination?.timeoutMs);
  const { attempt, place, count, step } = aside;
  if (timeoutMs === undefined) return null;
  const offset = formatOffset(attempt.clockAt - (firstStart(detail.attempts) ?? attempt.clockAt));
  return (
    <ScrollRegion className={css.aside} aria-label="Attempt">
      <header className={css.head}>
        <h3 className={css.title}>
          {`Attempt ${place + 1} on `}
          <NameThen then={{ ...attempt, name: attempt.webhookName }} />
        </h3>
        <span className="muted small nowrap">{`round ${attempt.round}, ${offset}`}</span>
        <span className="spacer" />
        <StepButtons what="attempt" isFirst={place === 0} isLast={place === count - 1} onMove={step} />
      </header>
      <p className={css.result}>
        <AttemptCell outcome={attempt.outcome} status={attempt.status} large />
        <Text>{attemptResult(attempt)}</Text>
      </p>
      <AttemptDetails key={attempt.id} attempt={attempt} timeoutMs={timeoutMs} body={detail.deliveredJson} />
    </ScrollRegion>
  );
}
