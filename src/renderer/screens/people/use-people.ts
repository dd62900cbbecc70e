/** Questions about people, asked again while calls come in, and one of them. */
import { useCallback, useEffect, useState } from 'react';
import { ContractError } from '../../../contract/errors.ts';
import type { PersonView } from '../../../contract/persons.ts';
import { failureText } from '../../components/commit-field.tsx';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { useNewest, useReadAgain } from '../../stores/use-read-again.ts';

/** Real milliseconds between two readings while calls come in. */
const EVERY_MS = 1_000;

export interface Reading<T> {
  /** The newest answer; null before the first. */
  readonly answer: T | null;
  /** Why the newest question had none, or none yet; the answer is then one of before. */
  readonly problem: string | null;
  /** The engine knows nobody who was asked for. */
  readonly isGone: boolean;
  /** The stored calls are read; from 0 to below 1, because the answer is still to come. Null when they are. */
  readonly progress: number | null;
  readonly again: () => void;
}

/** Another one is the reason to ask again: stored calls, and how far they are read. */
function useVersion(turn: number): string {
  const total = useRecords((state) => state.status?.total ?? 0);
  const people = useRecords((state) => state.people);
  return `${turn} ${total} ${people?.calls ?? 0} ${people?.state ?? ''} ${people?.progress ?? 0}`;
}

/** An answer that is not `isWhole` is asked for again. */
export function useReading<T>(
  key: string | null,
  ask: () => Promise<T>,
  isWhole: (answer: T) => boolean = () => true,
): Reading<T> {
  const [turn, setTurn] = useState(0);
  const [found, setFound] = useState<{ key: string; answer: T } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isGone, setGone] = useState(false);
  const [isReading, setIsReading] = useState(false);
  const progress = useRecords((state) => state.people?.progress ?? 0);
  const version = useVersion(turn);
  const begin = useNewest();
  const again = useCallback(() => setTurn((now) => now + 1), []);
  const read = () => {
    const isNewest = begin();
    ask().then(
      (answer) => {
        if (!isNewest()) return;
        setFound({ key: key!, answer });
        setProblem(null);
        setGone(false);
        setIsReading(false);
      },
      (error: unknown) => {
        if (!isNewest()) return;
        const code = error instanceof ContractError ? error.code : null;
        const gone = code === 'person_not_found';
        if (gone) setFound(null);
        setGone(gone);
        setIsReading(code === 'people_counting');
        setProblem(gone || code === 'people_counting' ? null : failureText(error));
      },
    );
  };
  useReadAgain(key === null ? null : `${key} ${version}`, EVERY_MS, read, key);
  const isUnfinished = isReading || (found !== null && found.key === key && !isWhole(found.answer));
  // People tell how far they are, and the last step may come before the question: ask until there is an answer.
  useEffect(() => {
    if (!isUnfinished) return;
    const timer = setInterval(again, EVERY_MS);
    return () => clearInterval(timer);
  }, [isUnfinished, again]);
  const answer = key !== null && found?.key === key ? found.answer : null;
  return { answer, problem, isGone, progress: isReading ? Math.min(progress, 0.999) : null, again };
}

/** Null without an id. */
export const usePerson = (id: string | null): Reading<PersonView> =>
  useReading(id, () => call('people.person', { id: id! }));
