/** Where an attempt's time went, phase by phase, and how much of the limit that was (design/ui, TimingWaterfall). */

import type { AttemptView, PhasesView } from '../../../contract/values.ts';
import layoutCss from '../../components/layout.module.css';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatDuration, formatSpan } from '../../lib/format.ts';
import { limitOf } from '../../lib/words/attempt-sentence.ts';
import detailCss from './detail.module.css';
import css from './timing.module.css';

const PHASES: readonly (readonly [keyof PhasesView, string])[] = [
  ['queueMs', 'Queue'],
  ['dnsMs', 'DNS lookup'],
  ['tcpMs', 'TCP connect'],
  ['tlsMs', 'TLS handshake'],
  ['certificateMs', 'Certificate check'],
  ['sendMs', 'Send request'],
  ['waitMs', 'Wait for response'],
  ['readMs', 'Read response'],
];

export interface PhaseBar {
  readonly key: keyof PhasesView;
  readonly name: string;
  readonly ms: number;
  /** Percent of the line. */
  readonly left: number;
  readonly width: number;
}

/** One bar per phase, each starting where the previous one ended. The line is as long as all of them. */
export function phaseBars(phases: PhasesView): PhaseBar[] {
  const parts = PHASES.flatMap(([key, name]) => (phases[key] === null ? [] : [{ key, name, ms: phases[key] }]));
  const total = Math.max(
    1e-6,
    parts.reduce((sum, { ms }) => sum + ms, 0),
  );
  let before = 0;
  return parts.map((part) => {
    const left = Math.min(99, (before / total) * 100);
    before += part.ms;
    return { ...part, left, width: Math.min(100 - left, Math.max(0.8, (part.ms / total) * 100)) };
  });
}

/** True when the request used a connection that was already open. */
export const onKeptConnection = ({ dnsMs, tcpMs, tlsMs, sendMs }: PhasesView): boolean =>
  sendMs !== null && dnsMs === null && tcpMs === null && tlsMs === null;

const colourOf = (key: keyof PhasesView, refused: boolean): string | undefined => {
  if (key === 'queueMs') return css.barQueue;
  if (key === 'waitMs') return detailCss.barAccent;
  if (key === 'certificateMs') return refused ? detailCss.barBad : detailCss.barOk;
  return css.barIdle;
};

export function Timing({
  phases,
  attempt,
  timeoutMs,
}: {
  phases: PhasesView;
  attempt: AttemptView;
  timeoutMs: number;
}) {
  const bars = phaseBars(phases);
  const limit = limitOf(attempt, timeoutMs);
  const refused = attempt.outcome === 'refused_certificate';
  const { durationMs } = attempt;
  return (
    <section className={detailCss.block} aria-label="Timing">
      <header>
        <h4>Timing</h4>
        <span className="spacer" />
        {durationMs !== null && (
          <span className="muted">
            <b className={cx('medium', toneCss.strong)}>{formatDuration(durationMs)}</b>
            {limit !== null && ` of the ${formatSpan(limit)} limit`}
          </span>
        )}
      </header>
      {bars.length === 0 && <p className="muted small">No phase was reached.</p>}
      <dl className={css.phases}>
        {bars.map(({ key, name, ms, left, width }) => (
          <div key={key}>
            <dt className="secondary">{name}</dt>
            <span className={css.phaseBar} aria-hidden="true">
              <i className={colourOf(key, refused)} style={{ left: `${left}%`, width: `${width}%` }} />
            </span>
            <dd className={cx('mono secondary', layoutCss.right)}>{formatDuration(ms)}</dd>
          </div>
        ))}
        {durationMs !== null && limit !== null && (
          <div className={css.ofLimit}>
            <dt className="muted">Of the limit</dt>
            <span className={cx(css.phaseBar, css.limitBar)} aria-hidden="true">
              <i
                className={attempt.outcome === 'timed_out' ? detailCss.barWarn : css.barIdle}
                style={{ left: 0, width: `${Math.min(100, (durationMs / limit) * 100)}%` }}
              />
            </span>
            <dd className={cx('mono muted', layoutCss.right)}>{formatSpan(limit)}</dd>
          </div>
        )}
      </dl>
      <p className={cx('muted small', css.timingNote)}>{timingNote(phases)}</p>
    </section>
  );
}

function timingNote(phases: PhasesView): string {
  const queue = phases.queueMs === null ? '' : 'The queue is before the limit starts.';
  const kept = onKeptConnection(phases)
    ? 'Sent on a kept connection, so there was no lookup, connect or handshake.'
    : '';
  return [kept, queue].filter((part) => part !== '').join(' ');
}
