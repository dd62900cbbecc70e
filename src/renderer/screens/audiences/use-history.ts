import { useEffect, useState } from 'react';
import type { AudienceRow, SyncRow } from '../../../contract/audiences.ts';
import { call } from '../../platform/connect.ts';

/** The newest syncs of an audience, newest first. The newest of all is as live as the list. */
export function useHistory({ id, lastSync }: AudienceRow): readonly SyncRow[] {
  const [history, setHistory] = useState<readonly SyncRow[]>([]);
  const newest = `${lastSync?.id} ${lastSync?.state}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new sync, and its end, are what there is to read
  useEffect(() => {
    let gone = false;
    call('audiences.get', { id }).then(
      (detail) => !gone && setHistory(detail.history),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [id, newest]);
  const shown = history.filter((sync) => sync.audienceId === id);
  if (lastSync === null) return shown;
  return [lastSync, ...shown.filter((sync) => sync.id !== lastSync.id)];
}
