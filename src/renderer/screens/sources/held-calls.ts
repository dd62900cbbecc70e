/** Write keys that arrived but belong to no source, found among the newest rejected messages. */
import { useEffect, useRef, useState } from 'react';
import type { MessageRow } from '../../../contract/values.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';

export interface HeldKey {
  writeKey: string;
  calls: number;
}

/** How many rejected messages are searched. The engine holds at most 1,000 such calls. */
const LOOK_AT = 1000;
/** Shortest time between two searches while rejections keep coming, in milliseconds. */
const PAUSE_MS = 2000;

/** Groups unknown-key rejections by key, most calls first. Leaves out keys that a source has by now. */
export function heldKeys(rows: readonly MessageRow[], known: ReadonlySet<string>): HeldKey[] {
  const counts = new Map<string, number>();
  for (const { reason, reasonDetail } of rows) {
    if (reason !== 'unknown_source' || !reasonDetail || known.has(reasonDetail)) continue;
    counts.set(reasonDetail, (counts.get(reasonDetail) ?? 0) + 1);
  }
  return [...counts].map(([writeKey, calls]) => ({ writeKey, calls })).sort((a, b) => b.calls - a.calls);
}

/** The held keys. Searched again when rejections or sources change, even while rejections keep coming. */
export function useHeldKeys(): HeldKey[] {
  const rejected = useRecords((state) => state.status?.counts.rejected ?? 0);
  const sources = useRecords((state) => state.sources);
  const [rows, setRows] = useState<MessageRow[]>([]);
  const lookedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (rejected === 0) return setRows([]);
    const look = () => {
      lookedAt.current = performance.now();
      call('messages.list', { filter: { terms: [{ key: 'status', values: ['rejected'] }] }, limit: LOOK_AT }).then(
        (page) => setRows(page.rows),
        () => {}, // This is only a hint. The screen works without it.
      );
    };
    const timer = setTimeout(look, Math.max(0, lookedAt.current + PAUSE_MS - performance.now()));
    return () => clearTimeout(timer);
  }, [rejected]);
  return heldKeys(rows, new Set(sources.map(({ writeKey }) => writeKey)));
}
