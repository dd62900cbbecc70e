import { useEffect } from 'react';
import type { RunningDemo } from '../../../contract/demo.ts';
import { useRecords } from '../../stores/records.ts';

/** Null in a workspace that is no demo. */
export const useDemo = (): RunningDemo | null =>
  useRecords(({ demo }) => (demo === undefined || demo.state === 'none' ? null : demo));

const TITLE = 'Hookbench';

/** Tells the window or tab of a demo from that of the workspace beside it. */
export function useDemoTitle(): void {
  const isDemo = useDemo() !== null;
  useEffect(() => {
    if (!isDemo) return;
    document.title = `Demo shop - ${TITLE}`;
    return () => {
      document.title = TITLE;
    };
  }, [isDemo]);
}
