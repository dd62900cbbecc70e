import { useEffect, useRef, useState } from 'react';
import type { DeletionPreview, PlannedNotice } from '../../../contract/deletions.ts';
import { call } from '../../platform/connect.ts';
import { useNewest } from '../../stores/use-read-again.ts';

/** Notices that are made at once. */
const WINDOW = 50;

interface Loaded {
  readonly of: DeletionPreview;
  readonly from: number;
  readonly notices: readonly PlannedNotice[];
}

/** The notice at a place of the dry run, from 1. An earlier one stays until the new one is there. */
export function useNotice({
  preview,
  userIds,
  place,
  isOld,
}: {
  preview: DeletionPreview;
  userIds: readonly string[];
  place: number;
  isOld: boolean;
}): { notice: PlannedNotice | null; failed: boolean } {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failed, setFailed] = useState(false);
  const begin = useNewest();
  const ids = useRef(userIds);
  if (!isOld) ids.current = userIds;
  const from = Math.floor((place - 1) / WINDOW) * WINDOW + 1;
  const isThere = loaded !== null && loaded.of === preview && loaded.from === from;
  const { notices: total } = preview;
  useEffect(() => {
    if (isThere || isOld || total === 0) return;
    const isNewest = begin();
    call('deletions.dryRun', { userIds: [...ids.current], from, count: WINDOW }).then(
      ({ notices }) => {
        if (!isNewest()) return;
        setLoaded({ of: preview, from, notices });
        setFailed(false);
      },
      () => isNewest() && setFailed(true),
    );
  }, [preview, from, isThere, isOld, total, begin]);
  const notice = loaded?.notices[place - loaded.from] ?? null;
  return { notice: failed ? null : notice, failed };
}
