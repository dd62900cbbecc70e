import type { ComponentProps } from 'react';

/** A part of the page that scrolls by itself. It takes the focus, so that the arrow keys scroll it. */
export const ScrollRegion = ({ tabIndex = 0, ...rest }: ComponentProps<'section'> & { 'aria-label': string }) => (
  <section tabIndex={tabIndex} {...rest} />
);
