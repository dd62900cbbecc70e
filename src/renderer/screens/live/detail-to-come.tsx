import { useKeys } from '../../message/detail-keys.ts';

/** Stands where the detail will be while its code is loaded. Escape closes it; its other keys wait for it. */
export function DetailToCome({ id, onClose }: { id: number; onClose: () => void }) {
  useKeys({ escape: onClose }, { id, ready: false });
  return <article aria-busy="true" />;
}
