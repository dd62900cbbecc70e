import { ArrowUp, Pause, RefreshCw } from 'lucide-react';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatCountdown } from '../../lib/format.ts';
import type { LiveSnapshot } from '../../stores/live/snapshot.ts';
import { liveStream } from '../../stores/live/store.ts';
import { heldText } from '../../stores/live/view-mode.ts';
import { useNow } from '../../stores/ticker.ts';
import css from './new-rows-strip.module.css';

/** Height of one strip in px. */
export const STRIP = 26;

/** Current height of the strips in px. */
export const stripHeight = (live: LiveSnapshot): number =>
  (showsHeld(live) ? STRIP : 0) + (live.unmatched > 0 ? STRIP : 0);

const showsHeld = (live: LiveSnapshot): boolean => live.mode === 'paused' || live.held > 0;

/**
 * Strips under the table header that say what waits above the list, and which rows are shown although they no longer
 * match.
 */
export function Strips({ live }: { live: LiveSnapshot }) {
  return (
    <>
      {live.mode === 'paused' && live.pausedAt !== null && <PausedStrip held={live.held} since={live.pausedAt} />}
      {live.mode !== 'paused' && live.held > 0 && (
        <button type="button" className={css.strip} onClick={() => liveStream.showNewest()}>
          <ArrowUp className="icon" aria-hidden="true" />
          <span>
            {heldText(live.held)} new {live.held === 1 ? 'message' : 'messages'}
          </span>
        </button>
      )}
      {live.unmatched > 0 && (
        <button type="button" className={cx(css.strip, css.quiet)} onClick={() => liveStream.refresh()}>
          <RefreshCw className="icon" aria-hidden="true" />
          <span>
            {live.unmatched === 1 ? '1 row no longer matches' : `${formatCount(live.unmatched)} rows no longer match`}.
            Refresh
          </span>
        </button>
      )}
    </>
  );
}

function PausedStrip({ held, since }: { held: number; since: number }) {
  // The shared timer has its own phase, so the time is rounded, not truncated.
  const ms = useNow() - since + 500;
  const time = ms < 1000 ? '0:00' : formatCountdown(ms);
  return (
    <button type="button" className={css.strip} onClick={resumeAtTop}>
      <Pause className="icon" aria-hidden="true" />
      <span>
        Paused <span aria-hidden="true">{time}</span>, {heldText(held)} new. Resume
      </span>
    </button>
  );
}

function resumeAtTop(): void {
  liveStream.resume();
  liveStream.showNewest();
}
