/** Six figures; each opens the messages that it counts. */
import type { ReactNode } from 'react';
import type { OverviewView } from '../../../contract/overview.ts';
import type { MessageStateName } from '../../../contract/values.ts';
import { Countdown, StateGlyph, useStandstill } from '../../components/glyph.tsx';
import { formatCount, formatCountShort, formatDuration, formatPercent, formatSpan } from '../../lib/format.ts';
import { useRecords } from '../../stores/records.ts';
import css from './overview.module.css';
import { showStates } from './show-states.ts';
import { notSelectedShort, shortReason } from './words.ts';

export function KpiBar({ view }: { view: OverviewView }) {
  const { totals } = view;
  return (
    <section className={css.kpis} aria-label="Figures">
      <Kpi label="Received" n={totals.received} states={[]}>
        <PerMinute />
      </Kpi>
      <Kpi label="Delivered" n={totals.delivered} state="delivered" states={['delivered']}>
        {totals.received === 0
          ? ''
          : `${formatPercent(totals.delivered, totals.received)}${view.deliveryMedianMs === null ? '' : `, median ${formatDuration(view.deliveryMedianMs)}`}`}
      </Kpi>
      <Retrying />
      <Kpi label="Expired" n={totals.expired} state="expired" states={['expired', 'failed']}>
        {totals.failed > 0
          ? `and ${formatCountShort(totals.failed)} failed`
          : `no success in ${formatSpan(view.retryWindow.windowMs)}`}
      </Kpi>
      <Kpi label="Rejected" n={totals.rejected} state="rejected" states={['rejected']}>
        {view.rejectedBy
          .slice(0, 2)
          .map(({ reason }) => shortReason(reason))
          .join(', ')}
      </Kpi>
      <Kpi label="Not selected" n={totals.notSelected} state="not_selected" states={['not_selected']}>
        {notSelectedShort(view.notSelectedBy)}
      </Kpi>
    </section>
  );
}

function Kpi({
  label,
  n,
  state,
  states,
  children,
}: {
  label: string;
  n: number;
  state?: MessageStateName;
  /** What the live stream shows on a click. */
  states: readonly MessageStateName[];
  children: ReactNode;
}) {
  return (
    <button type="button" className={css.kpi} onClick={() => showStates(states)}>
      <span className={css.kpiLabel}>
        {state !== undefined && <StateGlyph state={state} />}
        {label}
      </span>{' '}
      <b title={formatCount(n)}>{formatCountShort(n)}</b> <span className={css.kpiSub}>{children}</span>
    </button>
  );
}

function PerMinute() {
  const perMinute = useRecords((state) => state.status?.perMinute ?? 0);
  return <>{formatCountShort(perMinute)} per minute now</>;
}

/** As of now, whatever the range. */
function Retrying() {
  const retrying = useRecords((state) => state.status?.counts.retrying ?? 0);
  const nextDueAt = useRecords((state) => state.status?.nextDueAt ?? null);
  return (
    <Kpi label="Retrying" n={retrying} state="retrying" states={['retrying']}>
      {retrying === 0 ? 'none now' : nextDueAt === null ? 'due now' : <Next at={nextDueAt} />}
    </Kpi>
  );
}

function Next({ at }: { at: number }) {
  const standstill = useStandstill(at);
  return (
    <>
      {standstill === null && 'next in '}
      <Countdown at={at} label="at" />
    </>
  );
}
