/** The demo shop as one drawing: three sources, Hookbench, five webhooks of which two misbehave. */
import { CELL_MARKS } from '../../components/cell-marks.tsx';
import { cx } from '../../lib/cx.ts';
import css from './shop-drawing.module.css';

const WIDTH = 336;
const HEIGHT = 128;
const MIDDLE = 62;

const SOURCES = [
  { name: 'Web shop', y: 22 },
  { name: 'Checkout', y: 58 },
  { name: 'Phone app', y: 94 },
] as const;

const TOOLS = [
  { name: 'CRM', y: 10, mark: 'a', note: null },
  { name: 'Email tool', y: 36, mark: 'f', note: '503' },
  { name: 'Warehouse', y: 62, mark: 'a', note: null },
  { name: 'Ad network', y: 88, mark: 't', note: 'slow' },
  { name: 'Archive', y: 114, mark: 'a', note: null },
] as const;

const EDGES: Readonly<Record<string, string | undefined>> = { f: css.failing, t: css.slow };

export function ShopDrawing() {
  return (
    <svg
      className={css.pipe}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label="Three sources send to Hookbench, which delivers to five webhooks. One of them answers 503 now and then, one is slow."
    >
      {SOURCES.map(({ name, y }) => (
        <g key={name}>
          <path className={css.edge} d={`M92 ${y}C116 ${y} 116 ${MIDDLE} 140 ${MIDDLE}`} />
          <rect className={css.source} y={y - 12} width="92" height="24" rx="6" />
          <text x="10" y={y + 4}>
            {name}
          </text>
        </g>
      ))}
      {TOOLS.map(({ name, y, mark, note }) => (
        <g key={name}>
          <path className={cx(css.edge, EDGES[mark])} d={`M172 ${MIDDLE}C196 ${MIDDLE} 196 ${y} 220 ${y}`} />
          <g transform={`translate(220 ${y - 6})`}>
            {CELL_MARKS[mark]}
            <text x="20" y="10">
              {name}
              {note !== null && (
                <tspan className={css.note} dx="6">
                  {note}
                </tspan>
              )}
            </text>
          </g>
        </g>
      ))}
      <g transform="translate(140 46)">
        <rect width="32" height="32" rx="8" fill="var(--accent-solid)" />
        <path d="M10 8v9a6 6 0 0 0 12 0v-2.4" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
        <circle cx="22" cy="10.6" r="2" fill="#fff" />
      </g>
    </svg>
  );
}
