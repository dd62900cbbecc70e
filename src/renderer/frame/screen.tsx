import type { ReactNode } from 'react';
import { Banners } from './banners.tsx';
import { EndpointChip } from './endpoint-chip.tsx';

/** Header (title, the screen's own actions, endpoint), banners, and the body that fills the rest. */
export function Screen({
  title,
  sub,
  actions,
  children,
}: {
  title: ReactNode;
  sub?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <main className="main" id="main" tabIndex={-1}>
      <header className="head" data-region="header">
        <h1 className="el">{title}</h1>
        {sub !== undefined && <span className="sub el">{sub}</span>}
        <span className="sp" />
        {actions}
        <EndpointChip />
      </header>
      <Banners />
      {children}
    </main>
  );
}
