import { useCallback, useEffect, useState } from 'react';
import { AUDIENCE_LIMITS, type MembershipRow } from '../../../contract/audiences.ts';
import { failureText } from '../../components/commit-field.tsx';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { useNewest, useReadAgain } from '../../stores/use-read-again.ts';

/** Real milliseconds between two readings while audiences change. */
const EVERY_MS = 1_000;

export interface Memberships {
  /** The audiences that the person is in; null before the first answer. */
  readonly rows: readonly MembershipRow[] | null;
  /** Why the newest question had no answer. */
  readonly problem: string | null;
  readonly again: () => void;
}

/** Read again when any audience changed. */
export function useMemberships(userIds: readonly string[]): Memberships {
  const [found, setFound] = useState<{ key: string; rows: readonly MembershipRow[] } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => setTurn((now) => now + 1), []);
  const audiences = useRecords((state) => state.audiences);
  // The counts may be equal although others are in.
  useEffect(() => (audiences === undefined ? undefined : again()), [audiences, again]);
  const begin = useNewest();
  const key = JSON.stringify(userIds);
  const read = () => {
    const isNewest = begin();
    membershipsOf(userIds).then(
      (rows) => {
        if (!isNewest()) return;
        setFound({ key, rows });
        setProblem(null);
      },
      (error: unknown) => isNewest() && setProblem(failureText(error)),
    );
  };
  useReadAgain(userIds.length === 0 ? null : `${turn} ${key}`, EVERY_MS, read, key);
  const rows = userIds.length === 0 ? [] : found?.key === key ? found.rows : null;
  return { rows, problem, again };
}

/** Oldest first. A person may have more ids than one question takes. */
async function membershipsOf(userIds: readonly string[]): Promise<MembershipRow[]> {
  const byId = new Map<number, MembershipRow>();
  for (let at = 0; at < userIds.length; at += AUDIENCE_LIMITS.idsOfPerson) {
    const some = userIds.slice(at, at + AUDIENCE_LIMITS.idsOfPerson);
    for (const row of await call('audiences.withUser', { userIds: some })) byId.set(row.id, row);
  }
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
