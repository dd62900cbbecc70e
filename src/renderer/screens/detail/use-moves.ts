import { useState } from 'react';
import { retryNow, stopRetries } from '../../message/row-actions.ts';

export interface Moves {
  /** True while one of the two is under way. */
  readonly busy: boolean;
  readonly retryNow: () => void;
  readonly stop: () => void;
}

/** Retry now and Stop, one at a time. */
export function useMoves(id: number): Moves {
  const [busy, setBusy] = useState(false);
  const run = async (move: (id: number) => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    await move(id);
    setBusy(false);
  };
  return { busy, retryNow: () => void run(retryNow), stop: () => void run(stopRetries) };
}
