/** Where the retrying messages stand between their first attempt and the end of their window. */
import type { RetryWindowView } from '../../../contract/overview.ts';
import { ChartPanel, chartCss, DataTable } from '../../components/charts/chart-panel.tsx';
import { useWidth } from '../../components/charts/use-width.ts';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatSpan, plural } from '../../lib/format.ts';
import { formatRoute, navigate, type Route } from '../../stores/route.ts';
import { countsTold } from './counts-told.ts';
import overviewCss from './overview.module.css';
import css from './window-panel.module.css';
import { windowSentence } from './words.ts';

const HEIGHT = 52;
const MARK = 8;

const messageRoute = (id: number): Route => ({ screen: 'live', messageId: id, tab: 'attempts', full: false });

export function WindowPanel({ window: view }: { window: RetryWindowView }) {
  return (
    <ChartPanel
      title="Retry window"
      className={css.last}
      sub={subOf(view)}
      chart={<WindowChart view={view} />}
      table={() => <WindowTable view={view} />}
    />
  );
}

function subOf({ retrying, shown }: RetryWindowView): string {
  if (retrying === 0) return 'no message is retrying';
  if (shown < retrying && shown > 0)
    return `age of the oldest ${formatCount(shown)} of ${formatCount(retrying)} retrying messages, on the retry clock`;
  return `age of the ${plural(retrying, 'retrying message')}, on the retry clock`;
}

function WindowChart({ view }: { view: RetryWindowView }) {
  const [host, width] = useWidth<HTMLDivElement>(1154);
  const lateX = width * view.lateFrom;
  const quarters = [0, 1, 2, 3, 4];
  const told = countsTold(view.marks, width - MARK - 2);
  return (
    <div ref={host}>
      <svg
        className={chartCss.chart}
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={windowSentence(view)}
      >
        <rect x={0} y={12} width={width} height={14} rx={3} className={css.band} />
        <rect x={lateX} y={12} width={width - lateX} height={14} rx={3} className={css.bandLate} />
        {view.marks.map(({ at, n, id }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: a short cut for the mouse; the table has the links
          <g
            key={at}
            transform={`translate(${at * (width - MARK - 2)} 11)`}
            className={css.mark}
            onClick={() => navigate(messageRoute(id))}
          >
            <title>{`${plural(n, 'message')}, ${ageOf(at, view.windowMs)} after the first attempt`}</title>
            <rect
              x={1}
              width={MARK}
              height={16}
              rx={2.5}
              className={cx(css.markBar, at >= view.lateFrom && css.markLate)}
            />
            {told.has(at) && (
              <text x={1 + MARK / 2} y={-3} textAnchor="middle">
                {formatCount(n)}
              </text>
            )}
          </g>
        ))}
        {quarters.map((quarter) => (
          <text
            key={quarter}
            x={(width * quarter) / 4}
            y={46}
            textAnchor={quarter === 0 ? 'start' : quarter === 4 ? 'end' : 'middle'}
          >
            {quarterLabel(quarter, view.windowMs)}
          </text>
        ))}
      </svg>
    </div>
  );
}

const ageOf = (at: number, windowMs: number): string => formatSpan(Math.round((at * windowMs) / 1000) * 1000);

function quarterLabel(quarter: number, windowMs: number): string {
  if (quarter === 0) return 'first attempt';
  const span = formatSpan(Math.round((windowMs * quarter) / 4));
  return quarter === 4 ? `${span}, expires` : span;
}

function WindowTable({ view }: { view: RetryWindowView }) {
  return (
    <DataTable
      label="Retrying messages by age"
      height={160}
      columns={[
        { label: 'Since the first attempt', align: 'left' },
        { label: 'Until it expires' },
        { label: 'Messages' },
        { label: 'One of them' },
      ]}
      rows={view.marks.toReversed().map(({ at, n, id }) => ({
        key: at,
        cells: [
          ageOf(at, view.windowMs),
          ageOf(1 - at, view.windowMs),
          formatCount(n),
          <a key="open" className={overviewCss.link} href={formatRoute(messageRoute(id))}>
            Open message
          </a>,
        ],
      }))}
    />
  );
}
