import { Fragment, type ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import { useLate } from '../lib/use-late.ts';
import css from './skeleton-rows.module.css';

/** Placeholders for a first answer appear after so many milliseconds, so that a quick one does not flash them. */
export const SKELETON_MS = 300;
const ROWS = 12;

/**
 * What stands in place of a list until its first answer is there. `row` draws one that has the columns of the list.
 * `rows` is their number, where the list is known to be shorter.
 */
export function SkeletonRows({
  rowHeight,
  row,
  rows = ROWS,
  className,
}: {
  rowHeight?: number;
  rows?: number;
  row?: () => ReactNode;
  className?: string;
}) {
  const isLate = useLate(true, SKELETON_MS);
  return (
    <div className={cx(css.rows, className)} aria-busy="true" data-skeleton={isLate ? 'shown' : 'waits'}>
      {isLate && (
        <>
          <p className="visually-hidden" role="status">
            Loading
          </p>
          {Array.from({ length: rows }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
            <Fragment key={i}>{row?.() ?? <Bones height={rowHeight} />}</Fragment>
          ))}
        </>
      )}
    </div>
  );
}

const Bones = ({ height }: { height: number | undefined }) => (
  <div className={css.row} style={{ height }} aria-hidden="true">
    <span className={css.bone} />
    <span className={css.bone} />
  </div>
);
