import type { RecentAttempt } from '../../../contract/values.ts';
import { cx } from '../../lib/cx.ts';
import { formatIso } from '../../lib/format.ts';
import { ATTEMPT_WORDS, type AttemptKind, attemptKind, attemptResult } from '../../lib/words/attempts.ts';

/** How many attempts the strip has room for. */
export const STRIP_LENGTH = 24;

/** Short bar: accepted. Tall: failed or timed out. Outline: nothing was sent or nobody answered. Line: no attempt. */
const BARS: Record<AttemptKind, string> = {
  accepted: 'o',
  failed: 'x',
  timed_out: 't',
  throttled: 't half',
  declined: 'x half',
  redirect: 'x half',
  refused_certificate: 'r',
  no_connection: 'n',
  interrupted: 'i',
  sending: 'e',
};

/** The newest 24 attempts, oldest first, as one image with a sentence. */
export function OutcomeStrip({ recent }: { recent: readonly RecentAttempt[] }) {
  const shown = recent.slice(-STRIP_LENGTH);
  return (
    <span className="strip" role="img" aria-label={stripSentence(shown)}>
      {Array.from({ length: STRIP_LENGTH - shown.length }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: empty places
        <i key={`e${i}`} className="e" />
      ))}
      {shown.map((attempt, i) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: a place in the strip
          key={i}
          className={cx(BARS[attemptKind(attempt)], attempt.was !== null && 'was')}
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
