import type { RecentAttempt } from '../../../contract/values.ts';
import { cx } from '../../lib/cx.ts';
import { formatIso } from '../../lib/format.ts';
import { ATTEMPT_WORDS, type AttemptKind, attemptKind, attemptResult } from '../../lib/words/attempts.ts';
import css from './outcome-strip.module.css';

/** How many attempts the strip shows. */
export const STRIP_LENGTH = 24;

/** Short bar: accepted. Tall: failed or timed out. Outline: nothing was sent or nobody answered. Line: no attempt. */
const BARS: Record<AttemptKind, string | undefined> = {
  accepted: css.accepted,
  failed: css.failed,
  timed_out: css.timedOut,
  throttled: cx(css.timedOut, css.half),
  declined: cx(css.failed, css.half),
  redirect: cx(css.failed, css.half),
  refused_certificate: css.refused,
  no_connection: css.unreachable,
  interrupted: css.interrupted,
  sending: css.none,
};

/** The newest 24 attempts, oldest first, as one image with a sentence. */
export function OutcomeStrip({ recent }: { recent: readonly RecentAttempt[] }) {
  const shown = recent.slice(-STRIP_LENGTH);
  return (
    <span className={css.strip} role="img" aria-label={stripSentence(shown)}>
      {Array.from({ length: STRIP_LENGTH - shown.length }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: empty places
        <i key={`e${i}`} className={css.none} />
      ))}
      {shown.map((attempt, i) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: a place in the strip
          key={i}
          className={cx(BARS[attemptKind(attempt)], attempt.was !== null && css.earlier)}
          title={barTitle(attempt)}
        />
      ))}
    </span>
  );
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
export function stripSentence(recent: readonly RecentAttempt[]): string {
  if (recent.length === 0) return 'No attempts yet';
  const counts = new Map<string, number>();
  for (const attempt of recent) {
    const word = ATTEMPT_WORDS[attemptKind(attempt)].word.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([word, n]) => `${n} ${word}`);
  const before = recent.filter(({ was }) => was !== null).length;
  if (before > 0) parts.push(`${before} of them under another name or at another address`);
  return `Last ${recent.length === 1 ? 'attempt' : `${recent.length} attempts`}: ${parts.join(', ')}`;
}
