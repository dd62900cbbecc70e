/** Tries every message that waits for a retry now. */
import { RotateCw } from 'lucide-react';
import { standstillsOf } from '../../../contract/not-sending.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import type { Records } from '../../stores/records.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import type { PaletteEntry } from './entry.ts';

/** None while no message waits for a retry, and while nothing at all is sent. */
export function retryAllEntries({ status }: Records): PaletteEntry[] {
  const retrying = status?.counts.retrying ?? 0;
  if (retrying === 0 || standstillsOf(status?.notSending ?? []).length > 0) return [];
  const all = retrying === 1 ? '1 retrying message' : `all ${formatCount(retrying)} retrying messages`;
  return [
    { id: 'action retry all', group: 'Actions', title: `Retry ${all} now`, icon: RotateCw, run: () => void retryAll() },
  ];
}

async function retryAll(): Promise<void> {
  let made = 0;
  try {
    for (let before: number | null | undefined; before !== null; ) {
      const step = await call('messages.retryAllNow', before === undefined ? {} : { before });
      made += step.made;
      before = step.next;
    }
    showToast({ title: madeText(made) });
  } catch (error) {
    showFailure(made === 0 ? 'retry all now' : `retry more than ${plural(made, 'message')} now`, error);
  }
}

function madeText(made: number): string {
  if (made === 0) return 'No message waits for a later retry';
  return made === 1 ? '1 message is due now' : `${formatCount(made)} messages are due now`;
}
