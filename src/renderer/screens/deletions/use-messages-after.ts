import { useState } from 'react';
import type { MessageRow } from '../../../contract/values.ts';
import { call } from '../../platform/connect.ts';
import { cacheRows, useRecords } from '../../stores/records.ts';
import { useNewest, useReadAgain } from '../../stores/use-read-again.ts';

/** Real milliseconds between two looks while messages come in. */
const EVERY_MS = 1_000;
const WINDOW = 50;

interface After {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly rows: readonly MessageRow[];
  /** Goes on below this row id; null when the request is reached. */
  readonly before: number | null;
}

/** Messages of the users of a request that came after it, newest first; looked for again as messages come in. */
export function useMessagesAfter(id: number): Omit<After, 'before'> & { more: (() => void) | null } {
  const newest = useRecords((state) => state.status?.total ?? 0);
  const [after, setAfter] = useState<After>({ state: 'loading', rows: [], before: null });
  const connected = useRecords((state) => state.connection === 'open');
  const begin = useNewest();
  useReadAgain(connected ? `${id} ${newest}` : null, EVERY_MS, () => {
    const isNewest = begin();
    read(id, undefined).then(
      (next) => isNewest() && setAfter((shown) => merged(next, shown)),
      () => isNewest() && setAfter((shown) => ({ ...shown, state: 'failed' })),
    );
  });
  const { before } = after;
  const more = (): void => {
    if (before === null) return;
    const isNewest = begin();
    read(id, before).then(
      (next) => isNewest() && setAfter((shown) => ({ ...next, rows: [...shown.rows, ...next.rows] })),
      () => isNewest() && setAfter((shown) => ({ ...shown, state: 'failed' })),
    );
  };
  return { state: after.state, rows: after.rows, more: before === null ? null : more };
}

async function read(id: number, before: number | undefined): Promise<After> {
  const { rows, scannedTo, more } = await call('deletions.messagesAfter', { id, before, limit: WINDOW });
  cacheRows(rows);
  return { state: 'ready', rows, before: more ? scannedTo : null };
}

/** The newest rows in place of those shown; rows below them that were loaded before stay. */
function merged(next: After, { rows: shown, before }: After): After {
  if (next.before === null) return next;
  const lower = shown.filter((row) => row.id < next.before!);
  return lower.length === 0 ? next : { ...next, rows: [...next.rows, ...lower], before };
}
