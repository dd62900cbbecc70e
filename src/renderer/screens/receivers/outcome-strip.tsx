import type { RecentHit } from '../../../contract/receivers.ts';
import { formatTime } from '../../lib/format.ts';
import type { AttemptKind } from '../../lib/words/attempts.ts';
import css from './outcome-strip.module.css';
import { hitKind, hitStatusText, stripSentence } from './words.ts';

const LENGTH = 20;

/** Short: accepted. Tall: answered otherwise. Amber: held. Outline: no whole answer. Dot: no request. */
const BARS: Record<AttemptKind, string | undefined> = {
  accepted: css.o!,
  timed_out: css.t!,
  throttled: css.t!,
  no_connection: css.n!,
  refused_certificate: css.n!,
  interrupted: css.n!,
  sending: css.e!,
  failed: css.x!,
  declined: css.x!,
  redirect: css.x!,
};

/** The newest 20 requests, oldest first, as one image with a sentence. */
export function OutcomeStrip({ recent }: { recent: readonly RecentHit[] }) {
  return (
    <span className={css.strip} role="img" aria-label={stripSentence(recent)}>
      {Array.from({ length: Math.max(0, LENGTH - recent.length) }, (_unused, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: empty places
        <i key={`e${i}`} className={css.e} />
      ))}
      {recent.map((hit, i) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: a place in the strip
          key={i}
          className={BARS[hitKind(hit)]}
          title={`${hitStatusText(hit)}, ${formatTime(hit.at)}`}
        />
      ))}
    </span>
  );
}
