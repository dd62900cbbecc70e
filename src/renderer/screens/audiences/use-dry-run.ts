import { useCallback, useState } from 'react';
import type { AudienceRow, DryRun } from '../../../contract/audiences.ts';
import { call } from '../../platform/connect.ts';
import { useNewest, useReadAgain } from '../../stores/use-read-again.ts';

const WINDOW = 50;
/** Real milliseconds between two dry runs of an audience that changes. */
const EVERY_MS = 500;

export interface DryRunState {
  /** Null until the first answer. */
  readonly run: DryRun | null;
  readonly failed: boolean;
  /** Null when every call is loaded. */
  readonly more: (() => void) | null;
  readonly reload: () => void;
}

/** What the next sync of an audience sends, read again when it changes. */
export function useDryRun(audience: AudienceRow): DryRunState {
  const { id, counts, property, track, lastSync } = audience;
  const [run, setRun] = useState<DryRun | null>(null);
  const [failed, setFailed] = useState(false);
  const [turn, setTurn] = useState(0);
  const begin = useNewest();
  useReadAgain(JSON.stringify([id, counts, property, track, lastSync?.id, lastSync?.state, turn]), EVERY_MS, () => {
    const isNewest = begin();
    call('audiences.dryRun', { id, limit: WINDOW }).then(
      (next) => {
        if (!isNewest()) return;
        setRun(next);
        setFailed(false);
      },
      () => isNewest() && setFailed(true),
    );
  });
  const after = run?.next ?? null;
  const more = useCallback(() => {
    if (after === null) return;
    const isNewest = begin();
    call('audiences.dryRun', { id, after, limit: WINDOW }).then(
      (page) => {
        if (!isNewest()) return;
        setRun((before) => before && { ...page, rows: [...before.rows, ...page.rows] });
      },
      () => isNewest() && setFailed(true),
    );
  }, [id, after, begin]);
  return { run, failed, more: after === null ? null : more, reload: () => setTurn((now) => now + 1) };
}
