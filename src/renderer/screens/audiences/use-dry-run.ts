import { useCallback, useEffect, useRef, useState } from 'react';
import type { AudienceRow, DryRun } from '../../../contract/audiences.ts';
import { call } from '../../platform/connect.ts';

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
  const readAt = useRef(Number.NEGATIVE_INFINITY);
  const asked = useRef(0);
  const version = JSON.stringify([counts, property, track, lastSync?.id, lastSync?.state, turn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says that there is something to read
  useEffect(() => {
    const timer = setTimeout(
      () => {
        readAt.current = performance.now();
        asked.current += 1;
        const mine = asked.current;
        call('audiences.dryRun', { id, limit: WINDOW }).then(
          (next) => {
            if (mine !== asked.current) return;
            setRun(next);
            setFailed(false);
          },
          () => mine === asked.current && setFailed(true),
        );
      },
      Math.max(0, readAt.current + EVERY_MS - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [id, version]);
  useEffect(
    () => () => {
      asked.current += 1;
    },
    [],
  );
  const after = run?.next ?? null;
  const more = useCallback(() => {
    if (after === null) return;
    asked.current += 1;
    const mine = asked.current;
    call('audiences.dryRun', { id, after, limit: WINDOW }).then(
      (page) => {
        if (mine !== asked.current) return;
        setRun((before) => before && { ...page, rows: [...before.rows, ...page.rows] });
      },
      () => mine === asked.current && setFailed(true),
    );
  }, [id, after]);
  return { run, failed, more: after === null ? null : more, reload: () => setTurn((now) => now + 1) };
}
