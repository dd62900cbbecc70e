import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/** Begins a question. What it gives is true while that is the newest one of a component that is shown. */
export type BeginQuestion = () => () => boolean;

/** Answers may overtake each other, or come when nobody is there: only that to the newest question counts. */
export function useNewest(): BeginQuestion {
  const asked = useRef(0);
  useEffect(
    () => () => {
      asked.current += 1;
    },
    [],
  );
  return useCallback(() => {
    asked.current += 1;
    const mine = asked.current;
    return () => mine === asked.current;
  }, []);
}

/**
 * Reads at once, and again for each other `version` of what is read, at most every `everyMs` real milliseconds. An answer
 * counts until the next question is asked, so that one that is slower than the changes is shown too. Null: there is
 * nothing to read. Another `key` is another question, which does not wait.
 */
export function useReadAgain<V>(
  version: V | null,
  everyMs: number,
  read: (version: V) => void,
  key: string | null = null,
): void {
  const current = useRef(read);
  useLayoutEffect(() => {
    current.current = read;
  });
  const last = useRef({ key, at: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    if (version === null) return;
    const wait = last.current.key === key ? Math.max(0, last.current.at + everyMs - performance.now()) : 0;
    const timer = setTimeout(() => {
      last.current = { key, at: performance.now() };
      current.current(version);
    }, wait);
    return () => clearTimeout(timer);
  }, [version, everyMs, key]);
}
