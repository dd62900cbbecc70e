/** How long a request has been open, in real time, counting up. Once it has ended, its measured duration. */
import { useEffect, useState } from 'react';
import type { AttemptView } from '../../contract/values.ts';
import { formatDuration } from '../lib/format.ts';
import { isRefusedUnsent } from '../lib/words/attempts.ts';
import css from './message.module.css';

const STEP_MS = 100;

/** Real milliseconds that the attempt has been open, updated while it is. Afterwards its duration. */
export function useElapsed(attempt: Pick<AttemptView, 'outcome' | 'startedAt' | 'durationMs'>): number | null {
  const open = attempt.outcome === null;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => setNow(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, [open]);
  return open ? Math.max(0, now - attempt.startedAt) : attempt.durationMs;
}

/** `184 ms`, `1.4 s` while open, `not sent` when it was refused before sending. */
export function AttemptDuration({ attempt }: { attempt: AttemptView }) {
  const elapsed = useElapsed(attempt);
  if (isRefusedUnsent(attempt)) return <span className={css.notSent}>not sent</span>;
  if (elapsed === null) return null;
  if (attempt.outcome !== null) return <>{formatDuration(elapsed)}</>;
  return <span aria-hidden="true">{`${(elapsed / 1000).toFixed(1)} s`}</span>;
}
