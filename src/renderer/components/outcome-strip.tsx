import { cx } from '../lib/cx.ts';
import type { AttemptKind } from '../lib/words/attempts.ts';
import css from './outcome-strip.module.css';

/** One attempt, or one request that a receiver got. */
export interface OutcomeBar {
  readonly kind: AttemptKind;
  readonly title: string;
  /** It was made under another name or at another address. */
  readonly isEarlier?: boolean;
}

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

/** The newest outcomes, oldest first, as one image with a sentence. Places without an outcome stay empty. */
export function OutcomeStrip(props: { bars: readonly OutcomeBar[]; places: number; label: string; narrow?: boolean }) {
  const { bars, places, label, narrow = false } = props;
  return (
    <span className={cx(css.strip, narrow && css.narrow)} role="img" aria-label={label}>
      {Array.from({ length: Math.max(0, places - bars.length) }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: empty places
        <i key={`e${i}`} className={css.none} />
      ))}
      {bars.map(({ kind, title, isEarlier = false }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a place in the strip
        <i key={i} className={cx(BARS[kind], isEarlier && css.earlier)} title={title} />
      ))}
    </span>
  );
}
