import { useCallback, useMemo, useState } from 'react';
import { DELETION_LIMITS, type DeletionDetail, type DeletionUser } from '../../../contract/deletions.ts';
import { ContractError } from '../../../contract/errors.ts';
import { call } from '../../platform/connect.ts';
import { cacheRows, useRecords } from '../../stores/records.ts';
import { useNewest, useReadAgain } from '../../stores/use-read-again.ts';

/** Real milliseconds between two readings of a request that changes. */
const EVERY_MS = 500;

export interface RequestState {
  /** `gone`: there is no such request. */
  readonly state: 'loading' | 'ready' | 'gone' | 'failed';
  readonly detail: DeletionDetail | null;
  /** In order of position; of more than 200 users, those with a failed notice come first. */
  readonly users: readonly DeletionUser[];
  /** Loads further users; null when all are there. */
  readonly more: (() => void) | null;
  readonly reload: () => void;
}

type Loaded = Omit<RequestState, 'more' | 'reload'>;

/** A request with its users, read again when it changes. */
export function useRequest(id: number): RequestState {
  const view = useRecords((state) => state.deletions);
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading', detail: null, users: [] });
  const [turn, setTurn] = useState(0);
  const [wanted, setWanted] = useState<number>(DELETION_LIMITS.rows);
  const begin = useNewest();
  // Another view or turn says that there is something to read.
  const version = useMemo(() => ({ id, view, turn, wanted }), [id, view, turn, wanted]);
  useReadAgain(version, EVERY_MS, (asked) => {
    const isNewest = begin();
    read(asked.id, asked.wanted).then(
      (next) => isNewest() && setLoaded({ state: 'ready', ...next }),
      (error) => {
        if (!isNewest()) return;
        const isGone = error instanceof ContractError && error.code === 'deletion_not_found';
        setLoaded((before) => ({ ...before, state: isGone ? 'gone' : 'failed' }));
      },
    );
  });
  const more = useCallback(() => setWanted((now) => now + DELETION_LIMITS.rows), []);
  const isWhole = loaded.detail === null || loaded.users.length >= loaded.detail.users;
  return { ...loaded, more: isWhole ? null : more, reload: () => setTurn((now) => now + 1) };
}

async function read(id: number, wanted: number): Promise<Pick<Loaded, 'detail' | 'users'>> {
  const detail = await call('deletions.get', { id });
  const isLong = detail.users > DELETION_LIMITS.rows;
  const failed = isLong && detail.notices.failed > 0 ? await window(id, wanted, true) : [];
  const all = await window(id, wanted, false);
  const first = new Set(failed.map(({ position }) => position));
  const users = [...failed, ...all.filter(({ position }) => !first.has(position))].slice(0, wanted);
  cacheRows(users.flatMap(({ cells }) => cells.flatMap(({ message }) => message ?? [])));
  return { detail, users };
}

async function window(id: number, wanted: number, failedOnly: boolean): Promise<DeletionUser[]> {
  const rows: DeletionUser[] = [];
  for (let after = 0; rows.length < wanted; ) {
    const page = await call('deletions.users', { id, after, failedOnly, limit: DELETION_LIMITS.rows });
    rows.push(...page.rows);
    if (page.nextAfter === null) break;
    after = page.nextAfter;
  }
  return rows;
}
