/** How a replay goes on, with Stop, or why it ended before every target had accepted it. */
import type { ReplayView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { realWait, wallTime } from '../../lib/clock.ts';
import { formatClock, formatCountdown, formatSpan } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { useNow } from '../../stores/ticker.ts';
import { showFailure } from '../../stores/toasts.ts';
import css from './result-panel.module.css';

export function CourseLine({ replay }: { replay: ReplayView }) {
  const { id, finishedAt, nextAt, webhookIds, attempts, retryUntil } = replay;
  const mayGoOn = finishedAt === null && (retryUntil !== null || attempts.length < webhookIds.length);
  const text = endText(replay);
  if (!mayGoOn && text === '') return null;
  const stop = () => {
    call('replay.stop', { id }).catch((error: unknown) => showFailure('stop this replay', error));
  };
  return (
    <p className={css.course}>
      {nextAt === null ? text || 'Sending' : <NextTry at={nextAt} until={retryUntil ?? nextAt} />}
      {mayGoOn && (
        <Button size="sm" onClick={stop}>
          Stop
        </Button>
      )}
    </p>
  );
}

/** Replays go on while delivery is paused, so only the clock holds them up. */
function NextTry({ at, until }: { at: number; until: number }) {
  const clock = useRecords((state) => state.clock);
  const now = useNow();
  const when = wallTime(clock, at);
  if (!Number.isFinite(when)) return <span>Next try when the retry clock runs again</span>;
  return (
    <span>
      Next try <span aria-hidden="true">{inText(realWait(clock, at, now))}</span>
      <span className="visually-hidden">at {formatClock(when)}</span>, the last one by{' '}
      {formatClock(wallTime(clock, until))}
    </span>
  );
}

const inText = (ms: number): string => (ms < 1000 ? 'now' : `in ${formatCountdown(ms)}`);

/** Empty while it runs, and when nothing was left to try. */
export function endText({
  ended,
  retryUntil,
  attempts,
}: Pick<ReplayView, 'ended' | 'retryUntil' | 'attempts'>): string {
  switch (ended) {
    case 'expired': {
      const begun = attempts[0]?.clockAt;
      const span =
        retryUntil === null || begun === undefined ? 'the time of its rules' : formatSpan(retryUntil - begun);
      return `Not accepted within ${span}. It is not tried again.`;
    }
    case 'stopped':
      return 'Stopped. Nothing more is sent.';
    case 'interrupted':
      return 'Interrupted. Nothing more is sent.';
    default:
      return '';
  }
}
