import { type ReactNode, useEffect, useRef } from 'react';
import { Banners } from './banners.tsx';
import { EndpointChip } from './endpoint-chip.tsx';

let shownBefore = false;

/**
 * A key such as R on a row leads to another screen, and what had the focus is gone: the new screen takes it, so that
 * the next key goes on there. Not at the start, where Tab should come to the skip link first.
 */
function keepFocus(main: HTMLElement | null): void {
  if (shownBefore && (document.activeElement === null || document.activeElement === document.body))
    main?.focus({ preventScroll: true });
  shownBefore = true;
}

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
  const main = useRef<HTMLElement>(null);
  useEffect(() => keepFocus(main.current), []);
  return (
    <main ref={main} className="main" id="main" tabIndex={-1}>
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
