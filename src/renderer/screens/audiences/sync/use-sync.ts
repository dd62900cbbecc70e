import { useEffect, useRef, useState } from 'react';
import type { AudienceRow, SyncDetail } from '../../../../contract/audiences.ts';
import { ContractError } from '../../../../contract/errors.ts';
import { call } from '../../../platform/connect.ts';
import { isRunning } from '../words.ts';

/** While it runs, the rate falls although nothing is settled. Real milliseconds. */
const LOOK_MS = 1_000;

export interface ShownSync {
  /** `absent`: there is no sync with this number. `failed` keeps the last answer. */
  readonly state: 'loading' | 'ready' | 'absent' | 'failed';
  readonly sync: SyncDetail | null;
  readonly reload: () => void;
}

/**
 * One sync in full, read again whenever its audience changes: at most four times a second. The component must be another
 * one for another sync.
 */
export function useSync(audience: AudienceRow, n: number): ShownSync {
  const { id, lastSync } = audience;
  const [shown, setShown] = useState<Omit<ShownSync, 'reload'>>({ state: 'loading', sync: null });
  const [turn, setTurn] = useState(0);
  const asked = useRef(0);
  const answered = useRef(0);
  const isLive = lastSync?.n === n;
  const version = isLive ? audience : id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says that there is something to read
  useEffect(() => {
    asked.current += 1;
    const mine = asked.current;
    /** Answers may overtake each other. */
    const show = (next: (before: Omit<ShownSync, 'reload'>) => Omit<ShownSync, 'reload'>) => {
      if (mine < answered.current) return;
      answered.current = mine;
      setShown(next);
    };
    call('audiences.getSync', { id, n }).then(
      (sync) => show(() => ({ state: 'ready', sync })),
      (error: unknown) => {
        const isAbsent = error instanceof ContractError && error.code === 'sync_not_found';
        show((before) => ({ ...before, state: isAbsent ? 'absent' : 'failed' }));
      },
    );
  }, [id, n, version, turn]);

  const runs = isLive && isRunning(lastSync);
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => setTurn((now) => now + 1), LOOK_MS);
    return () => clearInterval(timer);
  }, [runs]);
  return { ...shown, reload: () => setTurn((now) => now + 1) };
}
