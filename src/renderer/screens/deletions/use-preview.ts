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
  const looking = useRef<Looking | null>(null);
  const key = refused === null ? userIds.join('\n') : '';

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the ids
  useEffect(() => {
    setError(null);
    if (key === '') return;
    const look = lookUp([...userIds], {
      found: (preview) => {
        setAnswer({ key, preview });
        setError(null);
      },
      failed: (problem) => setError(problem instanceof ContractError ? problem.message : 'Something failed.'),
    });
    looking.current = look;
    return look.stop;
  }, [key, turn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each says that there may be something else to read
  useEffect(() => looking.current?.poke(), [sources, webhooks, destination, suppressed, total]);
  const reload = useCallback(() => setTurn((now) => now + 1), []);
  return {
    preview: key === '' ? null : (answer?.preview ?? null),
    isOld: answer !== null && answer.key !== key,
    error,
    reload,
  };
}

interface Looking {
  /** Looks again, soon after the last look. */
  poke(): void;
  /** Stops, and drops an answer that is on its way. */
  stop(): void;
}

/**
 * Looks the ids up after a rest, and again when poked. One question at a time, and a poke neither puts off the first
 * look nor drops its answer: calls may come in without a pause.
 */
function lookUp(
  userIds: string[],
  on: { found(preview: DeletionPreview): void; failed(error: unknown): void },
): Looking {
  let isGone = false;
  let isPoked = false;
  let beganAt = 0;
  let phase: 'planned' | 'asking' | 'idle' = 'planned';
  let timer = setTimeout(() => void look(), REST_MS);
  const again = (): void => {
    phase = 'planned';
    timer = setTimeout(() => void look(), Math.max(0, beganAt + EVERY_MS - performance.now()));
  };
  const look = async (): Promise<void> => {
    phase = 'asking';
    isPoked = false;
    beganAt = performance.now();
    try {
      const preview = await call('deletions.preview', { userIds });
      if (!isGone) on.found(preview);
    } catch (error) {
      if (!isGone) on.failed(error);
    }
    phase = 'idle';
    if (isPoked && !isGone) again();
  };
  return {
    poke: () => {
      if (phase === 'asking') isPoked = true;
      else if (phase === 'idle' && !isGone) again();
    },
    stop: () => {
      isGone = true;
      clearTimeout(timer);
    },
  };
}
