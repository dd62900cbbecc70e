import { useCallback } from 'react';
import type { AttemptView } from '../../contract/values.ts';
import { attemptSentence, limitOf } from '../lib/words/attempt-sentence.ts';
import { useRecords } from '../stores/records.ts';

/** What happened in an attempt and what comes next by the current delivery rules, in one line. */
export function useSentence(): (attempt: AttemptView) => string {
  const destination = useRecords((state) => state.destination);
  return useCallback(
    (attempt) => attemptSentence(attempt, limitOf(attempt, destination?.timeoutMs ?? 5_000), destination ?? undefined),
    [destination],
  );
}
