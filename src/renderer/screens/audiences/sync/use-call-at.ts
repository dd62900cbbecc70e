import { useEffect, useState } from 'react';
import type { ChangeKind, SyncDetail } from '../../../../contract/audiences.ts';
import { call } from '../../../platform/connect.ts';
import { sentOf } from '../words.ts';

/** A call of the sync as it was sent, or as it will be. */
export interface ShownCall {
  readonly userId: string;
  readonly change: ChangeKind;
  /** Null when its message was removed. */
  readonly body: string | null;
  readonly messageId: number | null;
  /** `nl_041289 next to be sent`, `nl_041288 41,288 of 100,000` */
  readonly isNext: boolean;
}

/** The call at a position, from 1. One above those sent is the next one. Null while it is read. */
export function useCallAt(sync: SyncDetail, position: number): ShownCall | null {
  const [read, setRead] = useState<{ position: number; shown: ShownCall } | null>(null);
  const sent = sentOf(sync);
  const { id } = sync;
  const isSent = position >= 1 && position <= sent;
  useEffect(() => {
    if (!isSent) return;
    let isGone = false;
    sentCall(id, position).then(
      (shown) => !isGone && shown !== null && setRead({ position, shown }),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [id, isSent, position]);
  if (isSent) return read?.position === position ? read.shown : null;
  const next = sync.nextCall;
  return next === null ? null : { ...next, messageId: null, isNext: true };
}

async function sentCall(sync: number, position: number): Promise<ShownCall | null> {
  const { rows } = await call('audiences.syncCalls', { sync, show: 'all', after: position - 1, limit: 1 });
  const row = rows[0];
  if (row === undefined || row.position !== position) return null;
  const { userId, change, messageId } = row;
  const body = messageId === null ? null : await bodyOf(messageId);
  return { userId, change, messageId, body, isNext: false };
}

/** Null when the message was removed. */
const bodyOf = (id: number): Promise<string | null> =>
  call('messages.get', { id }).then(
    (detail) => detail.deliveredJson,
    () => null,
  );
