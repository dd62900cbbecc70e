import { type ReactNode, useEffect, useRef } from 'react';
import layoutCss from '../../components/layout.module.css';
import { layerOpen } from '../../frame/keys.ts';
import { cx } from '../../lib/cx.ts';
import css from './detail-overlay.module.css';

/** The detail over the list, from the right. The detail handles Escape. A click on the scrim also closes it. */
export function DetailOverlay({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A dialog keeps the focus when the window gets narrow under it.
    if (!layerOpen()) panel.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={css.overlay}>
      <div className={css.scrim} role="none" onClick={onClose} />
      <div className={cx(css.overlayPanel, layoutCss.column)} ref={panel} tabIndex={-1}>
        {children}
      </div>
    </div>
  );
}
