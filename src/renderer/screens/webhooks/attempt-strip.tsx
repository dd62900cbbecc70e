import type { RecentAttempt } from '../../../contract/values.ts';
import { OutcomeStrip } from '../../components/outcome-strip.tsx';
import { formatIso } from '../../lib/format.ts';
import { attemptKind, attemptResult, outcomeSentence } from '../../lib/words/attempts.ts';

const PLACES = 24;

/** The newest 24 attempts. */
export function AttemptStrip({ recent }: { recent: readonly RecentAttempt[] }) {
  const shown = recent.slice(-PLACES);
  const bars = shown.map((attempt) => ({
    kind: attemptKind(attempt),
    title: barTitle(attempt),
    isEarlier: attempt.was !== null,
  }));
  return <OutcomeStrip bars={bars} places={PLACES} label={stripSentence(shown)} />;
}

const barTitle = (attempt: RecentAttempt): string =>
  [
    attemptResult({ ...attempt, statusText: '' }),
    formatIso(attempt.at),
    attempt.was !== null && `then ${attempt.was.name}, ${attempt.was.url}`,
  ]
    .filter(Boolean)
    .join(', ');

/** `Last 24 attempts: 20 accepted, 4 failed`. */
function stripSentence(recent: readonly RecentAttempt[]): string {
  const sentence = outcomeSentence('attempt', recent.map(attemptKind));
  const before = recent.filter(({ was }) => was !== null).length;
  return before === 0 ? sentence : `${sentence}, ${before} of them under another name or at another address`;
}
