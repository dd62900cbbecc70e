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
  /** Numbers of the newest question and of the newest answer: an older answer does not undo a newer one. */
  const asked = useRef(0);
  const answered = useRef(0);
  const gone = useRef(false);
  const running = url !== null;
  // A status that changes, or an answer that ends, changes the strip and not the count.
  const newest = JSON.stringify(recent.at(-1) ?? null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: hits and newest say that there is something to ask for
  useEffect(() => {
    const wait = Math.max(0, askedAt.current + EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      askedAt.current = performance.now();
      asked.current += 1;
      const n = asked.current;
      const take = (then: () => void) => {
        if (gone.current || n < answered.current) return;
        answered.current = n;
        then();
      };
      call('receivers.hits', { id, limit }).then(
        (next) =>
          take(() => {
            setPage(next);
            setFailed(false);
          }),
        () => take(() => setFailed(true)),
      );
    }, wait);
    return () => clearTimeout(timer);
  }, [id, hits, newest, limit, running]);

  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);

  const hasMore = page.nextBefore !== null && limit < RECEIVER_LIMITS.hits;
  return {
    rows: hits === 0 ? NONE.rows : page.rows,
    kept: page.kept,
    more: hasMore ? () => setLimit((now) => Math.min(RECEIVER_LIMITS.hits, now + PAGE)) : null,
    failed: failed && running,
  };
}
