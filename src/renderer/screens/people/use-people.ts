/** People and one of them, read again while calls come in. */
import { useCallback, useEffect, useState } from 'react';
import { ContractError } from '../../../contract/errors.ts';
import type { EveryoneView, PeopleSort, PersonView } from '../../../contract/persons.ts';
import { failureText } from '../../components/commit-field.tsx';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { useNewest, useReadAgain } from '../../stores/use-read-again.ts';

/** Real milliseconds between two readings while calls come in. */
const EVERY_MS = 1_000;
/** How long typing rests before it is searched. */
const REST_MS = 120;
const PAGE = 100;

export interface Reading<T> {
  /** The newest answer; null before the first. */
  readonly answer: T | null;
  /** Why the newest question had none, or none yet; the answer is then one of before. */
  readonly problem: string | null;
  /** The engine knows nobody who was asked for. */
  readonly isGone: boolean;
  /** The stored calls are read; from 0 to 1. Null when they are. */
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
function useReading<T>(
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
  return { answer, problem, isGone, progress: isReading ? progress : null, again };
}

export interface Everyone extends Reading<EveryoneView> {
  readonly more: (() => void) | null;
}

/** `search` may change with every key. */
export function useEveryone(search: string, sort: PeopleSort): Everyone {
  const [rested, setRested] = useState(search);
  const [limit, setLimit] = useState(PAGE);
  useEffect(() => {
    const timer = setTimeout(() => {
      setRested(search);
      setLimit(PAGE);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [search]);
  const reading = useReading(
    `${sort} ${limit} ${rested}`,
    () => everyone({ search: rested, sort, limit }),
    ({ isCounted }) => isCounted,
  );
  const [kept, setKept] = useState<EveryoneView | null>(null);
  useEffect(() => {
    if (reading.answer !== null) setKept(reading.answer);
  }, [reading.answer]);
  // While another search is asked, the list of before stays.
  const answer = reading.answer ?? kept;
  const isMore = answer !== null && answer.rows.length < answer.matching;
  const more = useCallback(() => setLimit((now) => now + PAGE), []);
  return { ...reading, answer, more: isMore ? more : null };
}

const MOST = 500;

async function everyone({ limit, ...ask }: { search: string; sort: PeopleSort; limit: number }): Promise<EveryoneView> {
  const first = await call('people.list', { ...ask, limit: Math.min(limit, MOST) });
  const rows = [...first.rows];
  let { isCounted } = first;
  while (rows.length < Math.min(limit, first.matching)) {
    const next = await call('people.list', { ...ask, from: rows.length, limit: Math.min(limit - rows.length, MOST) });
    if (next.rows.length === 0) break;
    rows.push(...next.rows);
    isCounted &&= next.isCounted;
  }
  return { ...first, rows, isCounted };
}

/** Null without an id. */
export const usePerson = (id: string | null): Reading<PersonView> =>
  useReading(id, () => call('people.person', { id: id! }));
