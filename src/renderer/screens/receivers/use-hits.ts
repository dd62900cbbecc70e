import { useEffect, useRef, useState } from 'react';
import { RECEIVER_LIMITS } from '../../../contract/receiver-limits.ts';
import type { HitView, ReceiverView } from '../../../contract/receivers.ts';
import { call } from '../../platform/connect.ts';

const PAGE = 100;
/** Real milliseconds between two looks at a busy log. */
const EVERY_MS = 250;

export interface Hits {
  readonly rows: readonly HitView[];
  /** How many the log holds. */
  readonly kept: number;
  /** Null when all are shown. */
  readonly more: (() => void) | null;
  /** The newest look failed; the rows are those of the one before. */
  readonly failed: boolean;
}

const NONE = { rows: [] as readonly HitView[], kept: 0, nextBefore: null as number | null };

/** The newest requests of a receiver; asks again when there were more, at most four times a second. */
export function useHits({ id, hits, recent, url }: ReceiverView): Hits {
  const [page, setPage] = useState(NONE);
  const [limit, setLimit] = useState(PAGE);
  const [failed, setFailed] = useState(false);
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  const running = url !== null;
  // A status that changes, or an answer that ends, changes the strip and not the count.
  const newest = JSON.stringify(recent.at(-1) ?? null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: hits and newest say that there is something to ask for
  useEffect(() => {
    let stale = false;
    const wait = Math.max(0, askedAt.current + EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      askedAt.current = performance.now();
      call('receivers.hits', { id, limit }).then(
        (next) => {
          if (stale) return;
          setPage(next);
          setFailed(false);
        },
        () => !stale && setFailed(true),
      );
    }, wait);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [id, hits, newest, limit, running]);

  const hasMore = page.nextBefore !== null && limit < RECEIVER_LIMITS.hits;
  return {
    rows: hits === 0 ? NONE.rows : page.rows,
    kept: page.kept,
    more: hasMore ? () => setLimit((now) => Math.min(RECEIVER_LIMITS.hits, now + PAGE)) : null,
    failed: failed && running,
  };
}
