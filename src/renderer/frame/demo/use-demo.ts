import type { RunningDemo } from '../../../contract/demo.ts';
import { useRecords } from '../../stores/records.ts';

/** Null in a workspace that is no demo. */
export const useDemo = (): RunningDemo | null =>
  useRecords(({ demo }) => (demo === undefined || demo.state === 'none' ? null : demo));
