/** The rounds that the rules give a message that always fails: a drawing and a table. */

import type { DestinationView } from '../../../../contract/values.ts';
import cardCss from '../../../components/card.module.css';
import { useWidth } from '../../../components/charts/use-width.ts';
import { ScrollRegion } from '../../../components/scroll-region.tsx';
import { cx } from '../../../lib/cx.ts';
import { formatOffset, formatSpan } from '../../../lib/format.ts';
import { scheduleSentence } from '../../../lib/rule-words.ts';
import { axisTicks, timeAxis } from '../../../lib/time-axis.ts';
import { useRecords } from '../../../stores/records.ts';
import css from './schedule-card.module.css';

const START_WIDTH = 360;
/** Room beside the axis for half a mark and the last label. */
const SIDE = 14;
const AXIS_Y = 46;
const HEIGHT = 84;
/** Round numbers closer together than this are left out. */
const NUMBER_GAP = 17;

export function ScheduleCard({ destination }: { destination: DestinationView }) {
  const { schedule } = destination;
  return (
    <section className={cardCss.card} aria-labelledby="schedule-title">
      <header>
        <h2 id="schedule-title">Schedule</h2>
        <span className="muted ellipsis">of a message that always fails, without jitter</span>
      </header>
      <div className={cx(cardCss.body, cardCss.stacked)}>
        <ScheduleDrawing destination={destination} />
        <p className="muted small">{scheduleSentence(destination)}</p>
      </div>
      <ScheduleTable schedule={schedule} />
    </section>
  );
}

/** Rounds on a log axis to the end of the window; the bar behind each is where jitter may put it. */
export function ScheduleDrawing({ destination }: { destination: DestinationView }) {
  const [host, hostWidth] = useWidth<HTMLDivElement>(START_WIDTH);
  const width = hostWidth - 2 * SIDE;
  const { schedule, retry } = destination;
  const { rounds, windowEndsAt } = schedule;
  const axis = timeAxis(windowEndsAt, width);
  const numbered = numberedRounds(rounds.map(({ at }) => axis(at)));
  return (
    <div ref={host} className={css.schedule} role="img" aria-label={`Schedule. ${scheduleSentence(destination)}`}>
      <svg
        width={width + 2 * SIDE}
        height={HEIGHT}
        viewBox={`${-SIDE} 0 ${width + 2 * SIDE} ${HEIGHT}`}
        aria-hidden="true"
      >
        <rect x={0} y={8} width={width} height={AXIS_Y + 12 - 8} className={css.window} />
        {axisTicks(windowEndsAt, width).map(({ x, label }, i, all) => (
          <g key={label}>
            <path d={`M${Math.round(x) + 0.5} 8V${AXIS_Y + 12}`} className={css.grid} />
            <text
              x={x}
              y={HEIGHT - 8}
              textAnchor={i === all.length - 1 ? 'end' : i === 0 ? 'start' : 'middle'}
              dx={i === 0 ? -3 : i === all.length - 1 ? SIDE - 2 : 0}
            >
              {label}
            </text>
          </g>
        ))}
        <path d={`M0 ${AXIS_Y}H${width}`} className={css.line} />
        {rounds.map(({ round, at }) => (
          <Jitter key={round} from={axis(at * (1 - retry.jitter))} to={axis(at * (1 + retry.jitter))} />
        ))}
        {rounds.map(({ round, at }, i) => (
          <g key={round}>
            <circle cx={axis(at)} cy={AXIS_Y} r={3.5} className={css.round} />
            {numbered.has(i) && (
              <text x={Math.min(axis(at), width - 9)} y={AXIS_Y - 11} textAnchor="middle" className={css.number}>
                {round}
              </text>
            )}
          </g>
        ))}
        <path d={`M${width} 4V${AXIS_Y + 12}`} className={css.end} />
      </svg>
    </div>
  );
}

const Jitter = ({ from, to }: { from: number; to: number }) =>
  to - from < 1 ? null : <rect x={from} y={AXIS_Y - 5} width={to - from} height={10} rx={2} className={css.jitter} />;

/** Positions whose number has room. The first and the last have priority. */
export function numberedRounds(xs: readonly number[]): ReadonlySet<number> {
  const kept = new Set<number>();
  const lastX = xs.at(-1);
  let before = Number.NEGATIVE_INFINITY;
  xs.forEach((x, i) => {
    const isLast = i === xs.length - 1;
    if (!isLast && lastX !== undefined && lastX - x < NUMBER_GAP) return;
    if (x - before < NUMBER_GAP) return;
    kept.add(i);
    before = x;
  });
  return kept;
}

/** Real time has its own column (design/ui, principle 6). */
function ScheduleTable({ schedule }: { schedule: DestinationView['schedule'] }) {
  const clock = useRecords((state) => state.clock);
  const { rounds, windowEndsAt, more } = schedule;
  const real = (at: number) => (clock.paused ? '' : realOffset(at / clock.speed));
  return (
    <ScrollRegion className={css.table} aria-label="Schedule as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">Round</th>
            <th scope="col">Wait before</th>
            <th scope="col">After the first</th>
            <th scope="col">{clock.paused ? 'Real time, clock paused' : `Real time at ${clock.speed}\u00d7`}</th>
          </tr>
        </thead>
        <tbody>
          {rounds.map(({ round, at }, i) => (
            <tr key={round}>
              <td>{round}</td>
              <td>{i === 0 ? '' : formatSpan(at - (rounds[i - 1]?.at ?? 0))}</td>
              <td>{formatOffset(at)}</td>
              <td className="secondary">{real(at)}</td>
            </tr>
          ))}
          {more && (
            <tr className="muted">
              <td colSpan={4}>More rounds follow until the window ends.</td>
            </tr>
          )}
          <tr className={cx(css.last, 'muted')}>
            <td colSpan={2}>Window ends</td>
            <td>{formatOffset(windowEndsAt)}</td>
            <td>{real(windowEndsAt)}</td>
          </tr>
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** As {@link formatOffset}, and milliseconds below a second: `+167 ms`. */
export const realOffset = (ms: number): string =>
  ms > 0 && ms < 999.5 ? `+${Math.max(1, Math.round(ms))} ms` : formatOffset(ms);
