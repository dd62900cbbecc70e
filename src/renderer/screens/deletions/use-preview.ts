import { useCallback, useEffect, useRef, useState } from 'react';
import type { DeletionPreview } from '../../../contract/deletions.ts';
import { ContractError } from '../../../contract/errors.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import type { DraftLines } from './draft-lines.ts';

/** How long typing rests before the messages are looked through, in milliseconds. */
const REST_MS = 200;
/** Real milliseconds between two previews of the same ids while calls come in. */
const EVERY_MS = 2_000;
/** More lines are looked up again only when they change. */
const MOST_LOOKED_UP_AGAIN = 200;

export interface PreviewState {
  /** The newest answer; it may be about earlier lines. Null before the first, and without ids. */
  readonly preview: DeletionPreview | null;
  /** True while the answer is about other lines than those shown. */
  readonly isOld: boolean;
  /** Why there is no answer, or null. */
  readonly error: string | null;
  readonly reload: () => void;
}

/** Who knows these ids: looked up when they change, and again when sources, webhooks or calls do. */
export function usePreview({ userIds, error: refused }: DraftLines): PreviewState {
  const sources = useRecords((state) => state.sources);
  const webhooks = useRecords((state) => state.webhooks);
  const destination = useRecords((state) => state.destination);
  const suppressed = useRecords((state) => state.deletions?.suppressed.users);
  const isFew = userIds.length <= MOST_LOOKED_UP_AGAIN;
  const total = useRecords((state) => (isFew ? state.status?.total : null));
  const [answer, setAnswer] = useState<{ key: string; preview: DeletionPreview } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const asked = useRef(0);
  const last = useRef({ key: '', at: Number.NEGATIVE_INFINITY });
  const key = userIds.join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: the others say that there is something to read
  useEffect(() => {
    asked.current += 1;
    if (key === '' || refused !== null) return;
    const mine = asked.current;
    const isSame = last.current.key === key;
    const wait = isSame ? Math.max(0, last.current.at + EVERY_MS - performance.now()) : REST_MS;
    const timer = setTimeout(() => {
      last.current = { key, at: performance.now() };
      call('deletions.preview', { userIds: [...userIds] }).then(
        (preview) => {
          if (mine !== asked.current) return;
          setAnswer({ key, preview });
          setError(null);
        },
        (problem) => {
          if (mine === asked.current)
            setError(problem instanceof ContractError ? problem.message : 'Something failed.');
        },
      );
    }, wait);
    return () => clearTimeout(timer);
  }, [key, refused, sources, webhooks, destination, suppressed, total, turn]);
  useEffect(
    () => () => {
      asked.current += 1;
    },
    [],
  );
  const reload = useCallback(() => {
    last.current = { key: '', at: Number.NEGATIVE_INFINITY };
    setTurn((now) => now + 1);
  }, []);
  return {
    preview: key === '' || refused !== null ? null : (answer?.preview ?? null),
    isOld: answer !== null && answer.key !== key,
    error,
    reload,
  };
}
