import { useEffect, useState } from 'react';
import type { MessageFilter } from '../../../contract/commands.ts';
import type { CountedKey } from '../../../contract/filter.ts';
import { call } from '../../platform/connect.ts';
import { ValueCounts, type ValuesView } from '../../stores/live/value-counts.ts';
import { useRecords } from '../../stores/records.ts';

interface Asked {
  readonly key: CountedKey;
  readonly filter: MessageFilter;
}

/** The numbers of the values of a key, as long as they are asked for; null until something is known. */
export function useValueCounts(asked: Asked | null): ValuesView | null {
  const [shown, setShown] = useState<{ of: string; view: ValuesView } | null>(null);
  const [counts, setCounts] = useState<ValueCounts | null>(null);
  const stored = useRecords((state) => state.status?.counts);
  const of = asked === null ? null : JSON.stringify(asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` says what is asked
  useEffect(() => {
    if (asked === null || of === null) return;
    const next: ValueCounts = new ValueCounts(asked.key, asked.filter, {
      call,
      now: () => Date.now(),
      after: (ms, run) => void setTimeout(run, ms),
      onChange: () => next.view !== null && setShown({ of, view: next.view }),
    });
    next.start();
    setCounts(next);
    return () => next.close();
  }, [of]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new count by state means that messages came or moved
  useEffect(() => counts?.changed(), [counts, stored]);
  return shown !== null && shown.of === of ? shown.view : null;
}
