import { useEffect, useRef, useState } from 'react';
import { RECEIVER_LIMITS } from '../../../contract/receiver-limits.ts';
import type { HitView, ReceiverView } from '../../../contract/receivers.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';

const PAGE = 100;
/** Real milliseconds between two fetches of a busy log. */
const EVERY_MS = 250;

export interface Hits {
  readonly rows: readonly HitView[];
  /** How many requests the log holds. */
  readonly kept: number;
  /** Null when all are loaded. */
  readonly more: (() => void) | null;
  /** There are requests, and none of them is read yet. */
  readonly isLoading: boolean;
  /** True when the last fetch failed. The rows are then those of the fetch before. */
  readonly failed: boolean;
}

/** `hits` is how many requests the receiver had when they were asked for. */
const NONE = { rows: [] as readonly HitView[], kept: 0, nextBefore: null as number | null, hits: 0 };

/** The newest requests of a receiver. Fetches again when there are more or fewer, at most four times a second. */
export function useHits({ id, hits, kept: held, recent, url }: ReceiverView): Hits {
  const [page, setPage] = useState(NONE);
  const [limit, setLimit] = useState(PAGE);
  const [failed, setFailed] = useState(false);
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  /** Numbers of the newest fetch and the newest answer, so that an older answer does not replace a newer one. */
  const asked = useRef(0);
  const answered = useRef(0);
  const gone = useRef(false);
  const running = url !== null;
  const connected = useRecords((state) => state.connection === 'open');
  // A changed status or a finished answer changes the strip but not the count.
  const newest = JSON.stringify(recent.at(-1) ?? null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: hits, held and newest say that there is something to ask for
  useEffect(() => {
    if (!connected) return;
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
            setPage({ ...next, hits });
            setFailed(false);
          }),
        () => take(() => setFailed(true)),
      );
    }, wait);
    return () => clearTimeout(timer);
  }, [id, hits, held, newest, limit, running, connected]);

  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);

  // Fewer requests than at the last answer: the log was cleared meanwhile.
  const { rows, kept, nextBefore } = hits === 0 || hits < page.hits ? NONE : page;
  const hasMore = nextBefore !== null && limit < RECEIVER_LIMITS.hits;
  return {
    rows,
    kept,
    more: hasMore ? () => setLimit((now) => Math.min(RECEIVER_LIMITS.hits, now + PAGE)) : null,
    isLoading: rows.length === 0 && hits !== page.hits && hits > 0 && !failed,
    failed: failed && running,
  };
}
