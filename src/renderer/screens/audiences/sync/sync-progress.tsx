import type { SyncDetail } from '../../../../contract/audiences.ts';
import { cx } from '../../../lib/cx.ts';
import { formatCount, formatDuration } from '../../../lib/format.ts';
import { progressText, waitText } from '../words.ts';
import { RateChart } from './rate-chart.tsx';
import css from './sync-progress.module.css';
import { leftMs, type Noun, rateText, settledOf } from './sync-words.ts';

/** How far it is: settled calls, the sum that adds up, and the rate. */
export function SyncProgress({ sync, noun }: { sync: SyncDetail; noun: Noun }) {
  return (
    <div className={css.progress}>
      <Settled sync={sync} noun={noun} />
      <Bar sync={sync} />
      <Ledger sync={sync} />
      <RateChart sync={sync} noun={noun} />
    </div>
  );
}

function Settled({ sync, noun }: { sync: SyncDetail; noun: Noun }) {
  const { expected } = sync.ledger;
  return (
    <div className={css.settled}>
      <span className={css.figure}>{formatCount(settledOf(sync))}</span>
      <span className="secondary nowrap">
        {expected === null ? 'settled' : `of ${formatCount(expected)} ${noun}${expected === 1 ? '' : 's'} settled`}
      </span>
      <span className="spacer" />
      <Pace sync={sync} />
    </div>
  );
}

function Pace({ sync }: { sync: SyncDetail }) {
  const left = leftMs(sync);
  if (sync.state !== 'running' || waitText(sync) !== null)
    return <span className="secondary">{progressText(sync)}</span>;
  return (
    <span className="secondary">
      <b className={css.strong}>{rateText(sync.perSecond)}</b>
      {` per second${left === null ? '' : `, ${formatDuration(Math.max(1_000, Math.round(left / 1_000) * 1_000))} left`}`}
    </span>
  );
}

/** Delivered, failed and open calls. A part that is there is never too thin to be seen. */
function Bar({ sync }: { sync: SyncDetail }) {
  const { expected, delivered, failed, open, retrying } = sync.ledger;
  const whole = Math.max(1, expected ?? 1);
  const parts = [
    { name: css.delivered, n: delivered },
    { name: css.failed, n: failed },
    { name: css.open, n: open + retrying },
  ];
  return (
    <div
      className={css.bar}
      role="progressbar"
      aria-label="Settled"
      aria-valuemin={0}
      aria-valuemax={expected ?? 0}
      aria-valuenow={delivered + failed}
    >
      {parts.map(
        ({ name, n }) => n > 0 && <i key={name} className={name} style={{ width: `${(n / whole) * 100}%` }} />,
      )}
    </div>
  );
}

function Ledger({ sync }: { sync: SyncDetail }) {
  const { expected, delivered, failed, waiting, unsent, retrying, open } = sync.ledger;
  const rest = `${formatCount(unsent)} unsent, ${formatCount(retrying)} retrying, ${formatCount(open)} open`;
  return (
    <dl className={css.ledger}>
      <Part swatch={css.isExpected} name="Expected" value={expected} sub="each once" />
      <Part sign="=" swatch={css.isDelivered} name="Delivered" value={delivered} sub="by a webhook" />
      <Part sign="+" swatch={css.isFailed} name="Failed" value={failed} sub="no retry left" />
      <Part sign="+" swatch={css.isWaiting} name="Waiting" value={waiting} sub={rest} />
    </dl>
  );
}

function Part({
  sign,
  swatch,
  name,
  value,
  sub,
}: {
  sign?: string;
  swatch: string | undefined;
  name: string;
  value: number | null;
  sub: string;
}) {
  return (
    <div className={css.part} data-sign={sign}>
      <dt className="muted small">
        <i className={cx(css.swatch, swatch)} />
        {name}
      </dt>
      <dd className={css.value}>{value === null ? '\u2026' : formatCount(value)}</dd>
      <dd className="muted small">{sub}</dd>
    </div>
  );
}
