/**
 * Tables and grids of which only the rows in sight are drawn, or whose rows are grids of their own: a table element can
 * be neither. In a grid the keys stop at rows, not at cells.
 */

import type { ComponentProps, ComponentPropsWithRef } from 'react';

export const Table = ({ role = 'table', ...rest }: ComponentProps<'div'> & { role?: 'table' }) => (
  <div role={role} {...rest} />
);
export const Grid = ({ role = 'grid', ...rest }: ComponentPropsWithRef<'div'> & { role?: 'grid' }) => (
  <div role={role} {...rest} />
);
export const TableRow = ({ role = 'row', ...rest }: ComponentProps<'div'> & { role?: 'row' }) => (
  <div role={role} {...rest} />
);
export const TableCell = ({ role = 'cell', ...rest }: ComponentProps<'div'> & { role?: 'cell' }) => (
  <div role={role} {...rest} />
);
/** Names its row. */
export const RowHead = ({ role = 'rowheader', ...rest }: ComponentProps<'div'> & { role?: 'rowheader' }) => (
  <div role={role} {...rest} />
);
export const GridCell = ({ role = 'gridcell', ...rest }: ComponentProps<'div'> & { role?: 'gridcell' }) => (
  <div role={role} {...rest} />
);
export const HeadCell = ({ role = 'columnheader', ...rest }: ComponentProps<'div'> & { role?: 'columnheader' }) => (
  <div role={role} {...rest} />
);
/** The rows that scroll. It takes the focus, so that the keyboard scrolls them. */
export const RowGroup = ({ role = 'rowgroup', ...rest }: ComponentPropsWithRef<'div'> & { role?: 'rowgroup' }) => (
  <div role={role} {...rest} />
);
