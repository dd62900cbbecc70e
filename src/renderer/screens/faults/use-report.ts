import { useEffect, useRef, useState } from 'react';
import type { FaultReport } from '../../../contract/faults.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';

/** Shortest time between two fetches while something happens, in milliseconds. */
const AGAIN_MS = 1_000;
/** A waiting message may turn out lost without any event, so the report is fetched this often anyway. */
const QUIET_MS = 5_000;

export interface ReportState {
  readonly report: FaultReport | null;
  readonly failed: boolean;
}

/** The report of a client (null: the newest that a fault hit) over the last `rangeMs`, kept up to date. */
export function useReport(client: string | null, rangeMs: number | null): ReportState {
  const version = useRecords((state) => state.faults?.version ?? 0);
  const connected = useRecords((state) => state.connection === 'open');
  const [state, setState] = useState<ReportState>({ report: null, failed: false });
  const asked = useRef(0);
  const lastAt = useRef(Number.NEGATIVE_INFINITY);
  const [beat, setBeat] = useState(0);

  useEffect(() => {
    const timer = setInterval(() => setBeat((n) => n + 1), QUIET_MS);
    return () => clearInterval(timer);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: version and beat say when to ask again
  useEffect(() => {
    if (!connected) return;
    const number = ++asked.current;
    const ask = async () => {
      lastAt.current = performance.now();
      const from = rangeMs === null ? undefined : Math.max(0, Date.now() - rangeMs);
      try {
        const report = await call('faults.report', { client: client ?? undefined, from });
        if (number === asked.current) setState({ report, failed: false });
      } catch {
        if (number === asked.current) setState((before) => ({ ...before, failed: true }));
      }
    };
    const timer = setTimeout(() => void ask(), Math.max(0, lastAt.current + AGAIN_MS - performance.now()));
    return () => clearTimeout(timer);
  }, [client, rangeMs, version, connected, beat]);
  return state;
}
