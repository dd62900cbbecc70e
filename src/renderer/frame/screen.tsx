import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../lib/cx.ts';
import { Banners } from './banners.tsx';
import { EndDemo } from './demo/end-demo.tsx';
import { useDemo } from './demo/use-demo.ts';
import { EndpointChip } from './endpoint-chip.tsx';
import css from './screen.module.css';

let shownBefore = false;

/**
 * A key such as R on a row opens another screen and removes the focused element. The new screen takes the focus, so
 * that the next key works there. Not at the start, where Tab should reach the skip link first.
 */
function keepFocus(main: HTMLElement | null): void {
  if (shownBefore && (document.activeElement === null || document.activeElement === document.body))
    main?.focus({ preventScroll: true });
  shownBefore = true;
}

/** Header (title, the screen's actions, endpoint), banners, and the body that fills the rest. */
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
  const inDemo = useDemo() !== null;
  const beside = sub ?? (inDemo ? 'Demo shop' : undefined);
  useEffect(() => keepFocus(main.current), []);
  return (
    <main ref={main} className={css.main} id="main" tabIndex={-1}>
      <header className={css.head} data-region="header">
        <h1 className="ellipsis">{title}</h1>
        {beside !== undefined && <span className={cx('ellipsis', css.sub)}>{beside}</span>}
        <span className="spacer" />
        <EndDemo />
        {actions}
        <EndpointChip />
      </header>
      <Banners />
      {children}
    </main>
  );
}
