import { useState } from 'react';
import type { SyncCallRow } from '../../../../contract/audiences.ts';
import type { MessageRow } from '../../../../contract/values.ts';
import { call } from '../../../platform/connect.ts';
import { useNewest, useReadAgain } from '../../../stores/use-read-again.ts';

/** At most this many failed calls are shown. */
export const MOST_FAILED = 200;
/** Real milliseconds between two readings of a sync that fails on. */
const EVERY_MS = 500;

export interface FailedCall extends SyncCallRow {
  /** Null when its message was removed. */
  readonly message: MessageRow | null;
}

export interface FailedCalls {
  readonly rows: readonly FailedCall[];
  readonly state: 'loading' | 'ready' | 'failed';
  readonly reload: () => void;
}

/** The first failed calls of a sync with their messages, read again when there are more of them. */
export function useFailed(sync: number, count: number): FailedCalls {
  const [loaded, setLoaded] = useState<Omit<FailedCalls, 'reload'>>({ rows: [], state: 'loading' });
  const [turn, setTurn] = useState(0);
  const begin = useNewest();
  // Later failures stand behind those that are shown.
  const failed = Math.min(count, MOST_FAILED);
  useReadAgain(failed === 0 ? null : `${sync} ${failed} ${turn}`, EVERY_MS, () => {
    const isNewest = begin();
    readFailed(sync).then(
      (rows) => isNewest() && setLoaded({ rows, state: 'ready' }),
      () => isNewest() && setLoaded((before) => ({ ...before, state: 'failed' })),
    );
  });
  return { ...loaded, reload: () => setTurn((now) => now + 1) };
}

async function readFailed(sync: number): Promise<FailedCall[]> {
  const { rows } = await call('audiences.syncCalls', { sync, show: 'failed', limit: MOST_FAILED });
  const ids = rows.map(({ messageId }) => messageId).filter((id) => id !== null);
  const messages = ids.length === 0 ? [] : await call('messages.byIds', { ids });
  const byId = new Map(messages.map((message) => [message.id, message]));
  return rows.map((row) => ({ ...row, message: byId.get(row.messageId ?? 0) ?? null }));
}
