/** Histogram of answer times, in classes that double, and the attempts without an answer. */
import { useId } from 'react';
import type { ResponseTimes } from '../../../contract/overview.ts';
import { ChartPanel, chartCss, DataTable, Hatch } from '../../components/charts/chart-panel.tsx';
import { useWidth } from '../../components/charts/use-width.ts';
import { formatCount, formatCountShort, formatPercent, formatSpan } from '../../lib/format.ts';
import { responseSentence } from './words.ts';

const HEIGHT = 116;
const FOOT = 22;
/** Room for the count above the highest bar. */
const HEAD = 16;

interface Column {
  readonly label: string;
  readonly n: number;
  readonly none: boolean;
}

export function ResponsePanel({ times, timeoutMs }: { times: ResponseTimes; timeoutMs: number }) {
  return (
    <ChartPanel
      title="Response time"
      sub="ms, all webhooks"
      side={
        <span className="muted nowrap">
          p50 <b className="medium">{milliseconds(times.p50Ms)}</b>
          {'\u2002'}p95 <b className="medium">{milliseconds(times.p95Ms)}</b>
        </span>
      }
      chart={<ResponseChart times={times} timeoutMs={timeoutMs} />}
      table={() => <ResponseTable times={times} />}
    />
  );
}

const milliseconds = (ms: number | null): string => {
  if (ms === null) return '–';
  return ms < 9.95 ? ms.toFixed(1) : formatCount(Math.round(ms));
};

const classLabel = (ms: number): string => (ms < 1000 ? String(ms) : `${ms / 1000} s`);

function columnsOf({ classes, none }: ResponseTimes): Column[] {
  return [
    ...classes.map(({ upToMs, n }, i) => ({
      label: upToMs === null ? `>${classLabel(classes[i - 1]!.upToMs!)}` : i === 0 ? `<${upToMs}` : classLabel(upToMs),
      n,
      none: false,
    })),
    { label: 'none', n: none, none: true },
  ];
}

/** Position of the limit in columns from the left, logarithmic within a class. */
export function limitPlace(classes: ResponseTimes['classes'], limitMs: number): number {
  const at = classes.findIndex(({ upToMs }) => upToMs === null || limitMs <= upToMs);
  if (at === -1) return classes.length;
  const to = classes[at]!.upToMs;
  const from = at === 0 ? 1 : classes[at - 1]!.upToMs!;
  return to === null ? at + 0.5 : at + Math.log(limitMs / from) / Math.log(to / from);
}

function ResponseChart({ times, timeoutMs }: { times: ResponseTimes; timeoutMs: number }) {
  const [host, width] = useWidth<HTMLDivElement>(360);
  const hatch = useId();
  const columns = columnsOf(times);
  const step = width / columns.length;
  const top = Math.max(1, ...columns.map(({ n }) => n));
  const limitX = limitPlace(times.classes, timeoutMs) * step - 0.5;
  return (
    <div ref={host}>
      <svg
        className={chartCss.chart}
        width={width}
        height={HEIGHT + FOOT}
        viewBox={`0 0 ${width} ${HEIGHT + FOOT}`}
        role="img"
        aria-label={responseSentence(times, timeoutMs)}
      >
        <Hatch id={hatch} />
        <path d={`M0 ${HEIGHT + 0.5}H${width}`} className={chartCss.baseLine} />
        {columns.map(({ label, n, none }, i) => {
          const height = n === 0 ? 0 : Math.max(2, (n / top) * (HEIGHT - HEAD - 14));
          const middle = i * step + step / 2 - 0.5;
          return (
            <g key={label}>
              <title>{`${none ? 'No answer' : label}: ${formatCount(n)}`}</title>
              <rect
                x={i * step + 2}
                y={HEIGHT - height}
                width={Math.max(1, step - 5)}
                height={height}
                rx={1.5}
                className={none ? undefined : chartCss.barPlain}
                fill={none ? `url(#${hatch})` : undefined}
              />
              <text x={middle} y={HEIGHT - height - 5} textAnchor="middle" className={chartCss.value}>
                {n === 0 ? '' : formatCountShort(n)}
              </text>
              <text x={middle} y={HEIGHT + 16} textAnchor="middle">
                {label}
              </text>
            </g>
          );
        })}
        <path d={`M${limitX} 6V${HEIGHT}`} className={chartCss.limitLine} />
        <text x={limitX - 6} y={10} textAnchor="end" className={chartCss.limit}>
          {formatSpan(timeoutMs)} limit
        </text>
      </svg>
    </div>
  );
}

function ResponseTable({ times }: { times: ResponseTimes }) {
  const all = times.answers + times.none;
  return (
    <DataTable
      label="Response times as a table"
      height={HEIGHT + FOOT}
      columns={[{ label: 'Answer within', align: 'left' }, { label: 'Attempts' }, { label: 'Share' }]}
      rows={columnsOf(times).map(({ label, n, none }, i) => ({
        key: label,
        cells: [
          none ? 'no answer' : times.classes[i]!.upToMs === null ? 'longer' : formatSpan(times.classes[i]!.upToMs!),
          formatCount(n),
          formatPercent(n, all),
        ],
      }))}
    />
  );
}
