import { useState } from 'react';
import { ContractError } from '../../../contract/errors.ts';
import { call } from '../../platform/connect.ts';
import { cacheRows } from '../../stores/records.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';

export interface Moves {
  /** True while one of the two is under way. */
  readonly busy: boolean;
  readonly retryNow: () => void;
  readonly stop: () => void;
}

/** Retry now and Stop, one at a time. The answer is shown at once. */
export function useMoves(id: number): Moves {
  const [busy, setBusy] = useState(false);
  const run = async (name: 'messages.retryNow' | 'messages.stop', doing: string) => {
    if (busy) return;
    setBusy(true);
    try {
      cacheRows([await call(name, { id })]);
    } catch (error) {
      const movedOn = error instanceof ContractError ? MOVED_ON[error.code] : undefined;
      if (movedOn === undefined) showFailure(doing, error);
      else showToast({ title: movedOn });
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    retryNow: () => void run('messages.retryNow', 'retry now'),
    stop: () => void run('messages.stop', 'stop the retries'),
  };
}

/** The message moved on while the button was pressed. That is not a failure; the row shows the new state. */
const MOVED_ON: Partial<Record<ContractError['code'], string>> = {
  not_waiting: 'The message is not waiting any more',
  already_final: 'The message is final already',
};
