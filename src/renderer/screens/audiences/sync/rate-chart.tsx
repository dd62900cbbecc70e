import { useId } from 'react';
import type { SyncDetail } from '../../../../contract/audiences.ts';
import { useWidth } from '../../../components/charts/use-width.ts';
import { formatClock, formatCount } from '../../../lib/format.ts';
import css from './rate-chart.module.css';
import { type RateCourse, type RatePoint, rateCourse } from './rate-course.ts';
import { courseSentence, leftMs, type Noun } from './sync-words.ts';

const HEIGHT = 92;
const BASE = 74;
const TOP = 14;
/** Room that the text at a place of the axis takes to one side, in px. */
const NOW_ROOM = 64;
const END_ROOM = 150;
const RATE_ROOM = 140;

/** The next number with one digit that is not 0: `700` for 612. */
export function topOf(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, highest)));
  return Math.max(1, Math.ceil(highest / power) * power);
}

/** Settled calls a second since the start, with the stops, and when it will be done. */
export function RateChart({ sync, noun }: { sync: SyncDetail; noun: Noun }) {
  const [host, width] = useWidth<HTMLDivElement>(560);
  const course = rateCourse(sync);
  return (
    <div ref={host} className={css.host}>
      <svg
        className={css.chart}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={courseSentence(sync, noun, course?.stops ?? [])}
      >
        {course === null ? (
          <>
            <path d={`M0 ${BASE + 0.5}H${width}`} className={css.line} />
            <text x={width / 2} y={48} textAnchor="middle">
              {sync.state === 'preparing' ? 'Writing down who gets which call' : 'No rate yet'}
            </text>
          </>
        ) : (
          <Course sync={sync} course={course} width={width} />
        )}
      </svg>
    </div>
  );
}

function Course({ sync, course, width }: { sync: SyncDetail; course: RateCourse; width: number }) {
  const hatch = useId();
  const left = leftMs(sync);
  const end = course.to + (left ?? 0);
  const x = (at: number) => ((at - course.from) / Math.max(1, end - course.from)) * width;
  const top = topOf(course.highest);
  const y = (perSecond: number) => BASE - (perSecond / top) * (BASE - TOP);
  const now = x(course.to);
  const hasNow = left !== null;
  const lastStop = course.stops.at(-1);
  const stopsLate = lastStop !== undefined && x(lastStop.to) > width - RATE_ROOM;
  return (
    <>
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V6" className={css.hatch} />
        </pattern>
      </defs>
      {[0, top / 2, top].map((tick) => (
        <path key={tick} d={`M0 ${Math.round(y(tick)) + 0.5}H${width}`} className={css.line} />
      ))}
      {course.runs.map((run) => (
        <Run key={run[0]!.at} run={run} x={x} y={y} />
      ))}
      {course.stops.map(({ from, to }) => (
        <g key={from}>
          <rect x={x(from)} y={TOP} width={Math.max(2, x(to) - x(from))} height={BASE - TOP} fill={`url(#${hatch})`} />
          {x(to) - x(from) > 24 && (
            <text x={(x(from) + x(to)) / 2} y={10} textAnchor="middle">
              stopped
            </text>
          )}
        </g>
      ))}
      <text x={stopsLate ? 0 : width} y={TOP - 4} textAnchor={stopsLate ? 'start' : 'end'}>
        {`${formatCount(top)} per second`}
      </text>
      {hasNow && (
        <>
          <path d={`M${now} ${y(sync.perSecond)}H${width}`} className={css.toCome} />
          <path d={`M${Math.min(width - 1, now) + 0.5} ${TOP}V${BASE}`} className={css.now} />
        </>
      )}
      <text x={0} y={90}>
        {formatClock(course.from)}
      </text>
      {hasNow && now > 2 * NOW_ROOM && now < width - END_ROOM && (
        <text x={now} y={90} textAnchor="middle" className={css.nowText}>
          {`now ${formatClock(course.to)}`}
        </text>
      )}
      <text x={width} y={90} textAnchor="end">
        {left === null ? formatClock(course.to) : `about ${formatClock(end)}`}
      </text>
    </>
  );
}

function Run({ run, x, y }: { run: readonly RatePoint[]; x: (at: number) => number; y: (n: number) => number }) {
  const line = run.map(
    ({ at, perSecond }, i) => `${i === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(perSecond).toFixed(1)}`,
  );
  const [first, last] = [run[0]!, run.at(-1)!];
  return (
    <>
      <path
        className={css.area}
        d={`${line.join('')}L${x(last.at).toFixed(1)} ${BASE}L${x(first.at).toFixed(1)} ${BASE}Z`}
      />
      <path className={css.rate} d={line.join('')} />
    </>
  );
}
