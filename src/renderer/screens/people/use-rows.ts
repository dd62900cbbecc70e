import { useEffect, useState } from 'react';
import type { MessageRow } from '../../../contract/values.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { useNewest, useReadAgain } from '../../stores/use-read-again.ts';

/** Real milliseconds between two readings of the same rows while messages change. */
const EVERY_MS = 1_000;
const MOST = 500;

/** The rows of messages by id, as far as they are known. Ids that are gone have none. */
export function useRows(ids: readonly number[]): ReadonlyMap<number, MessageRow> {
  const [rows, setRows] = useState<ReadonlyMap<number, MessageRow>>(new Map());
  const counts = useRecords((state) => state.status?.counts);
  const [seen, setSeen] = useState(0);
  // Another state of any message may be that of one of these.
  useEffect(() => setSeen((n) => n + (counts === undefined ? 0 : 1)), [counts]);
  const begin = useNewest();
  const key = ids.join(',');
  useReadAgain(key === '' ? null : `${seen} ${key}`, EVERY_MS, () => {
    const isNewest = begin();
    call('messages.byIds', { ids: ids.slice(0, MOST) }).then(
      (found) => {
        if (isNewest()) setRows(new Map(found.map((row) => [row.id, row])));
      },
      () => {},
    );
  });
  return rows;
}
