import { type ReactNode, useEffect, useRef } from 'react';

/** The detail over the list, from the right. Escape is the detail's own key; a click on the scrim closes too. */
export function DetailOverlay({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="lv-over">
      <div className="lv-scrim" role="none" onClick={onClose} />
      <div className="lv-over-panel col" ref={panel} tabIndex={-1}>
        {children}
      </div>
    </div>
  );
}
