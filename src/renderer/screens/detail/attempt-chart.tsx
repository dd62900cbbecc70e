/** The attempts of a message over the retry window: one lane per webhook, a log time axis (design/ui, section 5). */
import { useLayoutEffect, useRef, useState } from 'react';
import type { RulesView, ScheduleView } from '../../../contract/rules.ts';
import type { AttemptView, ClockView, LineUpView, MessageRow, WebhookView } from '../../../contract/values.ts';
import { CELL_MARKS } from '../../components/cell-marks.tsx';
import { Text } from '../../components/text.tsx';
import { clockTime } from '../../lib/clock.ts';
import { formatCountdown, formatOffset, formatSpan, plural } from '../../lib/format.ts';
import { CELL_WORDS } from '../../lib/words/cells.ts';
import { firstStart, ownAttempts } from '../../message/attempts.ts';
import { useNow } from '../../stores/ticker.ts';
import css from './attempt-chart.module.css';
import { type Chart, chartOf, type Lane, type Mark } from './chart-geometry.ts';
import { isFinal, roundsInWords, windowOf } from './explain.ts';
import { laneKey } from './lanes.ts';

const LANE = 27;
/** Room above the lanes for the label of the now line; less without one. */
const topOf = (chart: Chart): number => (chart.now === null ? 8 : 26);
const FOOT = 22;
/** Room at the end for half a mark and the last label. */
const END = 14;
/** Room that a lane's note needs at the end of the lane. */
const NOTE_ROOM = 56;
const START_WIDTH = 318;

/** Whether a lane's note fits at its end. Otherwise it stands beside the name. */
const hasRoomFor = ({ marks }: Lane, width: number): boolean =>
  (marks.at(-1)?.x ?? Number.NEGATIVE_INFINITY) < width - NOTE_ROOM;

export interface AttemptChartProps {
  readonly message: MessageRow;
  readonly attempts: readonly AttemptView[];
  readonly webhooks: readonly WebhookView[];
  readonly lineUps: readonly LineUpView[];
  readonly rules: Pick<RulesView, 'retry' | 'retryOn'>;
  readonly schedule: ScheduleView | null;
  readonly clock: ClockView;
}

/** The picture in one sentence. */
export function chartSentence(message: MessageRow, attempts: readonly AttemptView[], chart: Chart): string {
  const own = ownAttempts(attempts);
  const lanes = chart.lanes.filter((lane) => lane.marks.length > 0).length;
  const accepted = own.filter((attempt) => attempt.outcome === 'accepted').length;
  const rounds = new Set(own.map((attempt) => attempt.round)).size;
  const clocks = own.map((attempt) => attempt.clockAt);
  const span = own.length === 0 ? 0 : Math.max(...clocks) - Math.min(...clocks);
  const parts = [
    `${roundsInWords(rounds)} of attempts on ${plural(lanes, 'webhook')}${span < 1000 ? '' : ` over ${formatSpan(Math.round(span / 1000) * 1000)}`}; ${accepted === 0 ? 'none succeeded' : `${accepted} succeeded`}.`,
  ];
  if (chart.next !== null)
    parts.push(`Next round at ${formatSpan(Math.max(0, Math.round(chart.next.offsetMs / 1000) * 1000))}.`);
  if (!isFinal(message)) parts.push(`The message expires at ${formatSpan(chart.windowMs)}.`);
  return parts.join(' ');
}

export function AttemptChart({ message, attempts, webhooks, lineUps, rules, schedule, clock }: AttemptChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const width = usePlotWidth(host);
  const now = useNow();
  const firstAt = firstStart(attempts) ?? message.firstAttemptAt ?? 0;
  const chart = chartOf({
    attempts,
    webhooks,
    lineUps,
    firstAt,
    windowEndsAt: firstAt + windowOf(message, rules.retry),
    nowAt: clockTime(clock, now),
    schedule,
    final: isFinal(message),
    retriesDeclined: rules.retryOn.includes('declined'),
    width,
  });
  return (
    <div className={css.chart} role="img" aria-label={chartSentence(message, attempts, chart)}>
      <div className={css.laneNames} style={{ paddingTop: topOf(chart) }}>
        {chart.lanes.map((lane) => (
          <div
            key={laneKey(lane)}
            className={css.laneName}
            style={{ height: LANE }}
            title={lane.url === null ? lane.name : `${lane.name}, ${lane.url}`}
          >
            <span className="muted">{lane.slot}</span>
            <Text className="ellipsis">{lane.name}</Text>
            {lane.note !== null && !hasRoomFor(lane, width) && <span className="muted nowrap">{lane.note}</span>}
          </div>
        ))}
      </div>
      <div ref={host} className={css.plotHost}>
        <Plot chart={chart} width={width} standing={clock.paused} />
      </div>
    </div>
  );
}

/** The current width of the plot, without the room kept at its end. */
function usePlotWidth(host: React.RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(START_WIDTH);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const measure = () => {
      const measured = element.clientWidth - END - 6;
      if (measured > 60) setWidth(measured);
    };
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [host]);
  return width;
}

function Plot({ chart, width, standing }: { chart: Chart; width: number; standing: boolean }) {
  const top = topOf(chart);
  const bottom = top + LANE * chart.lanes.length;
  /** When some marks have a count under them, all marks are drawn a little higher. */
  const raised = chart.lanes.some((lane) => lane.marks.some((mark) => mark.count > 1));
  const { now, next } = chart;
  return (
    <svg
      className={css.plot}
      width={width + END + 6}
      height={bottom + FOOT}
      viewBox={`-6 0 ${width + END + 6} ${bottom + FOOT}`}
      aria-hidden="true"
    >
      {now !== null && <rect x={0} y={top - 4} width={now.x} height={bottom - top + 4} className={css.past} />}
      {chart.ticks.map((tick, index) => (
        <g key={tick.label}>
          <path d={`M${Math.round(tick.x) + 0.5} ${top - 4}V${bottom}`} className={css.gridLine} />
          <text
            x={tick.x}
            y={bottom + 16}
            textAnchor={index === chart.ticks.length - 1 ? 'end' : index === 0 ? 'start' : 'middle'}
            dx={index === 0 ? -3 : index === chart.ticks.length - 1 ? 8 : 0}
          >
            {tick.label}
          </text>
        </g>
      ))}
      {now !== null && (
        <>
          <path d={`M${Math.round(now.x) + 0.5} ${top - 6}V${bottom}`} className={css.nowLine} />
          <text x={Math.min(width - 30, Math.max(34, now.x))} y={top - 11} textAnchor="middle" className={css.nowLabel}>
            {`${now.offsetMs < 1000 ? '' : `+${formatCountdown(now.offsetMs)} `}${standing ? 'paused' : 'now'}`}
          </text>
        </>
      )}
      {chart.lanes.map((lane, index) => (
        <LaneMarks
          key={laneKey(lane)}
          lane={lane}
          chart={chart}
          y={top + LANE * index + LANE / 2}
          width={width}
          first={index === 0}
          raised={raised}
        />
      ))}
      {next !== null && <title>{`Next round ${formatOffset(next.offsetMs)}`}</title>}
    </svg>
  );
}

function LaneMarks({
  lane,
  chart,
  y,
  width,
  first,
  raised,
}: {
  lane: Lane;
  chart: Chart;
  y: number;
  width: number;
  first: boolean;
  raised: boolean;
}) {
  const lastX = lane.marks.at(-1)?.x ?? Number.NEGATIVE_INFINITY;
  return (
    <g>
      {!first && <path d={`M-6 ${y - LANE / 2 + 0.5}H${width + END}`} className={css.gridLine} />}
      {lane.waiting && chart.later.map((x) => <circle key={x} cx={x} cy={y} r={1.75} className={css.later} />)}
      {lane.marks.map((mark) => (
        <MarkShape key={mark.firstRound} mark={mark} y={raised ? y - 4 : y} />
      ))}
      {lane.waiting && chart.next !== null && (
        <g transform={`translate(${Math.max(chart.next.x, lastX + 12) - 6} ${y - 6})`}>
          <rect x={0.75} y={0.75} width={10.5} height={10.5} rx={2.5} className={css.nextBox} />
        </g>
      )}
      {lane.note !== null && hasRoomFor(lane, width) && (
        <text x={width + 8} y={y + 4} textAnchor="end" className={css.laneNote}>
          {lane.note}
        </text>
      )}
    </g>
  );
}

function MarkShape({ mark, y }: { mark: Mark; y: number }) {
  const many = mark.count > 1;
  const rounds = many
    ? `Rounds ${mark.firstRound} to ${mark.lastRound}: ${mark.count} attempts, the last`
    : `Round ${mark.firstRound}:`;
  return (
    <g transform={`translate(${mark.x - 6} ${y - 6})`}>
      <title>{`${rounds} ${CELL_WORDS[mark.cell]}`}</title>
      {CELL_MARKS[mark.cell]}
      {many && (
        <text x={6} y={21.5} textAnchor="middle" className={css.markCount}>
          {mark.count}
        </text>
      )}
    </g>
  );
}
