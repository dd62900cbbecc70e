/** Write keys that calls came with although no source has them: found among the newest rejected messages. */
import { useEffect, useRef, useState } from 'react';
import type { MessageRow } from '../../../contract/values.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';

export interface HeldKey {
  writeKey: string;
  calls: number;
}

/** How many rejected messages are looked at; the engine holds at most 1,000 such calls. */
const LOOK_AT = 1000;
/** At most one look in this time while rejects keep coming, in milliseconds. */
const PAUSE_MS = 2000;

/** Groups unknown-key rejections by key, most calls first; keys that a source has by now are left out. */
export function heldKeys(rows: readonly MessageRow[], known: ReadonlySet<string>): HeldKey[] {
  const counts = new Map<string, number>();
  for (const { reason, reasonDetail } of rows) {
    if (reason !== 'unknown_source' || !reasonDetail || known.has(reasonDetail)) continue;
    counts.set(reasonDetail, (counts.get(reasonDetail) ?? 0) + 1);
  }
  return [...counts].map(([writeKey, calls]) => ({ writeKey, calls })).sort((a, b) => b.calls - a.calls);
}

/** The held keys, looked up again when rejections or sources change: also while rejections do not stop coming. */
export function useHeldKeys(): HeldKey[] {
  const rejected = useRecords((state) => state.status?.counts.rejected ?? 0);
  const sources = useRecords((state) => state.sources);
  const [rows, setRows] = useState<MessageRow[]>([]);
  const lookedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (rejected === 0) return setRows([]);
    const look = () => {
      lookedAt.current = performance.now();
      call('messages.list', { filter: { states: ['rejected'] }, limit: LOOK_AT }).then(
        (page) => setRows(page.rows),
        () => {}, // Only a hint: without it the screen still works.
      );
    };
    const timer = setTimeout(look, Math.max(0, lookedAt.current + PAUSE_MS - performance.now()));
    return () => clearTimeout(timer);
  }, [rejected]);
  return heldKeys(rows, new Set(sources.map(({ writeKey }) => writeKey)));
}
