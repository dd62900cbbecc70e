/** Figures that add up: what was received and how it ended. Each opens the messages that it counts. */
import type { CSSProperties, ReactNode } from 'react';
import type { OverviewView } from '../../../contract/overview.ts';
import type { MessageStateName } from '../../../contract/values.ts';
import { Countdown, StateGlyph, useStandstill } from '../../components/glyph.tsx';
import { formatCount, formatCountShort, formatDuration, formatPercent, formatSpan, plural } from '../../lib/format.ts';
import { STATE_WORDS } from '../../lib/words/states.ts';
import { useRecords } from '../../stores/records.ts';
import css from './kpi-bar.module.css';
import { showStates } from './show-states.ts';
import { notSelectedShort, OPEN_STATES, openOf, rejectedShort, tilesOf } from './words.ts';

export function KpiBar({ view }: { view: OverviewView }) {
  const tiles = tilesOf(view.totals);
  const columns = { '--tiles': tiles.length + 1, '--half': Math.ceil((tiles.length + 1) / 2) } as CSSProperties;
  return (
    <section className={css.kpis} style={columns} aria-label="Figures">
      <Kpi label="Received" n={view.totals.received} states={[]}>
        <PerMinute repeats={view.repeats} />
      </Kpi>
      {tiles.map((tile) => (
        <Kpi key={tile.label} {...tile}>
          {noteOf(tile.state, view)}
        </Kpi>
      ))}
    </section>
  );
}

/** The note of a tile, by the state of its glyph. */
function noteOf(state: MessageStateName, view: OverviewView): ReactNode {
  const { totals, deliveryMedianMs } = view;
  switch (state) {
    case 'delivered':
      if (totals.received === 0) return '';
      return `${formatPercent(totals.delivered, totals.received)}${deliveryMedianMs === null ? '' : `, median ${formatDuration(deliveryMedianMs)}`}`;
    case 'retrying':
      return <Waiting counted={openOf(totals)} />;
    case 'expired':
      if (totals.failed === 0) return `no success in ${formatSpan(view.retryWindow.windowMs)}`;
      return `${formatCountShort(totals.expired)} expired, ${formatCountShort(totals.failed)} failed`;
    case 'rejected':
      return rejectedShort(view.rejectedBy);
    case 'not_selected':
      return notSelectedShort(view.notSelectedBy);
    default:
      return state === 'stopped' ? 'by you' : '';
  }
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

/** A repeat is a call that was already stored, so no figure includes it. */
function PerMinute({ repeats }: { repeats: number }) {
  const perMinute = useRecords((state) => state.status?.perMinute ?? 0);
  return (
    <>
      {formatCountShort(perMinute)} per minute now
      {repeats > 0 && (
        <span title="Calls whose messageId was already stored. Each is counted on its message and in no other figure.">
          {`, and ${plural(repeats, 'repeat')}`}
        </span>
      )}
    </>
  );
}

/**
 * Current values, whatever the range: waiting messages by kind, and the next round. The figures count a message as
 * delivered once every webhook of its round has answered; until then it is named here.
 */
function Waiting({ counted }: { counted: number }) {
  const counts = useRecords((state) => state.status?.counts);
  const nextDueAt = useRecords((state) => state.status?.nextDueAt ?? null);
  const waiting = OPEN_STATES.filter((state) => (counts?.[state] ?? 0) > 0);
  const parts = waiting.map(
    (state) => `${formatCountShort(counts?.[state] ?? 0)} ${STATE_WORDS[state].word.toLowerCase()}`,
  );
  const answering = counted - waiting.reduce((sum, state) => sum + (counts?.[state] ?? 0), 0);
  if (answering > 0) parts.unshift(`${formatCountShort(answering)} with open answers`);
  if (parts.length === 0) return 'none now';
  return (
    <>
      {parts.join(', ')}
      {waiting.includes('retrying') && nextDueAt !== null && <Next at={nextDueAt} />}
    </>
  );
}

function Next({ at }: { at: number }) {
  const standstill = useStandstill(at);
  return (
    <>
      {standstill === null ? ', next in ' : ', '}
      <Countdown at={at} label="at" />
    </>
  );
}
