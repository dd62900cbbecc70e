import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../components/button.tsx';
import { useKeys } from '../../message/detail-keys.ts';
import css from './live.module.css';

/**
 * Stands where the detail will be while its code is loaded. Escape closes it; its other keys wait for it. `children`
 * says why it does not come.
 */
export function DetailToCome({ id, onClose, children }: { id: number; onClose: () => void; children?: ReactNode }) {
  useKeys({ escape: onClose }, { id, ready: false });
  if (children === undefined) return <article aria-busy="true" />;
  return (
    <article aria-label="Message detail">
      <div className={css.closeOnly} data-region="detail">
        <IconButton label="Close detail" icon={X} onClick={onClose} />
      </div>
      {children}
    </article>
  );
}
