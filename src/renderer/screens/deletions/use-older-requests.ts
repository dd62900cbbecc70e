import { useState } from 'react';
import { DELETION_LIMITS, type DeletionRow, type DeletionsView } from '../../../contract/deletions.ts';
import { call } from '../../platform/connect.ts';
import { showFailure } from '../../stores/toasts.ts';

/** The requests of the live part, and older ones as they are asked for. `more` is null when all are there. */
export function useOlderRequests({ requests, total }: DeletionsView): {
  rows: readonly DeletionRow[];
  more: (() => void) | null;
} {
  /** What was shown when further ones were asked for, and these: a new request pushes the last one out of the live part. */
  const [older, setOlder] = useState<readonly DeletionRow[]>([]);
  const last = requests.at(-1)?.id ?? 0;
  const rows = [...requests, ...older.filter(({ id }) => id < last)];
  const before = rows.at(-1)?.id;
  const more = (): void => {
    call('deletions.list', { before, limit: DELETION_LIMITS.rows }).then(
      (page) => setOlder([...rows, ...page.rows]),
      (error) => showFailure('read older requests', error),
    );
  };
  return { rows, more: rows.length < total ? more : null };
}
