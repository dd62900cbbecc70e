/** Messages by time of receipt and how they ended, one bar per minute. */
import { useId } from 'react';
import type { OverviewBar, OverviewView } from '../../../contract/overview.ts';
import { ChartPanel, chartCss, DataTable, Hatch, LegendItem, Stripes } from '../../components/charts/chart-panel.tsx';
import { countTicks } from '../../components/charts/scale.ts';
import { useWidth } from '../../components/charts/use-width.ts';
import { formatCount, formatCountShort } from '../../lib/format.ts';
import { badOf, clockMinute, minutesSentence, perStep, RANGE_WORDS, restOf } from './words.ts';

const HEIGHT = 200;
/** Room under the axis and over the highest bar. */
const FOOT = 24;
const HEAD = 10;
const CHARACTER = 6.6;

export function MinutesPanel({ view, onShowBad }: { view: OverviewView; onShowBad: () => void }) {
  return (
    <ChartPanel
      title={perStep(view.stepMs)}
      side={
        <div className={chartCss.legends}>
          <LegendItem swatch="ok" label="Delivered first time" />
          <LegendItem swatch="hatch" label="Needed a retry" />
          <LegendItem swatch="bad" label="Expired, failed or rejected" onClick={onShowBad} />
          {view.bars.some((bar) => restOf(bar) > 0) && <LegendItem swatch="rest" label="Waiting or not selected" />}
        </div>
      }
      chart={<MinutesChart view={view} />}
      table={() => <MinutesTable view={view} />}
    />
  );
}

function MinutesChart({ view }: { view: OverviewView }) {
  const [host, width] = useWidth<HTMLDivElement>(766);
  const hatch = useId();
  const stripes = useId();
  const { bars } = view;
  const { ticks, top } = countTicks(Math.max(...bars.map((bar) => bar.received)));
  const left = Math.max(28, formatCountShort(ticks.at(-1)!).length * CHARACTER + 12);
  const step = (width - left) / bars.length;
  const y = (n: number) => HEIGHT - (n / top) * (HEIGHT - HEAD);
  const every = Math.max(1, Math.ceil(bars.length / 6));
  return (
    <div ref={host}>
      <svg
        className={chartCss.chart}
        width={width}
        height={HEIGHT + FOOT}
        viewBox={`0 0 ${width} ${HEIGHT + FOOT}`}
        role="img"
        aria-label={minutesSentence(view)}
      >
        <Hatch id={hatch} />
        <Stripes id={stripes} />
        {ticks.map((tick) => (
          <g key={tick}>
            <path d={`M${left} ${Math.round(y(tick)) + 0.5}H${width}`} className={chartCss.gridLine} />
            <text x={left - 8} y={y(tick) + 4} textAnchor="end">
              {formatCountShort(tick)}
            </text>
          </g>
        ))}
        {bars.map((bar, i) => (
          <Bar key={bar.at} bar={bar} x={left + i * step} step={step} y={y} hatch={hatch} stripes={stripes} />
        ))}
        {bars.map((bar, i) =>
          i % every === 0 && left + i * step < width - 64 ? (
            <text key={bar.at} x={left + i * step} y={HEIGHT + 18}>
              {clockMinute(bar.at)}
            </text>
          ) : null,
        )}
        <text x={width} y={HEIGHT + 18} textAnchor="end">
          {clockMinute(bars.at(-1)!.at)}
        </text>
        {view.totals.received === 0 && (
          <text x={left + (width - left) / 2} y={HEIGHT / 2} textAnchor="middle">
            {`No messages ${RANGE_WORDS[view.range]}.`}
          </text>
        )}
      </svg>
    </div>
  );
}

/** From the axis up: delivered first time, needed a retry, bad, the rest. */
function Bar({
  bar,
  x,
  step,
  y,
  hatch,
  stripes,
}: {
  bar: OverviewBar;
  x: number;
  step: number;
  y: (n: number) => number;
  hatch: string;
  stripes: string;
}) {
  const gap = step > 6 ? 3 : 1;
  const width = Math.max(1, step - gap);
  const parts = [
    { n: bar.firstRound, className: chartCss.barOk, fill: undefined },
    { n: bar.retried, className: undefined, fill: `url(#${hatch})` },
    { n: badOf(bar), className: chartCss.barBad, fill: `url(#${stripes})` },
    { n: restOf(bar), className: chartCss.barRest, fill: undefined },
  ];
  let below = 0;
  return (
    <g className={chartCss.hitArea}>
      <title>{barSentence(bar)}</title>
      <rect x={x} y={0} width={step} height={HEIGHT} className={chartCss.hit} />
      {parts.map((part, i) => {
        if (part.n === 0) return null;
        const bottom = y(below);
        below += part.n;
        const isRest = i === 3;
        const inset = isRest ? 0.5 : 0;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the four parts never change places
            key={i}
            x={x + (gap - 1) / 2 + inset}
            y={y(below) + 0.5 + inset}
            width={Math.max(1, width - 2 * inset)}
            height={Math.max(1, bottom - y(below) - 1 - 2 * inset)}
            rx={1.5}
            className={part.className}
            fill={part.fill}
          />
        );
      })}
    </g>
  );
}

function barSentence(bar: OverviewBar): string {
  const parts = [
    [bar.firstRound, 'delivered first time'],
    [bar.retried, 'needed a retry'],
    [bar.expired, 'expired'],
    [bar.failed, 'failed'],
    [bar.rejected, 'rejected'],
    [bar.notSelected, 'not selected'],
    [Math.max(0, restOf(bar) - bar.notSelected), 'waiting'],
  ] as const;
  const told = parts.filter(([n]) => n > 0).map(([n, what]) => `${formatCount(n)} ${what}`);
  return `${clockMinute(bar.at)}: ${formatCount(bar.received)} received${told.length === 0 ? '' : `, ${told.join(', ')}`}`;
}

function MinutesTable({ view }: { view: OverviewView }) {
  return (
    <DataTable
      label={`${perStep(view.stepMs)} as a table`}
      height={HEIGHT + FOOT}
      columns={[
        { label: 'From', align: 'left' },
        { label: 'Received' },
        { label: 'First time' },
        { label: 'Needed a retry' },
        { label: 'Expired' },
        { label: 'Failed' },
        { label: 'Rejected' },
        { label: 'Not selected' },
      ]}
      rows={view.bars.toReversed().map((bar) => ({
        key: bar.at,
        cells: [
          clockMinute(bar.at),
          ...[bar.received, bar.firstRound, bar.retried, bar.expired, bar.failed, bar.rejected, bar.notSelected].map(
            formatCount,
          ),
        ],
      }))}
    />
  );
}
