/** Rows and cells of a drawn window; a table element would need all of its rows. */

import type { ComponentProps, ComponentPropsWithRef } from 'react';

export const TableRow = ({ role = 'row', ...rest }: ComponentProps<'div'> & { role?: 'row' }) => (
  <div role={role} {...rest} />
);
export const TableCell = ({ role = 'cell', ...rest }: ComponentProps<'div'> & { role?: 'cell' }) => (
  <div role={role} {...rest} />
);
export const HeadCell = ({ role = 'columnheader', ...rest }: ComponentProps<'div'> & { role?: 'columnheader' }) => (
  <div role={role} {...rest} />
);
/** The rows that scroll. It takes the focus, so that the keyboard scrolls them. */
export const RowGroup = ({ role = 'rowgroup', ...rest }: ComponentPropsWithRef<'div'> & { role?: 'rowgroup' }) => (
  <div role={role} {...rest} />
);
