/** A titled panel with a chart, or with the same facts as a table (design/ui, section 10). */
import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { IconButton } from '../button.tsx';
import { ScrollRegion } from '../scroll-region.tsx';
import css from './charts.module.css';

export function Panel({
  title,
  sub,
  side,
  className,
  children,
}: {
  title: string;
  sub?: ReactNode;
  /** At the right end of the heading. */
  side?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={cx(css.panel, className)} aria-label={title}>
      <div className={css.panelHead}>
        <h2>{title}</h2>
        {sub !== undefined && <span className="muted ellipsis">{sub}</span>}
        <div className={css.side}>{side}</div>
      </div>
      {children}
    </section>
  );
}

/** `chart` is the picture with its own `role="img"`. `table` has all the facts. */
export function ChartPanel({
  chart,
  table,
  side,
  ...rest
}: {
  title: string;
  sub?: ReactNode;
  side?: ReactNode;
  className?: string;
  chart: ReactNode;
  table: () => ReactNode;
}) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Panel
      {...rest}
      side={
        <>
          {!asTable && side}
          <IconButton
            size="sm"
            icon={asTable ? ChartColumn : Table2}
            label={asTable ? 'View as chart' : 'View as table'}
            onClick={() => setAsTable(!asTable)}
          />
        </>
      }
    >
      {asTable ? table() : chart}
    </Panel>
  );
}

export interface TableColumn {
  readonly label: string;
  readonly align?: 'left' | 'right';
  /** Shown on hover. */
  readonly hint?: string;
}

/** A small table. The first cell of each row is its heading. Scrolls above `height` px. */
export function DataTable({
  label,
  columns,
  rows,
  height,
}: {
  label: string;
  columns: readonly TableColumn[];
  rows: ReadonlyArray<{ key: string | number; cells: readonly ReactNode[] }>;
  height?: number;
}) {
  return (
    <ScrollRegion className={css.tableHost} style={{ maxHeight: height }} aria-label={label}>
      <table className={css.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                title={column.hint}
                className={cx(column.align !== 'left' && css.right)}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              {row.cells.map((cell, i) =>
                i === 0 ? (
                  <th key={columns[i]!.label} scope="row" className={cx(columns[i]?.align !== 'left' && css.right)}>
                    {cell}
                  </th>
                ) : (
                  <td key={columns[i]!.label} className={cx(columns[i]?.align !== 'left' && css.right)}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** The hatching that marks waiting or timed out, in addition to colour. Fill with `url(#id)`. */
export const Hatch = ({ id }: { id: string }) => (
  <defs>
    <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="4" height="4" className={css.hatchBack} />
      <rect width="2" height="4" className={css.hatchLine} />
    </pattern>
  </defs>
);

/** The stripes that mark what failed, in addition to colour. Fill with `url(#id)`. */
export const Stripes = ({ id }: { id: string }) => (
  <defs>
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse">
      <rect width="5" height="5" className={css.stripeBack} />
      <rect width="5" height="3" className={css.stripeLine} />
    </pattern>
  </defs>
);

/** One entry of a legend. A button when it links somewhere. */
export function LegendItem({
  swatch,
  label,
  onClick,
}: {
  swatch: 'ok' | 'hatch' | 'bad' | 'rest';
  label: string;
  onClick?: () => void;
}) {
  const inside = (
    <>
      <i className={cx(css.swatch, css[swatch])} />
      {label}
    </>
  );
  return onClick === undefined ? (
    <span className={css.legend}>{inside}</span>
  ) : (
    <button type="button" className={css.legend} onClick={onClick}>
      {inside}
    </button>
  );
}

export { css as chartCss };
